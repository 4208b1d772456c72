/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the policy swap against all sets of swaps that there are, with rows as they are and
 * divided anew. */
#include "unit/policies/swap_scene.h"

#include "decide/planning/draw.h"

typedef struct {
    const scene_t *scene;
    int to[MOST]; /* of each member, an idle PE or -1 */
    bool taken[PES];
    int swaps;
    bool divides; /* rows may be divided anew, which costs nothing */
    double total; /* seconds of the iterations to come, with the best set so far */
    int fewest;
} search_t;

/* By the definitions, one by one: the slowest member makes the iteration. */
static double seconds_of(const scene_t *s, const int *to)
{
    double most = 0;
    for (int i = 0; i < s->layout.members; i++) {
        const xmpi_speed_t *there = &s->seen[to[i] >= 0 ? to[i] : i];
        double speed = to[i] >= 0 ? there->speed / (1 + 2 * there->error) : there->speed;
        most = fmax(most, s->samples[i].work / speed);
    }
    return most;
}

static bool process_gains(const scene_t *s, int rank, int pe)
{
    const xmpi_speed_t *here = &s->seen[rank], *there = &s->seen[pe];
    return there->speed / (1 + 2 * there->error) >
           here->speed * (1 + 2 * here->error) * (1 + s->view.swap.process_gain);
}

static double change_of(const scene_t *s, const int *to)
{
    xmpi_plan_t plan;
    xmpi_prediction_t prediction;
    assert_int_equal(xmpi_plan_alloc(&plan, s->layout.members), XMPI_OK);
    for (int i = 0; i < plan.places; i++)
        plan.place[i] = (xmpi_place_t){.origin = to[i] >= 0 ? XMPI_TAKES_OVER : XMPI_STAYS,
                                       .from = i,
                                       .pe = to[i],
                                       .block = s->member[i].block};
    assert_int_equal(xmpi_predict(s->view.predictor, &plan, 1, &prediction), XMPI_OK);
    xmpi_plan_free(&plan);
    return prediction.process + prediction.redistribution;
}

/* Rows are equal within the blocks that they are in, and as many are divided as speeds say; who
 * goes counts as what his PE may at least do. */
static double divided_seconds(const scene_t *s, const int *to)
{
    xmpi_plan_t plan;
    double speed[MOST], most = 0;
    assert_int_equal(xmpi_plan_alloc(&plan, s->layout.members), XMPI_OK);
    for (int i = 0; i < plan.places; i++)
        speed[i] = s->seen[to[i] >= 0 ? to[i] : i].speed;
    assert_int_equal(xmpi_plan_divide(&plan, s->layout.domain, NULL, speed), XMPI_OK);
    for (int i = 0, row = 0; i < plan.places; i++) {
        double doubt = to[i] >= 0 ? 1 + 2 * s->seen[to[i]].error : 1, work = 0;
        for (int n = 0; n < plan.place[i].block.count; n++, row++)
            work += s->samples[row / 60].work / 60;
        most = fmax(most, work / speed[i] * doubt);
    }
    xmpi_plan_free(&plan);
    return most;
}

/* Iterations that are hoped for where their number is not known, early in the loop. */
static const double hoped = 100;

static void consider_way(search_t *search, double then, double change)
{
    static const int nobody[MOST] = {-1, -1, -1, -1, -1, -1};
    const scene_t *s = search->scene;
    double now = seconds_of(s, nobody), total = change + hoped * then;
    bool better = total < search->total * (1 - 1e-10) ||
                  (total < search->total * (1 + 1e-10) && search->swaps < search->fewest);
    if (!better || now / then - 1 <= s->view.swap.application_gain)
        return;
    if (change / (now - then) >= s->view.swap.payback)
        return;
    search->total = total;
    search->fewest = search->swaps;
}

static void consider(search_t *search)
{
    const scene_t *s = search->scene;
    consider_way(search, seconds_of(s, search->to), search->divides ? 0 : change_of(s, search->to));
    if (search->divides)
        consider_way(search, divided_seconds(s, search->to), 0);
}

static void go_on(search_t *search, int rank)
{
    const scene_t *s = search->scene;
    if (rank == s->layout.members) {
        consider(search);
        return;
    }
    go_on(search, rank + 1);
    if (s->samples[rank].held != XMPI_HELD_NOT ||
        (s->view.swap.swaps > 0 && search->swaps >= s->view.swap.swaps))
        return;
    for (int pe = s->layout.members; pe < s->resources.pes; pe++) {
        if (search->taken[pe] || !process_gains(s, rank, pe))
            continue;
        search->to[rank] = pe;
        search->taken[pe] = true;
        search->swaps++;
        go_on(search, rank + 1);
        search->to[rank] = -1;
        search->taken[pe] = false;
        search->swaps--;
    }
}

static double any(uint64_t *state, const double *of, int n)
{
    return of[xmpi_random_below(state, n)];
}

/* Few different speeds and works, so that there are ties, or all different ones. */
static double some(uint64_t *state, bool ties)
{
    return ties ? 1 + xmpi_random_below(state, 4) : 1 + xmpi_random_below(state, 1000) / 250.;
}

static void random_scene(scene_t *s, uint64_t *state)
{
    static const double gains[] = {0, 0, 0.02, 0.2, 0.5}, paybacks[] = {INFINITY, 0.5, 2, 5, 20};
    double speed[MOST], idle[MOST];
    bool ties = xmpi_random_below(state, 2) == 0;
    int members = 1 + xmpi_random_below(state, MOST), idles = 1 + xmpi_random_below(state, MOST);
    for (int i = 0; i < MOST; i++) {
        speed[i] = some(state, ties);
        idle[i] = some(state, ties);
    }
    scene_make(s, members, speed, idles, idle);
    for (int i = 0; i < members; i++) {
        s->samples[i].work = 10 * some(state, ties);
        s->samples[i].wall = s->samples[i].computation = s->samples[i].work / speed[i];
        s->samples[i].held = xmpi_random_below(state, 12) == 0 ? XMPI_HELD_HERE : XMPI_HELD_NOT;
    }
    for (int i = 0; i < PES && !ties; i++)
        s->seen[i].error = xmpi_random_below(state, 10) / 200.;
    for (int i = 0; i < idles; i++)
        s->seen[members + i].away = 0; /* its error is as it is */
    s->view.swap = (xmpi_swap_terms_t){.payback = any(state, paybacks, 5),
                                       .process_gain = any(state, gains, 5),
                                       .application_gain = any(state, gains, 5),
                                       .swaps = xmpi_random_below(state, 4),
                                       .doubt = XMPI_SWAP_DOUBT};
    price(s, 0.5);
}

static void no_set_of_swaps_is_better(void **state)
{
    (void)state;
    enum { SCENES = 400 };
    uint64_t random = 1;
    int with = 0;
    static scene_t s;
    for (int n = 0; n < SCENES; n++) {
        random_scene(&s, &random);
        search_t search = {.scene = &s, .total = INFINITY, .to = {-1, -1, -1, -1, -1, -1}};
        go_on(&search, 0);
        xmpi_plan_t plan = decided(&s);
        int to[MOST], made = xmpi_plan_joiners(&plan);
        for (int i = 0; i < s.layout.members; i++)
            to[i] = plan.places > 0 ? plan.place[i].pe : -1;
        double total = made > 0 ? change_of(&s, to) + hoped * seconds_of(&s, to) : INFINITY;
        if (made != search.fewest || (made > 0 && fabs(total / search.total - 1) > 1e-9))
            fail_msg("scene %d: %d swaps to %.9g s, where %d come to %.9g s", n, made, total,
                     search.fewest, search.total);
        with += made > 1;
        xmpi_plan_free(&plan);
        xmpi_predictor_free(&s.predictor);
    }
    assert_true(with > SCENES / 10);
}

/* Seconds of an iteration by PLAN, with the work of all by rows where these have changed. */
static double planned_seconds(const scene_t *s, const xmpi_plan_t *plan, bool *divides)
{
    int to[MOST];
    *divides = false;
    for (int i = 0; i < s->layout.members; i++) {
        to[i] = plan->places > 0 ? plan->place[i].pe : -1;
        *divides |= plan->places > 0 && plan->place[i].block.count != s->member[i].block.count;
    }
    return *divides ? divided_seconds(s, to) : seconds_of(s, to);
}

/* Rows alone have terms of their own; where they gain enough, they are among the ways, too. */
static void no_set_of_swaps_and_rows_is_better(void **state)
{
    (void)state;
    enum { SCENES = 150 };
    uint64_t random = 2;
    int swapped = 0, both = 0;
    static scene_t s;
    for (int n = 0; n < SCENES; n++) {
        bool divides;
        random_scene(&s, &random);
        xmpi_predictor_free(&s.predictor);
        s.view.predictor = NULL; /* a change costs nothing */
        s.view.imbalance_threshold = 0;
        for (int i = 0; i < PES; i++)
            s.seen[i].error = 0;
        for (int i = 0; i < s.layout.members; i++) /* else rows are not divided as speeds say */
            s.samples[i].work = 10;
        search_t search = {
            .scene = &s, .total = INFINITY, .to = {-1, -1, -1, -1, -1, -1}, .divides = true};
        go_on(&search, 0);
        xmpi_plan_t plan = decided(&s);
        double seconds = planned_seconds(&s, &plan, &divides);
        if (isfinite(search.total) && hoped * seconds > search.total * (1 + 1e-9))
            fail_msg("scene %d: %d swaps to %.9g s, where %d come to %.9g s", n,
                     xmpi_plan_joiners(&plan), seconds, search.fewest, search.total / hoped);
        swapped += xmpi_plan_joiners(&plan) > 0 && !divides;
        both += xmpi_plan_joiners(&plan) > 0 && divides;
        xmpi_plan_free(&plan);
    }
    assert_true(swapped > 0 && both > SCENES / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_set_of_swaps_is_better),
        cmocka_unit_test(no_set_of_swaps_and_rows_is_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

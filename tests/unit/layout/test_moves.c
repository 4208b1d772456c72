/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of plans for movable loops: who goes where, without MPI. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "decide/policies/decide.h"
#include "decide/planning/moves.h"
#include "decide/planning/placing.h"
#include "decide/scheduler/availability.h"

enum { MEMBERS = 3, PES = 5 };

/* Three members, a row each, on the first PEs; nothing stays. */
typedef struct {
    xmpi_member_t member[MEMBERS];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[MEMBERS];
    xmpi_view_t view;
} scene_t;

static void scene_make(scene_t *s)
{
    memset(s, 0, sizeof *s);
    s->layout = (xmpi_layout_t){.domain = MEMBERS, .members = MEMBERS, .member = s->member};
    s->resources = (xmpi_resources_t){
        .pes = PES, .pe = s->pe, .classes = 1, .max_members = PES, .can_spawn = true, .anchor = -1};
    for (int i = 0; i < PES; i++)
        s->pe[i].process = i < MEMBERS ? i : -1;
    for (int i = 0; i < MEMBERS; i++)
        s->member[i] = (xmpi_member_t){i, {1, i}};
    s->view = (xmpi_view_t){.layout = &s->layout,
                            .resources = &s->resources,
                            .samples = s->samples,
                            .movable = true,
                            .seed = 1};
}

static xmpi_plan_t decided(const scene_t *s, const xmpi_policy_t *policy)
{
    xmpi_plan_t plan;
    xmpi_decision_t decision;
    xmpi_error_t error = {""};
    if (xmpi_policy_decide(policy, &s->view, &plan, &decision, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    if (plan.places > 0 && xmpi_plan_check(&plan, &s->layout, &s->resources, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    return plan;
}

static void nobody_moves_without_a_reason(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    xmpi_plan_t plan = decided(&s, &xmpi_policy_balance);
    assert_int_equal(plan.places, 0);
    plan = decided(&s, NULL);
    assert_int_equal(plan.places, 0);
}

static void withdrawn_places_are_left(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.pe[0].withdrawn = s.pe[1].withdrawn = s.pe[3].withdrawn = true;
    xmpi_plan_t plan = decided(&s, NULL);
    assert_int_equal(plan.places, MEMBERS);
    assert_int_equal(plan.place[0].origin, XMPI_TAKES_OVER);
    assert_int_equal(plan.place[0].pe, 4); /* the only one that is idle and may be used */
    assert_int_equal(plan.place[1].origin, XMPI_STAYS);
    assert_string_equal(plan.reason, "1 member leaves withdrawn processing elements, 1 cannot yet");
    assert_string_equal(xmpi_plan_kind(&plan, &s.layout), "exchange");
    xmpi_plan_free(&plan);
}

static void at_random_whoever_can(void **state)
{
    (void)state;
    scene_t s;
    int taken[MEMBERS] = {0}, exchanged = 0;
    scene_make(&s);
    s.resources.anchor = 0;
    s.samples[1].held = XMPI_HELD_HERE;
    for (int i = 0; i < 200; i++) {
        s.view.iteration = i;
        xmpi_plan_t plan = decided(&s, &xmpi_policy_random);
        for (int k = 0; k < plan.places; k++) {
            taken[k] += plan.place[k].origin == XMPI_TAKES_OVER;
            exchanged += plan.place[k].origin == XMPI_STAYS && plan.place[k].from != k;
        }
        xmpi_plan_free(&plan);
    }
    assert_int_equal(taken[0] + taken[1] + exchanged, 0);
    assert_true(taken[2] > 20);
    s.resources.anchor = -1;
    s.samples[1].held = XMPI_HELD_NOT;
    for (int i = 0; i < 200; i++) {
        s.view.iteration = i;
        xmpi_plan_t plan = decided(&s, &xmpi_policy_random);
        for (int k = 0; k < plan.places; k++) {
            taken[k] += plan.place[k].origin == XMPI_TAKES_OVER;
            exchanged += plan.place[k].origin == XMPI_STAYS && plan.place[k].from != k;
        }
        xmpi_plan_free(&plan);
    }
    assert_true(taken[0] > 20 && taken[1] > 20 && exchanged > 20);
}

static void all_stay_for_what_holds_all(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.samples[2].held = XMPI_HELD_ALL;
    s.pe[0].withdrawn = true;
    for (int i = 0; i < 50; i++) {
        s.view.iteration = i;
        xmpi_plan_t plan = decided(&s, &xmpi_policy_random);
        assert_int_equal(plan.places, 0);
    }
}

/* Of a loop that starts over with another number of members programs move with the same one. */
static void who_starts_over_moves_as_well(void **state)
{
    (void)state;
    scene_t s;
    int moved = 0, resized = 0;
    scene_make(&s);
    s.view.movable = false;
    s.view.sizes = s.view.may_grow = true;
    for (int i = 0; i < MEMBERS; i++)
        s.member[i].block = (xmpi_block_t){1, i};
    s.pe[0].withdrawn = true;
    xmpi_plan_t plan = decided(&s, NULL);
    assert_int_equal(plan.places, MEMBERS);
    assert_true(plan.moves && !plan.sizes);
    assert_int_equal(plan.place[0].origin, XMPI_TAKES_OVER);
    assert_int_equal(plan.place[0].pe, 3);
    assert_memory_equal(&plan.place[2].block, &s.member[2].block, sizeof(xmpi_block_t));
    xmpi_plan_free(&plan);
    s.samples[2].held = XMPI_HELD_HERE;
    plan = decided(&s, NULL);
    assert_int_equal(plan.places, 0);
    s.samples[2].held = XMPI_HELD_NOT;
    s.pe[0].withdrawn = false;
    s.view.wished = (xmpi_wished_move_t){XMPI_WISHED_SWAP, false, 0, 2};
    plan = decided(&s, NULL);
    assert_true(plan.moves && plan.place[0].from == 2 && plan.place[2].from == 0);
    xmpi_plan_free(&plan);
    s.view.wished = (xmpi_wished_move_t){0};
    for (int i = 0; i < 200; i++) {
        s.view.iteration = i;
        plan = decided(&s, &xmpi_policy_random);
        moved += plan.moves;
        resized += plan.sizes;
        assert_true(!plan.moves || plan.places == MEMBERS);
        xmpi_plan_free(&plan);
    }
    assert_true(moved > 20 && resized > 20);
}

static void people_have_their_way(void **state)
{
    (void)state;
    scene_t s;
    xmpi_decision_t decision;
    xmpi_error_t error;
    xmpi_plan_t plan;
    scene_make(&s);
    s.view.wished = (xmpi_wished_move_t){XMPI_WISHED_SWAP, false, 0, 2};
    plan = decided(&s, &xmpi_policy_balance);
    assert_int_equal(plan.place[0].from, 2);
    assert_int_equal(plan.place[1].from, 1);
    assert_int_equal(plan.place[2].from, 0);
    xmpi_plan_free(&plan);
    s.view.wished = (xmpi_wished_move_t){XMPI_WISHED_MOVE, false, 1, 3};
    plan = decided(&s, NULL);
    assert_int_equal(plan.place[1].pe, 3);
    xmpi_plan_free(&plan);
    static const xmpi_wished_move_t wrong[] = {{XMPI_WISHED_MOVE, false, 1, 2},
                                               {XMPI_WISHED_MOVE, false, 1, PES},
                                               {XMPI_WISHED_MOVE, false, MEMBERS, 3},
                                               {XMPI_WISHED_SWAP, false, 1, MEMBERS}};
    for (int i = 0; i < 4; i++) {
        s.view.wished = wrong[i];
        assert_int_equal(xmpi_policy_decide(NULL, &s.view, &plan, &decision, &error),
                         XMPI_ERR_INPUT);
    }
}

/* --- by load ------------------------------------------------------------------------------------
 */

enum { RANKS = 6, NODES = 3, EACH = 6 };

/* Six ranks with LOAD on node "a", which has two PEs; "b" has two and "c" one, all with idle places
 * for all. */
typedef struct {
    xmpi_member_t member[RANKS];
    xmpi_layout_t layout;
    xmpi_pe_t pe[NODES * EACH];
    xmpi_resources_t resources;
    xmpi_sample_t samples[RANKS];
    xmpi_view_t view;
} crowd_t;

static void crowd_make(crowd_t *c, const double *load)
{
    static const int width[NODES] = {2, 2, 1};
    memset(c, 0, sizeof *c);
    c->layout = (xmpi_layout_t){.domain = RANKS, .members = RANKS, .member = c->member};
    c->resources = (xmpi_resources_t){.pes = NODES * EACH,
                                      .pe = c->pe,
                                      .classes = 1,
                                      .max_members = RANKS,
                                      .can_spawn = true,
                                      .anchor = -1};
    for (int i = 0; i < NODES * EACH; i++) {
        c->pe[i] = (xmpi_pe_t){.process = i < RANKS ? i : -1};
        c->pe[i].node[0] = (char)('a' + i / EACH);
        c->pe[i].shared = i % EACH >= width[i / EACH];
    }
    for (int i = 0; i < RANKS; i++) {
        c->member[i] = (xmpi_member_t){i, {1, i}};
        c->samples[i] = (xmpi_sample_t){.iterations = 10, .cpu = 10 * load[i], .computation = 99};
    }
    c->view = (xmpi_view_t){.layout = &c->layout,
                            .resources = &c->resources,
                            .samples = c->samples,
                            .movable = true,
                            .imbalance_threshold = 0.03,
                            .remaining = 1000};
}

static xmpi_plan_t placed(const crowd_t *c, const xmpi_policy_t *policy)
{
    xmpi_plan_t plan;
    xmpi_error_t error = {""};
    xmpi_decision_t decision;
    if (xmpi_policy_decide(policy, &c->view, &plan, &decision, &error) != XMPI_OK ||
        (plan.places > 0 && xmpi_plan_check(&plan, &c->layout, &c->resources, &error) != XMPI_OK))
        fail_msg("%s", error.text);
    return plan;
}

/* Who computes where after PLAN; the loads of each node. */
static void follow(crowd_t *c, const xmpi_plan_t *plan, double *sum)
{
    int process[RANKS];
    for (int i = 0; i < RANKS; i++)
        process[i] = plan->places == 0                     ? c->member[i].process
                     : plan->place[i].origin == XMPI_STAYS ? c->member[plan->place[i].from].process
                                                           : plan->place[i].pe;
    for (int i = 0; i < NODES * EACH; i++)
        c->pe[i].process = -1;
    memset(sum, 0, NODES * sizeof *sum);
    for (int i = 0; i < RANKS; i++) {
        c->member[i].process = process[i];
        c->pe[process[i]].process = process[i];
        sum[process[i] / EACH] += c->samples[i].cpu / 10;
    }
}

/* Seconds of an iteration, of the node that is done last. */
static double longest(const crowd_t *c)
{
    double most = 0;
    for (int n = 0; n < NODES; n++) {
        double sum = 0, width = 0;
        for (int k = n * EACH; k < (n + 1) * EACH; k++)
            width += !c->pe[k].shared;
        for (int i = 0; i < RANKS; i++)
            sum += c->member[i].process / EACH == n ? c->samples[i].cpu / 10 : 0;
        most = sum / width > most ? sum / width : most;
    }
    return most;
}

static const double loads[RANKS] = {1, 1, 4, 1, 2, 1}, even[RANKS] = {3, 3, 3, 3, 3, 3};

static void ranks_spread_by_their_load(void **state)
{
    (void)state;
    crowd_t c;
    double sum[NODES];
    crowd_make(&c, loads);
    xmpi_plan_t plan = placed(&c, &xmpi_policy_spread);
    assert_int_equal(plan.places, RANKS);
    follow(&c, &plan, sum);
    xmpi_plan_free(&plan);
    assert_true(longest(&c) <= 4);          /* as the heaviest takes alone */
    plan = placed(&c, &xmpi_policy_spread); /* there is no better one, or none that is worth it */
    assert_int_equal(plan.places, 0);
    crowd_make(&c, even);
    plan = placed(&c, &xmpi_policy_spread);
    follow(&c, &plan, sum);
    xmpi_plan_free(&plan);
    assert_true(sum[0] > 0 && sum[1] > 0 && sum[2] > 0 && longest(&c) <= 4.5); /* before: 9 */
}

/* Nodes without ranks stay so. */
static void balance_keeps_to_the_nodes_that_it_has(void **state)
{
    (void)state;
    crowd_t c;
    double sum[NODES];
    crowd_make(&c, loads);
    xmpi_plan_t plan = placed(&c, &xmpi_policy_balance);
    assert_int_equal(plan.places, 0);
    c.pe[5].process = -1; /* the last rank is on "b" */
    c.pe[6].process = c.member[5].process = 6;
    plan = placed(&c, &xmpi_policy_balance);
    assert_int_equal(plan.places, RANKS);
    for (int i = 0; i < RANKS; i++)
        c.member[i].process = i < 5 ? i : 6;
    follow(&c, &plan, sum);
    assert_true(sum[2] <= 0 && longest(&c) <= 4);
    xmpi_plan_free(&plan);
}

/* Where little is left of the loop, or little is gained. */
static void what_is_not_worth_it_stays(void **state)
{
    (void)state;
    crowd_t c;
    crowd_make(&c, even);
    c.view.remaining = 0;
    assert_int_equal(placed(&c, &xmpi_policy_spread).places, 0);
    c.view.remaining = 1000;
    c.view.imbalance_threshold = 0.9;
    assert_int_equal(placed(&c, &xmpi_policy_spread).places, 0);
    c.view.imbalance_threshold = 0.03;
    c.samples[0].held = XMPI_HELD_ALL;
    assert_int_equal(placed(&c, &xmpi_policy_spread).places, 0);
}

/* A node that is taken away is left, whatever its ranks share there, and used when it is back. */
static void a_withdrawn_node_is_left_and_used_again(void **state)
{
    (void)state;
    crowd_t c;
    double sum[NODES];
    xmpi_error_t error;
    xmpi_availability_t change;
    crowd_make(&c, even);
    assert_int_equal(xmpi_availability_withdraw(&c.resources, "a", 1, &change, &error), XMPI_OK);
    assert_int_equal(change.withdrawn, 2);
    xmpi_plan_t plan = placed(&c, &xmpi_policy_spread);
    follow(&c, &plan, sum);
    xmpi_plan_free(&plan);
    assert_true(sum[0] <= 0);
    assert_int_equal(xmpi_availability_offer(&c.resources, "a", &change, &error), XMPI_OK);
    assert_int_equal(change.returned, 2);
    plan = placed(&c, &xmpi_policy_spread);
    follow(&c, &plan, sum);
    xmpi_plan_free(&plan);
    assert_true(sum[0] > 0);
    assert_int_equal(xmpi_availability_withdraw(&c.resources, "d", 1, &change, &error),
                     XMPI_ERR_INPUT);
    assert_int_equal(xmpi_availability_withdraw(&c.resources, "b", 1, &change, &error), XMPI_OK);
    assert_int_equal(xmpi_availability_withdraw(&c.resources, "c", 1, &change, &error), XMPI_OK);
    assert_int_equal(xmpi_availability_withdraw(&c.resources, "a", 1, &change, &error),
                     XMPI_ERR_INPUT); /* there is nothing else */
}

/* --- the best step, against all of them ----------------------------------------------------------
 */

/* Seconds of an iteration on NODE, if rank OUT were not there and IN were (-1: none). */
static double seconds_if(const xmpi_placing_t *p, const double *load, int node, int out, int in)
{
    double most = in >= 0 ? load[in] : 0, sum = most;
    for (int i = 0; i < RANKS; i++)
        if (p->node[i] == node && i != out) {
            sum += load[i];
            most = fmax(most, load[i]);
        }
    return fmax(sum / p->at[node].width, most);
}

static double gain_of(const xmpi_placing_t *p, const double *load, int rank, int node, int other)
{
    int from = p->node[rank];
    return seconds_if(p, load, from, -1, -1) -
           fmax(seconds_if(p, load, from, rank, other), seconds_if(p, load, node, other, rank));
}

/* The gain of the best of all steps from the node that is done last. */
static double best_gain(const xmpi_placing_t *p, const double *load)
{
    double best = 0;
    int from = p->slowest[1]; /* of several, one */
    for (int n = 0; n < NODES; n++)
        assert_true(seconds_if(p, load, n, -1, -1) <= seconds_if(p, load, from, -1, -1) + 1e-9);
    for (int i = 0; i < RANKS; i++)
        for (int k = -1; k < RANKS && p->node[i] == from && !p->stays[i]; k++) {
            if (k >= 0 && p->node[k] != from && !p->stays[k] && load[k] < load[i] &&
                p->at[p->node[k]].usable)
                best = fmax(best, gain_of(p, load, i, p->node[k], k));
            for (int n = 0; k < 0 && n < NODES; n++)
                if (n != from && p->at[n].usable && p->at[n].idle >= 0)
                    best = fmax(best, gain_of(p, load, i, n, -1));
        }
    return best;
}

static double drawn(uint64_t *state, int values)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33 & 0xffff) / 65536 * values;
}

/* Ranks anywhere, some of which stay, with loads many of which are equal (FINE: none), and with no
 * more than IDLE places left on each node. */
static void scatter(crowd_t *c, uint64_t *state, bool fine, int idle)
{
    double load[RANKS];
    int left[NODES] = {idle, idle, idle};
    for (int i = 0; i < RANKS; i++)
        load[i] = fine ? 0.01 + drawn(state, 10) : 1 + floor(drawn(state, 4));
    crowd_make(c, load);
    for (int i = 0; i < NODES * EACH; i++)
        c->pe[i].process = -1;
    for (int i = 0; i < RANKS; i++) {
        int pe = (int)drawn(state, NODES * EACH);
        while (c->pe[pe].process >= 0)
            pe = (pe + 1) % (NODES * EACH);
        c->pe[pe].process = c->member[i].process = i;
        c->samples[i].held = drawn(state, 8) < 1 ? XMPI_HELD_HERE : XMPI_HELD_NOT;
    }
    for (int i = 0; i < NODES * EACH; i++)
        if (c->pe[i].process < 0 && left[i / EACH]-- <= 0)
            c->pe[i].process = RANKS; /* somebody else's */
}

static void steps_are_the_best(void **state)
{
    uint64_t drawing = 1;
    int taken = 0, exchanged = 0;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        crowd_t c;
        double load[RANKS];
        xmpi_placing_t placing;
        xmpi_placing_step_t step;
        scatter(&c, &drawing, i % 2 == 0, i % 3);
        for (int k = 0; k < RANKS; k++)
            load[k] = c.samples[k].cpu / 10;
        assert_int_equal(xmpi_placing_make(&placing, &c.view, i % 5 == 0), XMPI_OK);
        do {
            double best = best_gain(&placing, load);
            step = xmpi_placing_find(&placing);
            if (step.rank >= 0 ? fabs(step.gain - best) > 1e-9 : best > 1e-9)
                fail_msg("case %d: a step gains %g, the best one %g", i,
                         step.rank >= 0 ? step.gain : 0, best);
            taken += step.rank >= 0 && step.other < 0;
            exchanged += step.rank >= 0 && step.other >= 0;
            if (step.rank >= 0)
                xmpi_placing_take(&placing, &step);
        } while (step.rank >= 0);
        xmpi_placing_free(&placing);
    }
    assert_true(taken > 5000 && exchanged > 5000);
}

/* A plan that moves nobody twice is one; a plan of rows keeps its order. */
static void plans_are_checked(void **state)
{
    (void)state;
    scene_t s;
    xmpi_error_t error;
    scene_make(&s);
    s.view.wished = (xmpi_wished_move_t){XMPI_WISHED_SWAP, false, 0, 2};
    xmpi_plan_t plan = decided(&s, NULL);
    plan.place[0].from = 1;
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    plan.place[0].from = 2;
    plan.moves = false;
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    xmpi_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_moves_without_a_reason),
        cmocka_unit_test(ranks_spread_by_their_load),
        cmocka_unit_test(balance_keeps_to_the_nodes_that_it_has),
        cmocka_unit_test(what_is_not_worth_it_stays),
        cmocka_unit_test(a_withdrawn_node_is_left_and_used_again),
        cmocka_unit_test(withdrawn_places_are_left),
        cmocka_unit_test(at_random_whoever_can),
        cmocka_unit_test(all_stay_for_what_holds_all),
        cmocka_unit_test(who_starts_over_moves_as_well),
        cmocka_unit_test(people_have_their_way),
        cmocka_unit_test(steps_are_the_best),
        cmocka_unit_test(plans_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Swapping over a whole run, as in Fig. 4.5 of Sievert (2003): two members on four PEs, of which
 * two are much alike, one is good and gets worse, and one gets better. Where a process counts as a
 * load to itself it flees from itself, to and fro; where its own load is subtracted it stays. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "decide/leader/leader.h"
#include "decide/policies/catalogue.h"
#include "decide/planning/draw.h"

enum { PES = 4, MEMBERS = 2, INTERVALS = 200, WORK = 1000, SECONDS = 10 };

typedef struct {
    xmpi_member_t member[MEMBERS];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[MEMBERS];
    xmpi_idle_t seen[PES];
    xmpi_schedule_t schedule;
    xmpi_wishes_t wishes;
    xmpi_occasion_t at;
    xmpi_leader_t leader;
    uint64_t random;
    int swaps;
    double seconds; /* that all iterations took */
} run_t;

static void run_make(run_t *r, xmpi_swap_preset_t preset)
{
    const xmpi_swap_terms_t given = {-1, -1, -1, -1, 1, 0}; /* one at a time, as there */
    memset(r, 0, sizeof *r);
    r->layout = (xmpi_layout_t){.domain = 200, .members = MEMBERS, .member = r->member};
    r->resources = (xmpi_resources_t){
        .pes = PES, .pe = r->pe, .classes = 1, .max_members = PES, .can_spawn = true, .anchor = -1};
    for (int i = 0; i < PES; i++)
        r->pe[i].process = i < MEMBERS ? i : -1;
    for (int i = 0; i < MEMBERS; i++)
        r->member[i] = (xmpi_member_t){i, {100, 100 * i}};
    r->wishes = (xmpi_wishes_t){.interval = 10,
                                .window = 1,
                                .imbalance = 1,
                                .interference = 0.05,
                                .schedule = &r->schedule,
                                .swap = xmpi_swap_terms(preset, &given)};
    r->at = (xmpi_occasion_t){.policy = &xmpi_policy_swap,
                              .wishes = &r->wishes,
                              .layout = &r->layout,
                              .resources = &r->resources,
                              .samples = r->samples,
                              .idle = r->seen,
                              .movable = true};
    r->random = 1;
}

/* What others want of a PE, a tenth more or less. */
static double load_of(run_t *r, int pe, int interval)
{
    double past = (double)interval / INTERVALS;
    const double load[PES] = {1, 1, past < 0.5 ? 0 : 3 * past - 1.5, past < 0.5 ? 2 : 0.2};
    return load[pe] * (0.9 + 0.2 * xmpi_random_below(&r->random, 1000) / 1000.);
}

/* Rank RANK is where the plan has it. */
static void follow(run_t *r, const xmpi_plan_t *plan)
{
    for (int rank = 0; rank < plan->places; rank++) {
        if (plan->place[rank].origin != XMPI_TAKES_OVER)
            continue;
        for (int i = 0; i < PES; i++)
            if (r->pe[i].process == rank)
                r->pe[i].process = -1;
        r->pe[plan->place[rank].pe].process = rank;
        r->swaps++;
    }
}

/* OWN: what a process adds to the load that is measured where it is. */
static void pass(run_t *r, int number, double own)
{
    xmpi_step_t step;
    double slowest = 0;
    for (int i = 0; i < PES; i++) {
        double load = load_of(r, i, number), real = SECONDS * (1 + load);
        int rank = r->pe[i].process;
        r->seen[i] = (xmpi_idle_t){.share = 1 / (1 + load), .seconds = real};
        if (rank < 0)
            continue;
        r->samples[rank] = (xmpi_sample_t){.iterations = 10,
                                           .wall = real,
                                           .computation = SECONDS * (1 + load + own),
                                           .cpu = SECONDS,
                                           .work = WORK};
        slowest = fmax(slowest, real);
    }
    r->seconds += slowest;
    r->at.iteration += 10;
    xmpi_leader_step(&r->leader, &r->at, &step);
    assert_int_not_equal(step.outcome, XMPI_STEP_FAILED);
    follow(r, &step.plan);
    xmpi_step_free(&step);
}

static run_t run(xmpi_swap_preset_t preset, double own)
{
    static run_t r;
    run_make(&r, preset);
    for (int i = 0; i < INTERVALS; i++)
        pass(&r, i, own);
    xmpi_leader_free(&r.leader);
    return r;
}

/* Some forty in half an hour there. */
static void naive_processes_flee_from_themselves(void **state)
{
    (void)state;
    run_t r = run(XMPI_SWAP_GREEDY, 1);
    if (r.swaps < 40)
        fail_msg("%d swaps", r.swaps);
}

static void who_knows_his_own_load_goes_where_it_is_better(void **state)
{
    (void)state;
    for (xmpi_swap_preset_t preset = XMPI_SWAP_GREEDY; preset <= XMPI_SWAP_FRIENDLY; preset++) {
        run_t r = run(preset, 0);
        if (r.swaps < 2 || r.swaps > 5)
            fail_msg("preset %d: %d swaps", (int)preset, r.swaps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naive_processes_flee_from_themselves),
        cmocka_unit_test(who_knows_his_own_load_goes_where_it_is_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

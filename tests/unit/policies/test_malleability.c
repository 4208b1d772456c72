/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the performance-aware policies on a simulated cluster with the classes and costs of
 * thesis Table 6.4: the policy decides at the end of every interval, time goes by as the simulation
 * says, with noise, and with changes that take longer than predicted. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "decide/leader/leader.h"
#include "decide/planning/divide.h"
#include "libraries/glpk_library.h"

enum { CLASSES = 4, PES_MAX = 1000, INTERVALS = 25 };

static const double class_speed[CLASSES] = {1.90, 2.25, 2.90, 4.62};
static const double class_cost[CLASSES] = {0.095, 0.115, 0.204, 0.462};

/* The program and the machine. */
typedef struct {
    int64_t domain, iterations;
    double work_seconds; /* of an iteration on one PE of speed 1 */
    double latency;      /* seconds per iteration and doubling of members */
    double linear;       /* seconds per iteration and member */
    double reduced;      /* bytes of a reduction in each iteration, by MPICH's formula */
    double noise;        /* relative, uniform */
    double change_error; /* a change takes that many times what the calibration says */
    int pes;             /* of each class */
    int start;           /* members of each class */
} setup_t;

typedef struct {
    setup_t setup;
    xmpi_resources_t resources;
    xmpi_pe_t pe[PES_MAX];
    xmpi_layout_t layout;
    xmpi_member_t member[PES_MAX];
    xmpi_sample_t samples[PES_MAX];
    xmpi_moved_array_t array;
    xmpi_schedule_t schedule;
    xmpi_wishes_t wishes;
    xmpi_occasion_t at;
    xmpi_leader_t leader;
    xmpi_step_t step; /* the last one */
    int processes;
    uint64_t random;
    /* results */
    double seconds, cost;
    int most_members, changes;
} sim_t;

static double next_random(sim_t *s)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(s->random >> 11) / 9007199254740992.;
}

static double noisy(sim_t *s, double value)
{
    return value * (1 + s->setup.noise * (2 * next_random(s) - 1));
}

static void curve(sim_t *s, xmpi_curve_kind_t kind, double first, double eighth)
{
    s->leader.calibration.curve[kind] =
        (xmpi_curve_t){.points = 2, .point = {{1, first}, {8, eighth}}};
}

static void calibrate(sim_t *s)
{
    for (int i = 0; i < XMPI_LINKS; i++)
        s->leader.calibration.link[i] = (xmpi_link_t){5e-5, 1e-9, 1e-4, 1e-9, 65536};
    s->leader.calibration.gamma = 1e-10;
    curve(s, XMPI_CURVE_CONCURRENT, 0.3, 1.2);
    curve(s, XMPI_CURVE_REMOVE, 0.01, 0.08);
    curve(s, XMPI_CURVE_PARK, 0.01, 0.08);
    curve(s, XMPI_CURVE_WAKE, 0.01, 0.08);
    s->leader.calibration.agreement[XMPI_AGREE_JOINED] = (xmpi_agreement_t){0.01, 1};
    s->leader.calibration.agreement[XMPI_AGREE_LEFT] = (xmpi_agreement_t){0.01, 1};
    s->leader.calibration.agreement[XMPI_AGREE_REBALANCE] = (xmpi_agreement_t){0.01, 1};
    s->leader.calibration.classes = CLASSES;
    for (int c = 0; c < CLASSES; c++) {
        snprintf(s->leader.calibration.class_speed[c].name, XMPI_NAME_MAX, "C%d", c);
        s->leader.calibration.class_speed[c].speed = class_speed[c];
    }
}

static void place_members(sim_t *s)
{
    for (int i = 0; i < s->resources.pes; i++)
        if (i % s->setup.pes < s->setup.start) {
            s->pe[i].process = s->processes;
            s->member[s->layout.members++].process = s->processes++;
        }
    for (int i = 0; i < s->layout.members; i++) {
        int64_t begin = s->setup.domain * i / s->layout.members;
        int64_t end = s->setup.domain * (i + 1) / s->layout.members;
        s->member[i].block = (xmpi_block_t){end - begin, begin};
    }
}

static sim_t *sim_make(const setup_t *setup)
{
    xmpi_error_t error;
    sim_t *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->setup = *setup;
    s->random = 7;
    calibrate(s);
    s->resources = (xmpi_resources_t){.pes = CLASSES * setup->pes,
                                      .pe = s->pe,
                                      .classes = CLASSES,
                                      .max_members = CLASSES * setup->pes,
                                      .can_spawn = true,
                                      .anchor = 0};
    for (int i = 0; i < s->resources.pes; i++) {
        int c = i / setup->pes;
        s->pe[i] = (xmpi_pe_t){.class_index = c, .cost = class_cost[c], .process = -1};
        snprintf(s->pe[i].node, XMPI_NAME_MAX, "n%d", i / 4);
        snprintf(s->resources.class_name[c], XMPI_NAME_MAX, "C%d", c);
    }
    s->layout = (xmpi_layout_t){.domain = setup->domain, .member = s->member};
    place_members(s);
    s->resources.started = s->processes;
    s->array = (xmpi_moved_array_t){.rows = setup->domain, .row_bytes = 1000};
    s->wishes = (xmpi_wishes_t){.interval = setup->iterations / INTERVALS,
                                .imbalance = 0.05,
                                .interference = 0.05,
                                .window = 3,
                                .schedule = &s->schedule,
                                .creation = XMPI_CURVE_CONCURRENT,
                                .tolerance = 0.01};
    s->at = (xmpi_occasion_t){.wishes = &s->wishes,
                              .layout = &s->layout,
                              .resources = &s->resources,
                              .samples = s->samples,
                              .array = &s->array,
                              .glpk = xmpi_glpk(&error),
                              .bound = setup->iterations,
                              .now = 1000,
                              .started = 1000,
                              .loop_started = 1000};
    xmpi_leader_begin(&s->leader);
    return s;
}

static double speed_of(const sim_t *s, int rank)
{
    int pe = xmpi_resources_pe_of(&s->resources, s->member[rank].process);
    return class_speed[s->pe[pe].class_index];
}

static double communication(const sim_t *s)
{
    xmpi_mpi_call_t call = {
        .kind = XMPI_KIND_ALLREDUCE, .members = s->layout.members, .bytes = s->setup.reduced};
    double reduction =
        s->setup.reduced > 0
            ? xmpi_mpi_seconds(&call, &s->leader.calibration.link[XMPI_LINK_NETWORK], 0)
            : 0;
    return s->setup.latency * log2(s->layout.members) + s->setup.linear * s->layout.members +
           1.7 * reduction; /* which the model has to find out */
}

static double cost_per_hour(const sim_t *s)
{
    double sum = 0;
    for (int i = 0; i < s->layout.members; i++)
        sum += s->pe[xmpi_resources_pe_of(&s->resources, s->member[i].process)].cost;
    return sum;
}

static void pass(sim_t *s, double seconds)
{
    s->at.now += seconds;
    s->at.cost += cost_per_hour(s) * seconds / 3600;
}

/* N iterations of all members; what they see. */
static void iterate(sim_t *s, int64_t n)
{
    double slowest = 0, unit = s->setup.work_seconds / (double)s->setup.domain;
    for (int i = 0; i < s->layout.members; i++) {
        xmpi_sample_t *sample = &s->samples[i];
        *sample = (xmpi_sample_t){.iterations = n};
        sample->work = (double)n * (double)s->member[i].block.count;
        sample->computation = noisy(s, sample->work * unit / speed_of(s, i));
        sample->cpu = sample->computation;
        slowest = fmax(slowest, sample->computation);
    }
    int64_t bytes = s->setup.reduced > 0 ? (int64_t)s->setup.reduced : 8;
    double wall = slowest + (double)n * communication(s);
    for (int i = 0; i < s->layout.members; i++) {
        xmpi_sample_t *sample = &s->samples[i];
        sample->wall = wall;
        sample->observed_kinds = 1;
        sample->observed[0] = (xmpi_observed_t){.kind = XMPI_KIND_ALLREDUCE,
                                                .members = s->layout.members,
                                                .calls = n,
                                                .bytes = bytes * n,
                                                .seconds = wall - sample->computation};
    }
    pass(s, wall);
    s->at.interval_start = s->at.iteration;
    s->at.iteration += n;
}

static void follow(sim_t *s, const xmpi_plan_t *plan)
{
    static xmpi_member_t next[PES_MAX];
    bool stays[PES_MAX] = {false};
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin == XMPI_STAYS)
            stays[plan->place[i].from] = true;
    for (int i = 0; i < s->layout.members; i++)
        if (!stays[i])
            s->pe[xmpi_resources_pe_of(&s->resources, s->member[i].process)].process = -1;
    for (int i = 0; i < plan->places; i++) {
        const xmpi_place_t *place = &plan->place[i];
        next[i].block = place->block;
        if (place->origin == XMPI_STAYS) {
            next[i].process = s->member[place->from].process;
        } else {
            next[i].process = s->processes++;
            s->pe[place->pe].process = next[i].process;
        }
    }
    s->changes += plan->places != s->layout.members;
    s->layout.members = plan->places;
    memcpy(s->member, next, (size_t)plan->places * sizeof *next);
    if (s->layout.members > s->most_members)
        s->most_members = s->layout.members;
}

/* The end of an interval: the decision, and what it comes to. */
static void decide(sim_t *s, const xmpi_policy_t *policy)
{
    xmpi_step_free(&s->step);
    s->at.policy = policy;
    xmpi_leader_step(&s->leader, &s->at, &s->step);
    if (s->step.outcome == XMPI_STEP_FAILED && s->at.glpk == NULL)
        skip(); /* make GLPK=no */
    if (s->step.outcome == XMPI_STEP_FAILED)
        fail_msg("%s", s->step.error.text);
    assert_true(s->step.decision.chosen < 0 || s->step.decision.reason[0] != '\0');
    if (s->step.outcome == XMPI_STEP_CHANGES) {
        const xmpi_prediction_t *change = &s->step.predicted;
        double processes = s->setup.change_error * change->process;
        double redistribution = s->setup.change_error * change->redistribution;
        pass(s, processes + redistribution);
        follow(s, &s->step.plan);
        xmpi_leader_changed(&s->leader, change, processes, redistribution);
    }
}

static void sim_free(sim_t *s)
{
    xmpi_step_free(&s->step);
    xmpi_leader_free(&s->leader);
    free(s);
}

static void run(sim_t *s, const xmpi_policy_t *policy)
{
    s->most_members = s->layout.members;
    while (s->at.iteration < s->setup.iterations) {
        int64_t left = s->setup.iterations - s->at.iteration;
        int64_t interval = s->setup.iterations / INTERVALS;
        iterate(s, left < interval ? left : interval);
        if (s->at.iteration < s->setup.iterations)
            decide(s, policy);
    }
    s->seconds = s->at.now - s->at.loop_started;
    s->cost = s->at.cost;
}

/* Jacobi of class B and C, CG, and something small, like the cases of Table 6.9. */
static const setup_t cases[] = {
    {20000, 2500, 8, 5e-4, 0, 0, 0.003, 1.3, 20, 2},
    {30000, 2500, 20, 5e-4, 0, 0, 0.003, 1.3, 20, 2},
    {30000, 2500, 20, 5e-4, 0, 0, 0.003, 1.3, 20, 6},
    {18000, 5000, 1, 1e-3, 1e-4, 0, 0.003, 0.7, 20, 1},
    {72000, 5000, 4, 1e-3, 1e-4, 0, 0.003, 1.3, 20, 2},
    {1000, 3000, 1, 2e-4, 0, 0, 0.01, 2, 10, 2},
};

static double static_seconds(const setup_t *setup)
{
    sim_t *s = sim_make(setup);
    run(s, &xmpi_policy_balance);
    double seconds = s->seconds;
    sim_free(s);
    return seconds;
}

static sim_t *run_amp(const setup_t *setup, double share, xmpi_constraint_t constraint)
{
    sim_t *s = sim_make(setup);
    s->wishes.goal = (xmpi_goal_t){XMPI_GOAL_SAVE, share};
    s->wishes.constraint = constraint;
    run(s, &xmpi_policy_amp);
    return s;
}

/* Table 6.9 and Figs 6.22-6.24. */
static void amp_meets_its_goals(void **unused)
{
    (void)unused;
    double sum = 0, worst = 0;
    int n = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double all = static_seconds(&cases[i]);
        for (int percent = 25; percent <= 35; percent += 5) {
            double goal = all * (1 - percent / 100.);
            sim_t *few = run_amp(&cases[i], percent / 100., XMPI_CONSTRAINT_EFFICIENCY);
            sim_t *cheap = run_amp(&cases[i], percent / 100., XMPI_CONSTRAINT_COST);
            double errors[] = {fabs(few->seconds / goal - 1), fabs(cheap->seconds / goal - 1)};
            for (int k = 0; k < 2; k++) {
                sum += errors[k];
                worst = fmax(worst, errors[k]);
                n++;
            }
            if (getenv("SHOW") != NULL)
                printf("case %zu -%d%%: %.4g goal %.4g: %.2f%% %d members %d changes cost %.4g; "
                       "%.2f%% %d members %d changes cost %.4g\n",
                       i, percent, few->seconds, goal, 100 * (few->seconds / goal - 1),
                       few->most_members, few->changes, few->cost,
                       100 * (cheap->seconds / goal - 1), cheap->most_members, cheap->changes,
                       cheap->cost);
            assert_true(cheap->cost <= few->cost * 1.0001);
            assert_true(cheap->most_members >= few->most_members);
            assert_false(few->leader.policy.unreachable || cheap->leader.policy.unreachable);
            sim_free(few);
            sim_free(cheap);
        }
    }
    if (worst > 0.025 || sum / n > 0.012)
        fail_msg("worst %.2f %%, mean %.2f %%", 100 * worst, 100 * sum / n);
}

/* --- hpmp ---------------------------------------------------------------------------------------
 */

/* Seconds of an iteration with N members, the strongest that there are. */
static double sweep(sim_t *s, int n)
{
    double power = 0;
    int left = n - CLASSES * s->setup.start, members = s->layout.members;
    for (int c = CLASSES - 1; c >= 0; c--) {
        int more = s->setup.pes - s->setup.start;
        more = more < left ? more : left;
        power += (s->setup.start + more) * class_speed[c];
        left -= more;
    }
    s->layout.members = n;
    double seconds = s->setup.work_seconds / power + communication(s);
    s->layout.members = members;
    return seconds;
}

static int best_of_sweep(sim_t *s)
{
    int best = CLASSES * s->setup.start;
    for (int n = best; n <= s->resources.max_members; n++)
        if (sweep(s, n) < sweep(s, best))
            best = n;
    return best;
}

static void hpmp_ends_at_the_best_of_a_sweep(void **unused)
{
    (void)unused;
    static const double reduced[] = {1000, 20000, 1e5, 1e6, 1e7};
    int least = PES_MAX, most = 0;
    for (int work = 1; work <= 100; work *= 10)
        for (size_t i = 0; i < sizeof reduced / sizeof *reduced; i++) {
            setup_t setup = {20000, 1000000, 0.02 * work, 0, 0, reduced[i], 0.003, 1.3, 10, 1};
            sim_t *s = sim_make(&setup);
            int best = best_of_sweep(s);
            run(s, &xmpi_policy_hpmp);
            if (getenv("SHOW") != NULL)
                printf("work %d, %g bytes: %d of a sweep %d, %.3g %% slower\n", work, reduced[i],
                       s->layout.members, best,
                       100 * (sweep(s, s->layout.members) / sweep(s, best) - 1));
            if (abs(s->layout.members - best) > 1)
                fail_msg("work %d, %g bytes: %d members, the best are %d", work, reduced[i],
                         s->layout.members, best);
            least = best < least ? best : least;
            most = best > most ? best : most;
            sim_free(s);
        }
    assert_true(least < 8 && most > 30); /* otherwise this says nothing */
}

static void hpmp_grows_only_when_it_pays(void **unused)
{
    (void)unused;
    setup_t setup = {20000, 200, 0.02, 0, 0, 1000, 0.003, 1, 10, 1};
    sim_t *s = sim_make(&setup);
    run(s, &xmpi_policy_hpmp); /* half a second: new processes take longer than they save */
    assert_int_equal(s->layout.members, 4);
    assert_true(s->step.decision.alternatives > 30 && s->step.decision.chosen == 0);
    assert_non_null(strstr(s->step.decision.reason, "more members do not pay"));
    sim_free(s);
    setup.iterations = 100000;
    s = sim_make(&setup);
    s->leader.policy.may_grow_from = INT64_MAX; /* processes could not be had just now */
    run(s, &xmpi_policy_hpmp);
    assert_int_equal(s->layout.members, 4);
    sim_free(s);
}

/* --- more of amp -----------------------------------------------------------------------------
 */

static void amp_keeps_a_time_and_a_deadline(void **unused)
{
    (void)unused;
    for (int deadline = 0; deadline < 2; deadline++) {
        sim_t *s = sim_make(&cases[0]);
        s->at.started = 990; /* the loop begins 10 s later */
        s->wishes.goal = deadline ? (xmpi_goal_t){XMPI_GOAL_DEADLINE, 1490}
                                  : (xmpi_goal_t){XMPI_GOAL_SECONDS, 500};
        run(s, &xmpi_policy_amp);
        assert_true(fabs(s->seconds - 490) < 0.025 * 490);
        sim_free(s);
    }
}

static void amp_gives_back_what_it_does_not_need(void **unused)
{
    (void)unused;
    setup_t setup = cases[0];
    setup.start = 4;
    for (int constraint = 0; constraint < 2; constraint++) {
        sim_t *s = sim_make(&setup);
        s->wishes.goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, 900};
        s->wishes.constraint = (xmpi_constraint_t)constraint;
        run(s, &xmpi_policy_amp);
        assert_true(fabs(s->seconds - 900) < 0.025 * 900);
        assert_true(s->layout.members < 10);
        sim_free(s);
    }
}

static void amp_says_what_cannot_be_reached(void **unused)
{
    (void)unused;
    sim_t *s = sim_make(&cases[0]);
    s->at.started = 990; /* seconds are told as they were asked for */
    s->wishes.goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, 50};
    iterate(s, 100);
    decide(s, &xmpi_policy_amp);
    assert_true(s->leader.policy.unreachable);
    assert_non_null(
        strstr(s->step.decision.unreachable, "the goal of 50 s cannot be reached; the best"));
    assert_true(s->layout.members > 60); /* as fast as it can be */
    assert_false(s->step.decision.alternative[s->step.decision.chosen].feasible);
    decide(s, &xmpi_policy_amp);
    assert_int_equal(s->step.decision.unreachable[0], '\0'); /* once is enough */
    sim_free(s);
    s = sim_make(&cases[0]);
    s->wishes.goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, 700};
    s->resources.max_members = 8; /* there is no room to grow: the strong instead of the weak */
    run(s, &xmpi_policy_amp);
    assert_false(s->leader.policy.unreachable);
    assert_int_equal(s->most_members, 8);
    assert_true(fabs(s->seconds - 700) < 0.025 * 700);
    sim_free(s);
}

/* Rows are whole: with 240 of them, plans take longer than the powers of their members say, each of
 * those that are tried. There are members enough all the same, and no more than enough are taken.
 */
static void amp_takes_no_more_than_enough(void **unused)
{
    (void)unused;
    setup_t setup = cases[0];
    setup.domain = 240;
    setup.noise = 0;
    sim_t *s = sim_make(&setup);
    s->wishes.goal = (xmpi_goal_t){XMPI_GOAL_SAVE, 0.25};
    iterate(s, 100);
    decide(s, &xmpi_policy_amp);
    const xmpi_alternative_t *chosen = &s->step.decision.alternative[s->step.decision.chosen];
    assert_false(s->leader.policy.unreachable);
    assert_false(chosen->feasible); /* by what its plan takes: no plan was good enough */
    assert_string_equal(chosen->label, "+3 C3");
    assert_int_equal(s->layout.members, 11);
    sim_free(s);
}

static void amp_leaves_the_data_in_memory(void **unused)
{
    (void)unused;
    setup_t setup = cases[0];
    setup.start = 4;
    sim_t *s = sim_make(&setup);
    s->wishes.goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, 100000};
    s->at.arrays = 1;
    s->wishes.memory = (double)setup.domain * 1000 / 5.5; /* six hold them */
    run(s, &xmpi_policy_amp);
    assert_int_equal(s->layout.members, 6);
    sim_free(s);
}

static void members_are_as_many_as_hold_the_data(void **unused)
{
    (void)unused;
    xmpi_moved_array_t array[] = {
        {.scheme = XMPI_SCHEME_DISTRIBUTED, .rows = 1000, .row_bytes = 1000},
        {.scheme = XMPI_SCHEME_OWNED, .rows = 1000, .row_bytes = 40}};
    double whole[] = {20000, 40000};
    xmpi_predictor_t predictor = {.divided = 2, .array = array, .replicated = 2, .whole = whole};
    assert_int_equal(xmpi_policy_least_members(&predictor, 300000), 5);
    assert_int_equal(xmpi_policy_least_members(&predictor, 299999), 6);
    assert_int_equal(xmpi_policy_least_members(&predictor, 1e9), 1);
    assert_int_equal(xmpi_policy_least_members(&predictor, 0), 1);     /* not known */
    assert_int_equal(xmpi_policy_least_members(&predictor, 90000), 1); /* nothing helps */
}

/* Noise of as much as the tolerance: the members are not changed over and over. */
static void amp_does_not_oscillate(void **unused)
{
    (void)unused;
    setup_t setup = cases[1];
    setup.noise = 0.02;
    sim_t *s = run_amp(&setup, 0.3, XMPI_CONSTRAINT_EFFICIENCY);
    assert_true(s->changes <= 4);
    sim_free(s);
}

static void decisions_are_explained(void **unused)
{
    (void)unused;
    sim_t *s = sim_make(&cases[0]);
    s->wishes.goal = (xmpi_goal_t){XMPI_GOAL_SAVE, 0.3};
    iterate(s, 100);
    decide(s, &xmpi_policy_amp);
    const xmpi_decision_t *d = &s->step.decision;
    assert_in_range(d->alternatives, 2, XMPI_ALTERNATIVES_MAX);
    assert_in_range(d->chosen, 1, d->alternatives - 1);
    const xmpi_alternative_t *chosen = &d->alternative[d->chosen], *stay = &d->alternative[0];
    assert_string_equal(stay->label, "as it is");
    assert_true(!stay->feasible && chosen->feasible);
    assert_int_equal(chosen->members, s->layout.members);
    assert_true(chosen->seconds < stay->seconds && chosen->reconfiguration > 0);
    assert_true(chosen->cost > 0 && stay->cost > 0);
    assert_non_null(strstr(chosen->label, "C3"));
    assert_non_null(strstr(d->reason, "amp: late"));
    sim_free(s);
}

static void without_what_it_needs_amp_balances(void **unused)
{
    (void)unused;
    sim_t *s = sim_make(&cases[0]);
    s->wishes.goal = (xmpi_goal_t){XMPI_GOAL_SAVE, 0.3};
    iterate(s, 100);
    s->at.bound = 0; /* nobody knows when the loop ends */
    decide(s, &xmpi_policy_amp);
    assert_int_equal(s->layout.members, 8);
    assert_true(s->member[7].block.count > 2 * s->member[0].block.count); /* balanced */
    sim_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amp_meets_its_goals),
        cmocka_unit_test(hpmp_ends_at_the_best_of_a_sweep),
        cmocka_unit_test(hpmp_grows_only_when_it_pays),
        cmocka_unit_test(amp_keeps_a_time_and_a_deadline),
        cmocka_unit_test(amp_gives_back_what_it_does_not_need),
        cmocka_unit_test(amp_says_what_cannot_be_reached),
        cmocka_unit_test(amp_takes_no_more_than_enough),
        cmocka_unit_test(amp_leaves_the_data_in_memory),
        cmocka_unit_test(members_are_as_many_as_hold_the_data),
        cmocka_unit_test(amp_does_not_oscillate),
        cmocka_unit_test(decisions_are_explained),
        cmocka_unit_test(without_what_it_needs_amp_balances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

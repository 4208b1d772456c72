/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how long a step of the leader takes: of the policies that compare numbers of members on
 * 1,000 PEs in 8 classes, from a few members and from many, growing and shrinking, where the figure
 * is the longest median; and on 10,000 PEs, of every policy, what comes before and behind the step
 * (a new list of nodes, the comparison of layouts) included. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdbool.h>

#include "act/members/change.h"
#include "bench/measure.h"
#include "decide/policies/catalogue.h"
#include "decide/scheduler/availability.h"
#include "decide/leader/leader.h"
#include "libraries/glpk_library.h"

enum { PES_MAX = 10000, CLASSES = 8, ROUNDS = 21 };

/* Half of the PEs have members, and the loop has gone on for a while. */
typedef struct {
    xmpi_pe_t pe[PES_MAX];
    xmpi_resources_t resources;
    xmpi_member_t member[PES_MAX];
    xmpi_layout_t layout;
    xmpi_sample_t samples[PES_MAX];
    xmpi_moved_array_t array;
    xmpi_schedule_t schedule;
    xmpi_wishes_t wishes;
    xmpi_occasion_t at;
    xmpi_leader_t leader;
    int pes;
} scene_t;

static scene_t scene;

static void place(int members)
{
    scene_t *s = &scene;
    for (int i = 0; i < s->pes; i++) {
        s->pe[i] = (xmpi_pe_t){.class_index = i % CLASSES, .process = -1};
        s->pe[i].cost = 0.05 + 0.04 * (i % CLASSES) * (i % CLASSES);
        snprintf(s->pe[i].node, XMPI_NAME_MAX, "node%d", i % CLASSES + CLASSES * (i / 64));
    }
    for (int i = 0; i < members; i++) {
        int64_t begin = s->layout.domain * i / members;
        /* Rows are alike: what a quicker class has of them takes less time. */
        double seconds = (10 + 0.01 * (i % 7)) / (1 + 0.4 * (i % CLASSES));
        s->pe[i].process = i;
        s->member[i] = (xmpi_member_t){i, {s->layout.domain * (i + 1) / members - begin, begin}};
        s->samples[i] = (xmpi_sample_t){.iterations = 100,
                                        .wall = 12,
                                        .computation = seconds,
                                        .cpu = seconds,
                                        .work = 1e6,
                                        .observed_kinds = 1};
        s->samples[i].observed[0] = (xmpi_observed_t){.kind = XMPI_KIND_ALLREDUCE,
                                                      .members = members,
                                                      .calls = 100,
                                                      .bytes = 800,
                                                      .seconds = 2};
    }
    s->layout.members = members;
}

static void prepare(int pes, int members)
{
    scene_t *s = &scene;
    xmpi_error_t error;
    xmpi_leader_free(&s->leader);
    memset(s, 0, sizeof *s);
    s->pes = pes;
    s->resources = (xmpi_resources_t){
        .pes = pes, .pe = s->pe, .classes = CLASSES, .max_members = pes, .can_spawn = true};
    for (int c = 0; c < CLASSES; c++)
        snprintf(s->resources.class_name[c], XMPI_NAME_MAX, "class%d", c);
    s->layout = (xmpi_layout_t){.domain = 1000000, .member = s->member};
    place(members);
    s->resources.started = 8;
    s->array = (xmpi_moved_array_t){.row_bytes = 8000, .rows = s->layout.domain};
    s->wishes = (xmpi_wishes_t){.interval = 100,
                                .imbalance = 0.05,
                                .interference = 0.05,
                                .window = 3,
                                .schedule = &s->schedule,
                                .tolerance = 0.01,
                                .creation = XMPI_CURVE_CONCURRENT};
    s->at = (xmpi_occasion_t){.wishes = &s->wishes,
                              .layout = &s->layout,
                              .resources = &s->resources,
                              .samples = s->samples,
                              .arrays = 1,
                              .array = &s->array,
                              .glpk = xmpi_glpk(&error),
                              .iteration = 100,
                              .bound = 100100,
                              .now = 1012,
                              .started = 1000,
                              .loop_started = 1000};
    xmpi_calibration_assume(&s->leader.calibration);
}

/* A decision is computation alone: of how long others have the CPU it says nothing. */
static double cpu_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double memory_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}

static double most_in_use; /* bytes, with what a step has given */

/* CPU seconds of one step; whether the members change. */
static double decide_once(const xmpi_policy_t *policy, bool *changes)
{
    xmpi_step_t step;
    scene.at.policy = policy;
    double start = cpu_clock();
    xmpi_leader_begin(&scene.leader);
    xmpi_leader_step(&scene.leader, &scene.at, &step);
    double seconds = cpu_clock() - start;
    if (step.outcome == XMPI_STEP_FAILED)
        measure_fail("%s", step.error.text);
    *changes = step.outcome == XMPI_STEP_CHANGES &&
               (scene.at.movable || step.plan.places != scene.layout.members ||
                xmpi_plan_joiners(&step.plan) > 0);
    most_in_use = fmax(most_in_use, memory_in_use());
    xmpi_step_free(&step);
    return seconds;
}

/* Milliseconds; WANTED: the members have to change, or it was another decision. */
static double decide_often(const char *name, const xmpi_policy_t *policy, bool wanted)
{
    series_t series = {0};
    bool changes = false;
    for (int i = 0; i < ROUNDS; i++)
        series_add(&series, 1e3 * decide_once(policy, &changes));
    double median = series_median(&series);
    if (wanted && !changes)
        measure_fail("%s: no change of members was decided on", name);
    measure_figure(name, median, "ms");
    series_free(&series);
    return median;
}

static double amp(const char *name, int pes, int members, double goal, xmpi_constraint_t constraint)
{
    prepare(pes, members);
    scene.wishes.goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, goal};
    scene.wishes.constraint = constraint;
    return decide_often(name, &xmpi_policy_amp, true);
}

static void thousand(void)
{
    double most = 0;
    prepare(1000, 8);
    most = fmax(most, decide_often("decision.1000.hpmp.ms", &xmpi_policy_hpmp, true));
    most = fmax(most, amp("decision.1000.amp.grow.ms", 1000, 8, 1000, XMPI_CONSTRAINT_EFFICIENCY));
    most = fmax(most, amp("decision.1000.amp.grow_cost.ms", 1000, 8, 1000, XMPI_CONSTRAINT_COST));
    most = fmax(most, amp("decision.1000.amp.half_cost.ms", 1000, 500, 9000, XMPI_CONSTRAINT_COST));
    most = fmax(most,
                amp("decision.1000.amp.shrink_cost.ms", 1000, 1000, 20000, XMPI_CONSTRAINT_COST));
    most =
        fmax(most, amp("decision.1000.amp.out_of_reach.ms", 1000, 500, 100, XMPI_CONSTRAINT_COST));
    measure_figure("decision.1000.ms", most, "ms");
}

/* The other half of the PEs joins or is withdrawn: milliseconds to follow the list. */
static double follow_list(void)
{
    series_t series = {0};
    for (int i = 0; i < ROUNDS; i++) {
        xmpi_resources_t own = scene.resources, now = scene.resources;
        xmpi_availability_t change;
        xmpi_error_t error = {""};
        own.pe = malloc((size_t)scene.pes * sizeof *own.pe);
        memcpy(own.pe, scene.pe, (size_t)scene.pes * sizeof *own.pe);
        now.pes = i % 2 ? scene.pes : scene.pes / 2;
        double start = cpu_clock();
        if (xmpi_availability_follow(&own, &now, 0, &change, &error) != XMPI_OK)
            measure_fail("%s", error.text);
        series_add(&series, 1e3 * (cpu_clock() - start));
        free(own.pe);
    }
    double median = series_median(&series);
    measure_figure("leader.10000.follow.ms", median, "ms");
    series_free(&series);
    return median;
}

/* Milliseconds to compare the layout with one in which all members are others. */
static double compare_layouts(void)
{
    static xmpi_member_t other[PES_MAX];
    series_t series = {0};
    xmpi_layout_t next = scene.layout;
    next.member = other;
    for (int i = 0; i < next.members; i++)
        other[i] = (xmpi_member_t){i + next.members / 2, scene.member[i].block};
    for (int i = 0; i < ROUNDS; i++) {
        xmpi_change_t change;
        double start = cpu_clock();
        if (xmpi_change_make(&scene.layout, &next, &change) != XMPI_OK)
            measure_fail("no memory");
        series_add(&series, 1e3 * (cpu_clock() - start));
        xmpi_change_free(&change);
    }
    double median = series_median(&series);
    measure_figure("leader.10000.change.ms", median, "ms");
    series_free(&series);
    return median;
}

/* A movable loop with two ranks for each processing element of half of the nodes, some of which
 * have more to do than others; or (SINGLE) nodes of one element. */
static void crowd(bool single)
{
    scene_t *s = &scene;
    prepare(PES_MAX, PES_MAX / 2);
    s->at.movable = true;
    for (int i = 0; i < s->pes; i++) {
        s->pe[i].shared = (single ? i : i / CLASSES) % 2;
        if (single)
            snprintf(s->pe[i].node, XMPI_NAME_MAX, "node%d", i / 2);
    }
    for (int i = 0; i < s->layout.members; i++)
        s->samples[i].cpu = 10 * (1 + i / 64 % 9 + 0.01 * (i % 7));
}

/* What policies make of loops whose blocks are not theirs. */
static double other_loops(void)
{
    double most = 0;
    char name[64];
    for (int i = 0; xmpi_policy_at(i) != NULL; i++) {
        const xmpi_policy_t *policy = xmpi_policy_at(i);
        if (policy->move != NULL) {
            bool spreads = policy == &xmpi_policy_spread;
            snprintf(name, sizeof name, "leader.10000.%s%s.ms", policy->name,
                     spreads ? "" : ".movable");
            crowd(false);
            most = fmax(most, decide_often(name, policy, spreads));
            snprintf(name, sizeof name, "leader.10000.%s.nodes_of_one.ms", policy->name);
            crowd(true);
            most = fmax(most, decide_often(name, policy, spreads));
        }
        if ((policy->needs & XMPI_OF_BLOCKS) == 0) {
            snprintf(name, sizeof name, "leader.10000.%s.sizes.ms", policy->name);
            prepare(PES_MAX, PES_MAX / 2);
            scene.at.sizes = true;
            scene.wishes.goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, 9000};
            scene.wishes.constraint = XMPI_CONSTRAINT_COST;
            most = fmax(most, decide_often(name, policy, false));
        }
    }
    return most;
}

/* A third of the members need half as long again, which idle PEs would not: they have been seen.
 * No payback is short enough in the end, so that all sets of swaps are priced. */
static double swap(void)
{
    bool changes;
    for (int i = 0; i < scene.layout.members; i += 3)
        scene.samples[i].computation = scene.samples[i].cpu = 15 + 0.01 * (i % 101);
    scene.wishes.swap = (xmpi_swap_terms_t){.payback = INFINITY};
    decide_once(&xmpi_policy_swap, &changes);
    for (int i = scene.layout.members; i < scene.pes; i++)
        scene.leader.history.speed[i] =
            (xmpi_speed_t){.speed = 1e5 * (1 + 0.4 * (i % CLASSES)), .error = 1e-4};
    double most = decide_often("leader.10000.swap.ms", &xmpi_policy_swap, true);
    scene.wishes.swap.payback = 1e-9;
    return fmax(most, decide_often("leader.10000.swap_refused.ms", &xmpi_policy_swap, false));
}

static void ten_thousand(void)
{
    double most = 0;
    prepare(10000, 5000);
    most = fmax(most, follow_list());
    most = fmax(most, compare_layouts());
    most = fmax(most, decide_often("leader.10000.balance.ms", &xmpi_policy_balance, false));
    most = fmax(most, decide_often("leader.10000.smp.ms", &xmpi_policy_smp, true));
    most = fmax(most, decide_often("leader.10000.hpmp.ms", &xmpi_policy_hpmp, false));
    most = fmax(most, decide_often("leader.10000.random.ms", &xmpi_policy_random, false));
    most = fmax(most, amp("leader.10000.amp.ms", 10000, 5000, 9000, XMPI_CONSTRAINT_COST));
    most = fmax(most, other_loops());
    prepare(10000, 5000);
    most = fmax(most, swap());
    measure_figure("leader.10000.ms", most, "ms");
}

/* Bytes that the leader has for PES, half of them with members, when it has decided. */
static double memory_of(int pes)
{
    const xmpi_policy_t *const policy[] = {&xmpi_policy_balance, &xmpi_policy_smp,
                                           &xmpi_policy_hpmp};
    bool changes;
    xmpi_leader_free(&scene.leader);
    memset(&scene, 0, sizeof scene);
    double before = memory_in_use();
    most_in_use = before;
    prepare(pes, pes / 2);
    for (size_t i = 0; i < sizeof policy / sizeof policy[0]; i++)
        decide_once(policy[i], &changes);
    return most_in_use - before;
}

static void memory(void)
{
    double half = memory_of(PES_MAX / 2), all = memory_of(PES_MAX);
    measure_figure("leader.10000.bytes_per_pe", all / PES_MAX, "B");
    measure_figure("leader.10000.bytes_over_half", all / half, "ratio");
}

int main(void)
{
    thousand();
    ten_thousand();
    memory();
    return 0;
}

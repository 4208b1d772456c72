/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how long a decision takes on 1,000 PEs in 8 classes: of the policies that compare
 * numbers of members, from a few members and from many, growing and shrinking. The figure is the
 * longest median. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "bench/measure.h"
#include "decide/policy.h"

enum { PES = 1000, CLASSES = 8, ROUNDS = 21 };

/* Half of the PEs have members, and the loop has gone on for a while. */
typedef struct {
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_member_t member[PES];
    xmpi_layout_t layout;
    xmpi_sample_t samples[PES];
    xmpi_calibration_t calibration;
    xmpi_model_t model;
    xmpi_moved_array_t array;
    xmpi_schedule_t schedule;
    xmpi_policy_state_t state;
    xmpi_decision_t decision;
    xmpi_view_t view;
} scene_t;

static scene_t scene;

static void place(int members)
{
    scene_t *s = &scene;
    for (int i = 0; i < PES; i++) {
        s->pe[i] = (xmpi_pe_t){.class_index = i % CLASSES, .process = -1};
        s->pe[i].cost = 0.05 + 0.04 * (i % CLASSES) * (i % CLASSES);
        snprintf(s->pe[i].node, XMPI_NAME_MAX, "node%d", i % CLASSES + CLASSES * (i / 64));
    }
    for (int i = 0; i < members; i++) {
        int64_t begin = s->layout.domain * i / members;
        s->pe[i].process = i;
        s->member[i] = (xmpi_member_t){i, {s->layout.domain * (i + 1) / members - begin, begin}};
        s->samples[i] = (xmpi_sample_t){.iterations = 100,
                                        .wall = 12,
                                        .computation = 10 + 0.01 * (i % 7),
                                        .work = 1e6 * (1 + 0.4 * (i % CLASSES)),
                                        .observed_kinds = 1};
        s->samples[i].observed[0] = (xmpi_observed_t){.kind = XMPI_KIND_ALLREDUCE,
                                                      .members = members,
                                                      .calls = 100,
                                                      .bytes = 800,
                                                      .seconds = 2};
    }
    s->layout.members = members;
}

static void prepare(int members)
{
    scene_t *s = &scene;
    memset(s, 0, sizeof *s);
    s->resources = (xmpi_resources_t){
        .pes = PES, .pe = s->pe, .classes = CLASSES, .max_members = PES, .can_spawn = true};
    for (int c = 0; c < CLASSES; c++)
        snprintf(s->resources.class_name[c], XMPI_NAME_MAX, "class%d", c);
    s->layout = (xmpi_layout_t){.domain = 1000000, .member = s->member};
    place(members);
    s->resources.started = 8;
    s->array = (xmpi_moved_array_t){.row_bytes = 8000, .rows = s->layout.domain};
    xmpi_calibration_assume(&s->calibration);
    s->view = (xmpi_view_t){.layout = &s->layout,
                            .resources = &s->resources,
                            .samples = s->samples,
                            .iteration = 100,
                            .remaining = 100000,
                            .imbalance_threshold = 0.05,
                            .schedule = &s->schedule,
                            .may_grow = true,
                            .now = 1012,
                            .started = 1000,
                            .loop_started = 1000,
                            .tolerance = 0.01,
                            .state = &s->state,
                            .decision = &s->decision};
}

/* A decision is computation alone: of how long others have the CPU it says nothing. */
static double cpu_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU seconds of one decision, the predictor included; whether the members change. */
static double decide_once(const xmpi_policy_t *policy, bool *changes)
{
    xmpi_predictor_t predictor;
    xmpi_plan_t plan;
    xmpi_error_t error = {""};
    xmpi_situation_t at = {.layout = &scene.layout,
                           .resources = &scene.resources,
                           .samples = scene.samples,
                           .calibration = &scene.calibration,
                           .model = &scene.model,
                           .arrays = 1,
                           .array = &scene.array,
                           .iteration = 100,
                           .creation = XMPI_CURVE_CONCURRENT};
    double start = cpu_clock();
    memset(&scene.state, 0, sizeof scene.state);
    memset(&scene.decision, 0, sizeof scene.decision);
    if (xmpi_predictor_make(&predictor, &at, &error) != XMPI_OK)
        measure_fail("%s", error.text);
    scene.view.predictor = &predictor;
    if (xmpi_policy_decide(policy, &scene.view, &plan, &error) != XMPI_OK)
        measure_fail("%s", error.text);
    xmpi_predictor_free(&predictor);
    double seconds = cpu_clock() - start;
    *changes = plan.places > 0 && plan.places != scene.layout.members;
    xmpi_plan_free(&plan);
    return seconds;
}

/* Milliseconds; WANTED: the members have to change, or it was another decision. */
static double decide_often(const char *name, const xmpi_policy_t *policy)
{
    series_t series = {0};
    bool changes = false;
    for (int i = 0; i < ROUNDS; i++)
        series_add(&series, 1e3 * decide_once(policy, &changes));
    double median = series_median(&series);
    if (!changes)
        measure_fail("%s: no change of members was decided on", name);
    measure_figure(name, median, "ms");
    series_free(&series);
    return median;
}

static double amp(const char *name, int members, double goal, xmpi_constraint_t constraint)
{
    prepare(members);
    scene.view.goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, goal};
    scene.view.constraint = constraint;
    return decide_often(name, &xmpi_policy_amp);
}

int main(void)
{
    double most = 0;
    prepare(8);
    most = fmax(most, decide_often("decision.1000.hpmp.ms", &xmpi_policy_hpmp));
    most = fmax(most, amp("decision.1000.amp.grow.ms", 8, 1000, XMPI_CONSTRAINT_EFFICIENCY));
    most = fmax(most, amp("decision.1000.amp.grow_cost.ms", 8, 1000, XMPI_CONSTRAINT_COST));
    most = fmax(most, amp("decision.1000.amp.half_cost.ms", 500, 9000, XMPI_CONSTRAINT_COST));
    most = fmax(most, amp("decision.1000.amp.shrink_cost.ms", 1000, 20000, XMPI_CONSTRAINT_COST));
    most = fmax(most, amp("decision.1000.amp.out_of_reach.ms", 500, 100, XMPI_CONSTRAINT_COST));
    measure_figure("decision.1000.ms", most, "ms");
    return 0;
}

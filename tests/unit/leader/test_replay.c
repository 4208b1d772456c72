/* SPDX-License-Identifier: BSD-3-Clause
 * A recorded trace through the leader: what the members saw in a real run (jacobi on four unequal
 * processing elements, which other work disturbed; tests/unit/leader/balanced.trace) must lead to the
 * plans that were made then, in the same intervals, and to the same reasons where there was none.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "decide/leader/leader.h"
#include "decide/policies/catalogue.h"
#include "support/command.h"

enum { MEMBERS = 4, LINE_MAX_LENGTH = 1 << 16 };

/* The run as it is being told again. */
typedef struct {
    xmpi_member_t member[MEMBERS];
    xmpi_layout_t layout;
    xmpi_pe_t pe[MEMBERS];
    xmpi_resources_t resources;
    xmpi_sample_t samples[MEMBERS];
    xmpi_moved_array_t array; /* the rows of the matrix */
    xmpi_schedule_t schedule;
    xmpi_wishes_t wishes;
    xmpi_occasion_t at;
    xmpi_leader_t leader;
    xmpi_step_t step; /* of the last interval */
    int intervals, plans;
} replay_t;

static double number(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItem(object, name);
    if (!cJSON_IsNumber(found))
        fail_msg("no number %s", name);
    return found->valuedouble;
}

static const char *words(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItem(object, name);
    return cJSON_IsString(found) ? found->valuestring : "";
}

static void begin(replay_t *r, const cJSON *event)
{
    const cJSON *layout = cJSON_GetObjectItem(event, "layout");
    memset(r, 0, sizeof *r);
    assert_int_equal(cJSON_GetArraySize(layout), MEMBERS);
    r->layout = (xmpi_layout_t){
        .domain = (int64_t)number(event, "domain"), .members = MEMBERS, .member = r->member};
    r->resources = (xmpi_resources_t){
        .pes = MEMBERS, .pe = r->pe, .classes = MEMBERS, .max_members = MEMBERS, .anchor = 0};
    for (int i = 0; i < MEMBERS; i++) {
        const cJSON *place = cJSON_GetArrayItem(layout, i);
        r->pe[i] = (xmpi_pe_t){.class_index = i, .process = i};
        snprintf(r->pe[i].node, XMPI_NAME_MAX, "%s", words(place, "node"));
        snprintf(r->resources.class_name[i], XMPI_NAME_MAX, "%s", words(place, "class"));
        r->member[i] =
            (xmpi_member_t){i, {(int64_t)number(place, "count"), (int64_t)number(place, "displ")}};
    }
    r->array = (xmpi_moved_array_t){.rows = r->layout.domain, .row_bytes = 8.0 * 2000};
    /* The settings of the run. */
    r->wishes = (xmpi_wishes_t){.interval = (int64_t)number(event, "interval"),
                                .imbalance = 0.03,
                                .interference = 0.05,
                                .window = 3,
                                .schedule = &r->schedule,
                                .tolerance = 0.01,
                                .creation = XMPI_CURVE_GROUP};
    r->at = (xmpi_occasion_t){.policy = xmpi_policy_find(words(event, "policy")),
                              .wishes = &r->wishes,
                              .layout = &r->layout,
                              .resources = &r->resources,
                              .samples = r->samples,
                              .arrays = 1,
                              .array = &r->array,
                              .loop = 1,
                              .bound = (int64_t)number(event, "iterations")};
    assert_non_null(r->at.policy);
    xmpi_calibration_assume(&r->leader.calibration);
    xmpi_leader_begin(&r->leader);
}

static void read_member(const cJSON *member, int64_t iterations, xmpi_sample_t *sample)
{
    double computation = number(member, "computation");
    *sample = (xmpi_sample_t){.iterations = iterations,
                              .wall = computation + number(member, "communication"),
                              .computation = computation,
                              .deviation = number(member, "deviation"),
                              .cpu = number(member, "cpu"),
                              .work = number(member, "work")};
}

/* Both reasons say the same up to the last digit of their number. */
static bool same_reason(const char *one, const char *other)
{
    size_t digits = strcspn(one, "0123456789"), words = strspn(one + digits, "0123456789.");
    size_t others = strspn(other + digits, "0123456789.");
    return strncmp(one, other, digits) == 0 &&
           strcmp(one + digits + words, other + digits + others) == 0 &&
           fabs(atof(one + digits) - atof(other + digits)) < 0.11;
}

/* The leader decides anew; where the run went on as it was, for the reason that it had. */
static void interval(replay_t *r, const cJSON *event)
{
    const cJSON *members = cJSON_GetObjectItem(event, "members");
    const char *kept = words(event, "kept");
    for (int i = 0; i < MEMBERS; i++)
        read_member(cJSON_GetArrayItem(members, i), (int64_t)number(event, "iterations"),
                    &r->samples[i]);
    r->at.interval_start = r->at.iteration;
    r->at.iteration = (int64_t)number(event, "iteration");
    r->at.first = r->intervals++ == 0;
    r->at.now = number(event, "time");
    xmpi_step_free(&r->step);
    xmpi_leader_step(&r->leader, &r->at, &r->step);
    if (kept[0] == '\0')
        assert_int_equal(r->step.outcome, XMPI_STEP_CHANGES);
    else if (r->step.outcome != XMPI_STEP_KEEPS || !same_reason(kept, r->step.plan.reason))
        fail_msg("iteration %lld: \"%s\" instead of \"%s\"", (long long)r->at.iteration,
                 r->step.plan.reason, kept);
}

/* Numbers of a trace are rounded: a border may be a row off. */
static void plan(replay_t *r, const cJSON *event)
{
    const cJSON *layout = cJSON_GetObjectItem(event, "layout");
    r->plans++;
    assert_int_equal(r->step.outcome, XMPI_STEP_CHANGES);
    assert_true(same_reason(words(event, "reason"), r->step.plan.reason));
    assert_int_equal(r->step.plan.places, cJSON_GetArraySize(layout));
    for (int i = 0; i < r->step.plan.places; i++) {
        const cJSON *place = cJSON_GetArrayItem(layout, i);
        const xmpi_block_t *block = &r->step.plan.place[i].block;
        assert_true(fabs((double)block->count - number(place, "count")) <= 1);
        assert_true(fabs((double)block->displ - number(place, "displ")) <= 1);
        r->member[i].block =
            (xmpi_block_t){(int64_t)number(place, "count"), (int64_t)number(place, "displ")};
    }
}

static void follow(replay_t *r, const cJSON *event)
{
    const char *name = words(event, "event");
    if (strcmp(name, "start") == 0)
        begin(r, event);
    else if (strcmp(name, "interval") == 0)
        interval(r, event);
    else if (strcmp(name, "plan") == 0)
        plan(r, event);
    else if (strcmp(name, "reconfiguration") == 0)
        xmpi_leader_changed(&r->leader, &r->step.predicted, number(event, "processes"),
                            number(event, "redistribution"));
}

static void a_trace_gives_the_same_plans_again(void **state)
{
    static char line[LINE_MAX_LENGTH];
    replay_t r = {.plans = 0};
    char path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/tests/unit/leader/balanced.trace", source_dir());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        cJSON *event = cJSON_Parse(line);
        assert_non_null(event);
        follow(&r, event);
        cJSON_Delete(event);
    }
    fclose(file);
    assert_int_equal(r.intervals, 39);
    assert_int_equal(r.plans, 4);
    xmpi_step_free(&r.step);
    xmpi_leader_free(&r.leader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_trace_gives_the_same_plans_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

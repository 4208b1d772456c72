/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the one model of speeds: where the speed of a processing element comes from, and that
 * policies and predictions go by the same one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "decide/policy/policy.h"

enum { PES = 6, ROWS = 1200 };

/* One member of class A, which computes a row a second; idle PEs of classes A, B, B, C, C. By the
 * calibration B is five times as quick as A; it knows nothing of C. */
typedef struct {
    xmpi_member_t member[PES];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[PES];
    xmpi_calibration_t calibration;
    xmpi_speed_t seen[PES];
    xmpi_history_t history;
    xmpi_schedule_t schedule;
    xmpi_evidence_t evidence;
} scene_t;

static void scene_make(scene_t *s)
{
    static const int class_of[PES] = {0, 0, 1, 1, 2, 2};
    memset(s, 0, sizeof *s);
    s->layout = (xmpi_layout_t){.domain = ROWS, .members = 1, .member = s->member};
    s->member[0] = (xmpi_member_t){0, {ROWS, 0}};
    s->resources = (xmpi_resources_t){.pes = PES,
                                      .pe = s->pe,
                                      .classes = 3,
                                      .class_name = {"A", "B", "C"},
                                      .max_members = 2,
                                      .can_spawn = true,
                                      .anchor = 0,
                                      .started = 1};
    for (int i = 0; i < PES; i++) {
        s->pe[i] = (xmpi_pe_t){.class_index = class_of[i], .process = i == 0 ? 0 : -1};
        s->pe[i].node[0] = (char)('a' + i);
    }
    s->samples[0] =
        (xmpi_sample_t){.iterations = 1, .wall = ROWS, .work = ROWS, .computation = ROWS};
    for (int i = 0; i < XMPI_LINKS; i++)
        s->calibration.link[i] = (xmpi_link_t){1e-9, 1e-15, 1e-9, 1e-15, 1e9};
    for (int i = 0; i < XMPI_CURVES; i++)
        s->calibration.curve[i] = (xmpi_curve_t){.points = 1, .point = {{1, 1e-6}}};
    s->calibration.gamma = 1e-15;
    s->calibration.classes = 2;
    strcpy(s->calibration.class_speed[0].name, "A");
    strcpy(s->calibration.class_speed[1].name, "B");
    s->calibration.class_speed[0].speed = 10;
    s->calibration.class_speed[1].speed = 50;
    s->history = (xmpi_history_t){.pes = PES, .speed = s->seen};
    s->seen[0] = (xmpi_speed_t){.speed = 1, .error = 0.01};
    s->evidence =
        (xmpi_evidence_t){&s->layout, &s->resources, s->samples, &s->history, &s->calibration};
}

static xmpi_speeds_t made(const scene_t *s)
{
    xmpi_speeds_t speeds;
    assert_int_equal(xmpi_speeds_make(&speeds, &s->evidence), XMPI_OK);
    return speeds;
}

static void has(const xmpi_power_t *power, xmpi_speed_origin_t origin, double speed)
{
    assert_int_equal(power->origin, origin);
    assert_true(fabs(power->speed - speed) < 1e-12);
}

static void each_pe_has_the_best_that_is_known(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    s.seen[5] = (xmpi_speed_t){.speed = 7, .error = 0.01, .away = 3, .age = 12};
    xmpi_speeds_t speeds = made(&s);
    has(&speeds.pe[0], XMPI_SPEED_MEASURED, 1);
    has(&speeds.pe[1], XMPI_SPEED_OF_CLASS, 1);
    has(&speeds.pe[2], XMPI_SPEED_CALIBRATED, 5);
    has(&speeds.pe[4], XMPI_SPEED_OF_CLASS, 7);
    has(&speeds.pe[5], XMPI_SPEED_REMEMBERED, 7);
    assert_true(speeds.pe[5].age == 12 && fabs(speeds.pe[5].error - 0.02) < 1e-12);
    assert_true(speeds.pe[0].error < speeds.pe[5].error);
    assert_true(speeds.pe[5].error < speeds.pe[4].error);
    assert_true(speeds.pe[4].error < speeds.pe[2].error);
    assert_int_equal(speeds.member_pe[0], 0);
    has(&speeds.member[0], XMPI_SPEED_MEASURED, 1);
    xmpi_speeds_free(&speeds);
}

static void without_a_calibration_all_are_alike(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    s.evidence.calibration = NULL;
    xmpi_speeds_t speeds = made(&s);
    has(&speeds.pe[2], XMPI_SPEED_OF_ALL, 1);
    assert_true(isinf(speeds.pe[2].error));
    xmpi_speeds_free(&speeds);
    s.seen[0].speed = 0;
    speeds = made(&s);
    has(&speeds.pe[2], XMPI_SPEED_UNKNOWN, 1);
    has(&speeds.member[0], XMPI_SPEED_UNKNOWN, 1);
    xmpi_speeds_free(&speeds);
}

static void without_a_history_the_interval_tells(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    s.evidence.history = NULL;
    s.samples[0].work = 2 * ROWS;
    xmpi_speeds_t speeds = made(&s);
    has(&speeds.pe[0], XMPI_SPEED_MEASURED, 2);
    has(&speeds.pe[3], XMPI_SPEED_CALIBRATED, 10);
    xmpi_speeds_free(&speeds);
    s.samples[0].computation = 0; /* no rows, no time */
    speeds = made(&s);
    has(&speeds.pe[0], XMPI_SPEED_UNKNOWN, 1);
    xmpi_speeds_free(&speeds);
}

/* Members of a class count, and those that have left it only where there are none. */
static void members_say_more_than_what_is_remembered(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    s.seen[1] = (xmpi_speed_t){.speed = 3, .error = 0.01, .away = 1, .age = 1};
    s.pe[5].class_index = 0;
    xmpi_speeds_t speeds = made(&s);
    has(&speeds.pe[1], XMPI_SPEED_REMEMBERED, 3);
    has(&speeds.pe[5], XMPI_SPEED_OF_CLASS, 1);
    xmpi_speeds_free(&speeds);
}

/* Policies divide by what predictions go by: with an unused class five times as quick the rows go
 * 200 to 1000, and an iteration takes 200 s, not 600. */
static void policies_divide_by_what_is_predicted(void **state)
{
    static const xmpi_policy_t *const policies[] = {&xmpi_policy_smp, &xmpi_policy_hpmp};
    for (int k = 0; k < 2; k++) {
        scene_t s;
        xmpi_predictor_t predictor;
        xmpi_prediction_t prediction;
        xmpi_decision_t decision = {.chosen = -1};
        xmpi_plan_t plan;
        xmpi_error_t error = {""};
        (void)state;
        scene_make(&s);
        s.pe[1].withdrawn = s.pe[4].withdrawn = s.pe[5].withdrawn = true;
        xmpi_situation_t at = {.layout = &s.layout,
                               .resources = &s.resources,
                               .samples = s.samples,
                               .history = &s.history,
                               .calibration = &s.calibration,
                               .iteration = 10,
                               .creation = XMPI_CURVE_CONCURRENT};
        assert_int_equal(xmpi_predictor_make(&predictor, &at, &error), XMPI_OK);
        xmpi_view_t view = {.layout = &s.layout,
                            .resources = &s.resources,
                            .samples = s.samples,
                            .history = &s.history,
                            .predictor = &predictor,
                            .schedule = &s.schedule,
                            .remaining = 10,
                            .may_grow = true,
                            .imbalance_threshold = 0.03};
        assert_int_equal(policies[k]->decide(&view, &plan, &decision, &error), XMPI_OK);
        assert_int_equal(plan.places, 2);
        assert_int_equal(plan.place[0].block.count, 200);
        assert_int_equal(plan.place[1].block.count, 1000);
        assert_int_equal(xmpi_predict(&predictor, &plan, 1, &prediction), XMPI_OK);
        assert_true(fabs(prediction.computation - 200) < 1e-6);
        xmpi_plan_free(&plan);
        xmpi_predictor_free(&predictor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pe_has_the_best_that_is_known),
        cmocka_unit_test(without_a_calibration_all_are_alike),
        cmocka_unit_test(without_a_history_the_interval_tells),
        cmocka_unit_test(members_say_more_than_what_is_remembered),
        cmocka_unit_test(policies_divide_by_what_is_predicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

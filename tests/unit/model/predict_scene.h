/* SPDX-License-Identifier: BSD-3-Clause
 * The scene of the tests of the prediction model: four members on a small cluster, and what they
 * did. */
#ifndef XMPI_TESTS_UNIT_PREDICT_SCENE_H
#define XMPI_TESTS_UNIT_PREDICT_SCENE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/predict/predict.h"

enum { MEMBERS = 4, PES = 8, DOMAIN_ROWS = 1200 };

static const double alpha = 1e-3, beta = 1e-6, gamma_ = 2e-6;

/* Four members on nodes of their own, of classes A A B B; empty PEs of classes A B B C. */
typedef struct {
    xmpi_member_t member[PES];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[PES];
    xmpi_calibration_t calibration;
    xmpi_model_t model;
    xmpi_moved_array_t array[2];
    xmpi_situation_t at;
    xmpi_predictor_t predictor;
} scene_t;

static inline void set_curve(scene_t *s, xmpi_curve_kind_t kind, double seconds)
{
    s->calibration.curve[kind] = (xmpi_curve_t){.points = 1, .point = {{1, seconds}}};
}

static inline void calibrate(scene_t *s)
{
    for (int i = 0; i < XMPI_LINKS; i++)
        s->calibration.link[i] = (xmpi_link_t){alpha, beta, alpha, beta, 1e9};
    s->calibration.gamma = gamma_;
    set_curve(s, XMPI_CURVE_CONCURRENT, 0.5);
    set_curve(s, XMPI_CURVE_REMOVE, 0.001);
    set_curve(s, XMPI_CURVE_PARK, 0.002);
    set_curve(s, XMPI_CURVE_WAKE, 0.003);
    s->calibration.classes = 3;
    strcpy(s->calibration.class_speed[0].name, "A");
    strcpy(s->calibration.class_speed[1].name, "B");
    strcpy(s->calibration.class_speed[2].name, "C");
    for (int i = 0; i < 3; i++)
        s->calibration.class_speed[i].speed = (double[]){10, 20, 50}[i];
}

/* Ten iterations of 120 units of work; A does 30 units a second, B 60: 10 s and 5 s of work. */
static inline void scene_make(scene_t *s)
{
    static const int class_of[PES] = {0, 0, 1, 1, 0, 1, 1, 2};
    memset(s, 0, sizeof *s);
    s->layout = (xmpi_layout_t){.domain = DOMAIN_ROWS, .members = MEMBERS, .member = s->member};
    s->resources = (xmpi_resources_t){.pes = PES,
                                      .pe = s->pe,
                                      .classes = 3,
                                      .class_name = {"A", "B", "C"},
                                      .max_members = PES,
                                      .can_spawn = true,
                                      .anchor = 0,
                                      .started = MEMBERS};
    for (int i = 0; i < PES; i++) {
        s->pe[i].class_index = class_of[i];
        s->pe[i].process = i < MEMBERS ? i : -1;
        s->pe[i].node[0] = (char)('a' + i);
    }
    for (int i = 0; i < MEMBERS; i++) {
        s->member[i] = (xmpi_member_t){i, {300, 300 * i}};
        s->samples[i] = (xmpi_sample_t){
            .iterations = 10, .wall = 12, .work = 300, .computation = class_of[i] == 0 ? 10 : 5};
    }
    calibrate(s);
    s->at = (xmpi_situation_t){.layout = &s->layout,
                               .resources = &s->resources,
                               .samples = s->samples,
                               .calibration = &s->calibration,
                               .model = &s->model,
                               .array = s->array,
                               .iteration = 10,
                               .creation = XMPI_CURVE_CONCURRENT};
}

/* All members make CALLS calls of BYTES bytes in an iteration, which take SECONDS together. */
static inline void observe(scene_t *s, xmpi_kind_t kind, int members, double calls, double bytes,
                           double seconds)
{
    for (int i = 0; i < MEMBERS; i++) {
        xmpi_sample_t *sample = &s->samples[i];
        sample->observed[sample->observed_kinds++] =
            (xmpi_observed_t){.kind = (int16_t)kind,
                              .members = members,
                              .calls = (int64_t)(10 * calls),
                              .bytes = (int64_t)(10 * calls * bytes),
                              .seconds = 10 * seconds};
    }
}

static inline void start(scene_t *s)
{
    xmpi_error_t error = {""};
    if (xmpi_predictor_make(&s->predictor, &s->at, &error) != XMPI_OK)
        fail_msg("%s", error.text);
}

static inline xmpi_prediction_t predicted(scene_t *s, const xmpi_plan_t *plan, int64_t iterations)
{
    xmpi_prediction_t prediction;
    assert_int_equal(xmpi_predict(&s->predictor, plan, iterations, &prediction), XMPI_OK);
    return prediction;
}

static const xmpi_plan_t stay = {.places = 0};

/* The members stay, and N new ones come on PEs 4, 5, ...; blocks of COUNT rows. */
static inline xmpi_plan_t grown(int n, const int64_t *count)
{
    xmpi_plan_t plan;
    int64_t displ = 0;
    assert_int_equal(xmpi_plan_alloc(&plan, MEMBERS + n), XMPI_OK);
    for (int i = 0; i < plan.places; i++) {
        xmpi_place_t place = {.origin = XMPI_STAYS, .from = i, .pe = -1};
        if (i >= MEMBERS)
            place = (xmpi_place_t){.origin = XMPI_NEW, .from = -1, .pe = i};
        place.block = (xmpi_block_t){count[i], displ};
        displ += count[i];
        plan.place[i] = place;
    }
    assert_int_equal(displ, DOMAIN_ROWS);
    return plan;
}

static inline void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected) + 1e-15))
        fail_msg("%.12g instead of %.12g", value, expected);
}

static inline double call(xmpi_kind_t kind, int members, double bytes)
{
    xmpi_link_t link = {alpha, beta, alpha, beta, 1e9};
    xmpi_mpi_call_t c = {.kind = kind, .members = members, .bytes = bytes};
    return xmpi_mpi_seconds(&c, &link, gamma_);
}

/* --- computation ------------------------------------------------------------------------------ */

#endif

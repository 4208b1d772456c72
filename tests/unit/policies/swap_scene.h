/* SPDX-License-Identifier: BSD-3-Clause
 * A scene for tests of the policy swap: members, idle PEs, their speeds, and what is decided. A
 * header, as each test is a program of one file. */
#ifndef XMPI_TESTS_SWAP_SCENE_H
#define XMPI_TESTS_SWAP_SCENE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "decide/policies/decide.h"

enum { MOST = 6, PES = 2 * MOST };

/* Members on the first PEs, all of them on nodes of their own; the others are idle. */
typedef struct {
    xmpi_member_t member[MOST];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[MOST];
    xmpi_speed_t seen[PES];
    xmpi_history_t history;
    xmpi_calibration_t calibration;
    xmpi_moved_array_t array;
    xmpi_predictor_t predictor;
    xmpi_view_t view;
    xmpi_decision_t decision;
} scene_t;

/* An iteration takes 10 s on a PE of speed 1; idle PEs were left at the end of the last interval.
 * Rows stay as they are: any imbalance is tolerated. */
static void scene_make(scene_t *s, int members, const double *speed, int idles, const double *idle)
{
    memset(s, 0, sizeof *s);
    s->layout = (xmpi_layout_t){.domain = 60 * members, .members = members, .member = s->member};
    s->resources = (xmpi_resources_t){.pes = members + idles,
                                      .pe = s->pe,
                                      .classes = 1,
                                      .max_members = PES,
                                      .can_spawn = true,
                                      .anchor = -1};
    s->history = (xmpi_history_t){.pes = PES, .speed = s->seen};
    for (int i = 0; i < members + idles; i++) {
        bool is_member = i < members;
        s->pe[i].process = is_member ? i : -1;
        snprintf(s->pe[i].node, sizeof s->pe[i].node, "n%d", i);
        s->seen[i] = (xmpi_speed_t){.speed = is_member ? speed[i] : idle[i - members],
                                    .since = 1000,
                                    .age = is_member ? 0 : 1};
    }
    for (int i = 0; i < members; i++) {
        s->member[i] = (xmpi_member_t){i, {60, 60 * i}};
        s->samples[i] = (xmpi_sample_t){
            .iterations = 1, .work = 10, .computation = 10 / speed[i], .cpu = 10 / speed[i]};
        s->samples[i].wall = s->samples[i].computation;
    }
    s->view = (xmpi_view_t){.layout = &s->layout,
                            .resources = &s->resources,
                            .samples = s->samples,
                            .history = &s->history,
                            .remaining = -1,
                            .may_grow = true,
                            .imbalance_threshold = 1,
                            .swap = {.payback = INFINITY, .doubt = XMPI_SWAP_DOUBT}};
}

/* Waking takes SECONDS for each process, and a row of all data a second on the way. */
static void price(scene_t *s, double seconds)
{
    xmpi_error_t error;
    for (int i = 0; i < XMPI_LINKS; i++)
        s->calibration.link[i] = (xmpi_link_t){1e-9, 1e-3, 1e-9, 1e-3, 1e9};
    for (int i = 0; i < XMPI_CURVES; i++)
        s->calibration.curve[i] =
            (xmpi_curve_t){.points = 2, .point = {{1, seconds}, {6, 6 * seconds}}};
    s->calibration.gamma = 1e-15;
    s->array = (xmpi_moved_array_t){.rows = s->layout.domain, .row_bytes = seconds * 1000};
    xmpi_situation_t at = {.layout = &s->layout,
                           .resources = &s->resources,
                           .samples = s->samples,
                           .history = &s->history,
                           .calibration = &s->calibration,
                           .arrays = 1,
                           .array = &s->array,
                           .iteration = 10,
                           .creation = XMPI_CURVE_CONCURRENT};
    if (xmpi_predictor_make(&s->predictor, &at, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    s->view.predictor = &s->predictor;
}

static xmpi_plan_t decided(scene_t *s)
{
    xmpi_plan_t plan;
    xmpi_error_t error = {""};
    if (xmpi_policy_decide(&xmpi_policy_swap, &s->view, &plan, &s->decision, &error) != XMPI_OK ||
        (plan.places > 0 &&
         xmpi_plan_check_in_loop(&plan, &s->layout, &s->resources, &error) != XMPI_OK))
        fail_msg("%s", error.text);
    return plan;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * What a run has taught the prediction model, and how well it has predicted. Plain data: joiners
 * and new leaders take it over. */
#ifndef XMPI_DECIDE_MODEL_MODEL_H
#define XMPI_DECIDE_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "decide/layout/resources.h"
#include "decide/model/sample.h"

/* What is predicted and measured. */
typedef enum {
    XMPI_PHASE_COMPUTATION,
    XMPI_PHASE_COMMUNICATION,
    XMPI_PHASE_IO,
    XMPI_PHASE_PROCESS,
    XMPI_PHASE_REDISTRIBUTION,
    XMPI_PHASE_INTERVAL,
    XMPI_PHASES,
} xmpi_phase_t;

/* Relative errors of predictions: |predicted - measured| / measured. */
typedef struct {
    int64_t n;
    double sum, squares;
} xmpi_error_sum_t;

enum { XMPI_WORK_MAX = 8 };

/* Work of an iteration in an interval, at its middle. */
typedef struct {
    double iteration, work;
} xmpi_work_point_t;

/* What changes took, as multiples of what the calibration says. */
typedef struct {
    double sum;
    int n;
} xmpi_correction_t;

/* Changes that go differently when data are moved. */
typedef enum { XMPI_CHANGE_JOIN, XMPI_CHANGE_LEAVE, XMPI_CHANGE_SAME, XMPI_CHANGES } xmpi_changes_t;

typedef struct {
    /* Computation: the last intervals, oldest first. */
    int works;
    xmpi_work_point_t work[XMPI_WORK_MAX];
    double irregular; /* with a profile: measured / predicted, the recent mean; 0: not seen yet */

    /* Communication: measured / estimated by kind of operation, 0: not seen yet (Eq. 5.4). */
    double correction[XMPI_KINDS][2]; /* [1]: non-blocking */

    /* Changes. */
    xmpi_correction_t process[2]; /* [1]: those in which none join */
    xmpi_correction_t redistribution[XMPI_CHANGES];
    bool created; /* processes have been created in this run */
    int worlds;   /* calls by which that was done since the members were none but those that mpiexec
                     started */

    xmpi_error_sum_t error[XMPI_PHASES];
} xmpi_model_t;

/* Of a change that some processes JOIN, or in which the members stay the SAME. */
xmpi_changes_t xmpi_change_kind(bool joins, bool same);

/* The name of a phase in the trace. */
const char *xmpi_phase_name(xmpi_phase_t phase);

/* The factor for the next change: the mean of those seen, and of TRUST times 1. */
double xmpi_correction(const xmpi_correction_t *correction, double trust);

/* Takes in a change that took MEASURED, where PREDICTED was predicted with the correction. */
void xmpi_correction_add(xmpi_correction_t *correction, double trust, double predicted,
                         double measured);

/* Takes the pair in, unless there is nothing to divide by or a number is none. */
void xmpi_model_compare(xmpi_model_t *model, xmpi_phase_t phase, double predicted, double measured);

/* Mean and standard deviation of the relative errors; 0 when there is none. */
double xmpi_error_mean(const xmpi_error_sum_t *error);
double xmpi_error_spread(const xmpi_error_sum_t *error);

/* Takes in the computation of an interval of an irregular program. PREDICTED holds the factor. */
void xmpi_model_learn_irregular(xmpi_model_t *model, double predicted, double measured);

/* Remembers the work of an interval of ITERATIONS iterations that ended at ITERATION. */
void xmpi_model_add_work(xmpi_model_t *model, int64_t iteration, int64_t iterations, double work);

/* Work of an iteration at ITERATION, on the straight line through the last intervals (thesis
 * §5.3.1, linear extrapolation); 0 when nothing is known. Never less than half nor more than twice
 * that of the last interval: the line is for slight variations. */
double xmpi_model_work(const xmpi_model_t *model, double iteration);

#endif

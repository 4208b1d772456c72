/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model: how long the next interval will take when a plan is carried out before it
 * (thesis §5.3, the computational prediction model).
 *
 * A predictor is made once for a decision, from all that is known then; after that a prediction
 * costs little, so that a policy can ask for every plan that it thinks of. Pure. */
#ifndef XMPI_DECIDE_PREDICT_PREDICT_H
#define XMPI_DECIDE_PREDICT_PREDICT_H

#include <stdint.h>

#include "decide/predict/communication.h"
#include "decide/predict/predictor.h"
#include "decide/predict/processes.h"

/* XMPI_ERR_MEMORY, or XMPI_ERR_INPUT for a calibration that cannot be used. On an error there is
 * nothing to free. */
xmpi_status_t xmpi_predictor_make(xmpi_predictor_t *predictor, const xmpi_situation_t *situation,
                                  xmpi_error_t *error);
void xmpi_predictor_free(xmpi_predictor_t *predictor);

/* Predicts ITERATIONS iterations after PLAN; a plan without places: everything stays as it is.
 * XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_predict(xmpi_predictor_t *predictor, const xmpi_plan_t *plan, int64_t iterations,
                           xmpi_prediction_t *prediction);

/* Seconds in which the program stands still for the change that was predicted. */
double xmpi_predicted_standstill(const xmpi_prediction_t *prediction);

/* Seconds that the change costs it in all, with what moves while it goes on. */
double xmpi_predicted_change(const xmpi_prediction_t *prediction);

/* What SAMPLES say that the phases of the interval took; process and redistribution are 0. */
void xmpi_measured(const xmpi_sample_t *samples, int members, xmpi_prediction_t *measured);

/* Keeps in MODEL what the predictor has learnt from the samples: the corrections of communication
 * and the work of the interval. Once for each interval. */
void xmpi_predictor_teach(const xmpi_predictor_t *predictor, xmpi_model_t *model);

/* The same from a change that has been carried out: what was predicted of it and what it took. */
void xmpi_model_learn_change(xmpi_model_t *model, const xmpi_calibration_t *calibration,
                             const xmpi_prediction_t *predicted, double process,
                             double redistribution);

/* --- parts, for policies that search before they have a plan; the others are in communication.h
 * and processes.h ------------------------------------------------------------------------------
 */

/* Work per second of a PE (decide/model/speeds.h). > 0. */
double xmpi_predict_speed(const xmpi_predictor_t *predictor, int pe);

/* Work of all members together in the next ITERATIONS iterations. */
double xmpi_predict_work(const xmpi_predictor_t *predictor, int64_t iterations);

/* How many times as long as all work by all speed the present members take for the next ITERATIONS
 * iterations, as work wanders that is divided by where it was; >= 1, and 1 without a profile. */
double xmpi_predict_imbalance(const xmpi_predictor_t *predictor, int64_t iterations);

#endif

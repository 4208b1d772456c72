/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model in a run: its calibration, what it predicts for each interval and change,
 * and what then happened. */
#ifndef XMPI_PROGRAM_PREDICTION_H
#define XMPI_PROGRAM_PREDICTION_H

#include "context.h"

/* Gets the calibration at the begin of a loop: from its file, else by measuring a short form.
 * Collective over the members. */
void xmpi_prediction_open(xmpi_context_t *context);

/* At the end of an interval of which a profile is recorded: tells the leader where in the domain
 * the work of MINE, this member's sample, was. Collective over the members. */
void xmpi_prediction_collect(xmpi_context_t *context, const xmpi_sample_t *mine);

/* The leader, at the end of an interval: compares what was predicted for it with SAMPLES, learns
 * from them, and makes PREDICTOR for what is next. False when there is no memory: then there is no
 * prediction, and nothing to free. */
bool xmpi_prediction_make(xmpi_context_t *context, const xmpi_sample_t *samples,
                          xmpi_predictor_t *predictor);

/* Remembers what is expected of PLAN, when it is carried out, and of the ITERATIONS iterations
 * after it. PREDICTOR NULL: nothing is expected. */
void xmpi_prediction_expect(xmpi_context_t *context, xmpi_predictor_t *predictor,
                            const xmpi_plan_t *plan, int64_t iterations);

/* The leader: the change under way is done, or does not happen. */
void xmpi_prediction_changed(xmpi_context_t *context);
void xmpi_prediction_called_off(xmpi_context_t *context);

/* The end of the loop: the leader writes the errors of the predictions to stderr when asked to. */
void xmpi_prediction_close(xmpi_context_t *context);

#endif

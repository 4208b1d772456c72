/* SPDX-License-Identifier: BSD-3-Clause
 * Processes: what it takes until they are there and others have gone (thesis §5.3.3). */
#ifndef XMPI_DECIDE_PREDICT_PROCESSES_H
#define XMPI_DECIDE_PREDICT_PROCESSES_H

#include "decide/predict/predictor.h"

/* Seconds to make the communicator that data move in, unless it is there. */
double xmpi_predict_communicator(const xmpi_predictor_t *predictor);

/* Seconds until the processes of PLAN are there and others have gone; sets creates, joins, same and
 * worlds of PREDICTION. */
double xmpi_predict_processes(xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                              xmpi_prediction_t *prediction);

/* Seconds for what all do together in a change from FROM members to TO besides moving data. */
double xmpi_predict_agreement(const xmpi_predictor_t *predictor, xmpi_agreement_kind_t kind,
                              int from, int to);

/* Seconds until CREATED processes are created, WOKEN woken, ENDED removed and PARKED parked. */
double xmpi_predict_process(const xmpi_predictor_t *predictor, int created, int woken, int ended,
                            int parked);

#endif

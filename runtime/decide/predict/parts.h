/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the prediction model share; nobody else needs it. */
#ifndef XMPI_DECIDE_PREDICT_PARTS_H
#define XMPI_DECIDE_PREDICT_PARTS_H

#include "decide/predict/predict.h"

/* The member that waits least: its time in MPI is communication, that of the others also waiting
 * for it. */
int xmpi_reference_member(const xmpi_sample_t *samples, int members);

xmpi_company_t xmpi_company_of_layout(xmpi_predictor_t *predictor);

/* Finds what the members exchange, how it scales, and its corrections. */
void xmpi_predictor_exchanges(xmpi_predictor_t *predictor);

/* Seconds of communication in an iteration. */
double xmpi_exchange_seconds(const xmpi_predictor_t *predictor, const xmpi_company_t *company);

/* Separates arrays whose rows are divided from replicated ones. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_predictor_sort_arrays(xmpi_predictor_t *predictor);

/* Seconds to make the communicator that data move in, unless it is there. */
double xmpi_predict_communicator(const xmpi_predictor_t *predictor);

/* Seconds until the processes of PLAN are there and others have gone; sets creates, joins and same
 * of PREDICTION. */
double xmpi_predict_processes(xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                              xmpi_prediction_t *prediction);

/* Seconds until the data are where PLAN wants them: redistribution and behind of PREDICTION.
 * XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_predict_redistribution(xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                                          xmpi_prediction_t *prediction);

#endif

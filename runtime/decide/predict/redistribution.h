/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution: what it takes until the data are where a plan wants them (thesis §5.3.3). */
#ifndef XMPI_DECIDE_PREDICT_REDISTRIBUTION_H
#define XMPI_DECIDE_PREDICT_REDISTRIBUTION_H

#include "decide/predict/predictor.h"

/* Separates arrays whose rows are divided from replicated ones. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_predictor_sort_arrays(xmpi_predictor_t *predictor);

/* Seconds until the data are where PLAN wants them: redistribution and behind of PREDICTION.
 * XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_predict_redistribution(xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                                          xmpi_prediction_t *prediction);

#endif

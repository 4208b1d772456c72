/* SPDX-License-Identifier: BSD-3-Clause
 * Communication: what members exchange, and what that will take (thesis §5.3.2). */
#ifndef XMPI_DECIDE_PREDICT_COMMUNICATION_H
#define XMPI_DECIDE_PREDICT_COMMUNICATION_H

#include "decide/predict/predictor.h"

/* Finds what the members exchange, how it scales, and its corrections; SKEW seconds of an iteration
 * are waiting that pipelines make (decide/predict/pipelines.h). */
void xmpi_predictor_exchanges(xmpi_predictor_t *predictor, double skew);

/* Seconds of communication in an iteration. */
double xmpi_exchange_seconds(const xmpi_predictor_t *predictor, const xmpi_company_t *company);

/* Seconds of communication in an iteration with MEMBERS members of equal blocks. */
double xmpi_predict_communication(const xmpi_predictor_t *predictor, int members);

#endif

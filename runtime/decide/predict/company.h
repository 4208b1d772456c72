/* SPDX-License-Identifier: BSD-3-Clause
 * Company: the members of a layout or plan, as far as communication depends on them. */
#ifndef XMPI_DECIDE_PREDICT_COMPANY_H
#define XMPI_DECIDE_PREDICT_COMPANY_H

#include "decide/predict/predictor.h"

xmpi_company_t xmpi_company_of_layout(const xmpi_predictor_t *predictor);
xmpi_company_t xmpi_company_of_plan(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan);

#endif

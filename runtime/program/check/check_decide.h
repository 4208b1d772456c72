/* SPDX-License-Identifier: BSD-3-Clause
 * Whether a change of layout is checked. */
#ifndef XMPI_PROGRAM_CHECK_CHECK_DECIDE_H
#define XMPI_PROGRAM_CHECK_CHECK_DECIDE_H

#include "program/context.h"

/* The leader: whether the change to NEXT, which follows an interval with iterations of SECONDS and
 * may gain GAIN seconds in all, is to be checked. Then the phase says so, and travels with the
 * progress. */
void xmpi_check_decide(xmpi_context_t *context, const xmpi_layout_t *next, double seconds,
                       double gain);

#endif

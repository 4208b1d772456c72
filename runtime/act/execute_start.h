/* SPDX-License-Identifier: BSD-3-Clause
 * The executor, where the program starts over (act/startover/startover.h). */
#ifndef XMPI_ACT_EXECUTE_START_H
#define XMPI_ACT_EXECUTE_START_H

#include "act/execution.h"

/* Begins such a change, of which all have the transit communicator. */
xmpi_outcome_t xmpi_execute_start(const xmpi_parts_t *parts, xmpi_execution_t *e);

/* After XMPI_STARTS: this process is where the program goes on, or (WHY, not empty) its start has
 * failed, or it leaves and waits. What comes of it is in why of the parts' start. Collective. */
xmpi_outcome_t xmpi_execute_started(const xmpi_parts_t *parts, const char *why,
                                    xmpi_execution_t *execution);

#endif

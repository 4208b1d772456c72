/* SPDX-License-Identifier: BSD-3-Clause
 * Collective operations that reduce. Only for decide/messages. */
#ifndef XMPI_DECIDE_MESSAGES_REDUCING_H
#define XMPI_DECIDE_MESSAGES_REDUCING_H

#include "decide/messages/run.h"

void xmpi_run_reduce(const xmpi_run_t *run, xmpi_algorithm_t algorithm);
void xmpi_run_allreduce(const xmpi_run_t *run, xmpi_algorithm_t algorithm);
void xmpi_run_reduce_scatter(const xmpi_run_t *run, xmpi_algorithm_t algorithm);
void xmpi_run_scan(const xmpi_run_t *run);

#endif

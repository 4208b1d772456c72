/* SPDX-License-Identifier: BSD-3-Clause
 * Collective operations that move data. Only for decide/messages. */
#ifndef XMPI_DECIDE_MESSAGES_MOVING_H
#define XMPI_DECIDE_MESSAGES_MOVING_H

#include "decide/messages/run.h"

void xmpi_run_bcast(const xmpi_run_t *run, xmpi_algorithm_t algorithm);
void xmpi_run_gather(const xmpi_run_t *run);
void xmpi_run_scatter(const xmpi_run_t *run);
void xmpi_run_allgather(const xmpi_run_t *run, xmpi_algorithm_t algorithm);
void xmpi_run_alltoall(const xmpi_run_t *run, xmpi_algorithm_t algorithm);
void xmpi_run_barrier(const xmpi_run_t *run);

#endif

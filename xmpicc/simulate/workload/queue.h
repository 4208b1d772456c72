/* SPDX-License-Identifier: BSD-3-Clause
 * Who starts, and who gives and takes: first come, first served, with EASY backfilling. Malleable
 * jobs start with the fewest that they can do with where there are no more, and give what they have
 * beyond that to who waits; what is left is shared out among them (decide/sharing). Without
 * malleable jobs it is EASY. */
#ifndef XMPI_SIMULATE_WORKLOAD_QUEUE_H
#define XMPI_SIMULATE_WORKLOAD_QUEUE_H

#include "simulate/workload/machine.h"

/* All that is to be done now. XMPI_ERR_MEMORY, XMPI_ERR_INTERNAL. */
xmpi_status_t sim_queue_pass(sim_machine_t *machine, xmpi_error_t *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes that the program has not, and could ask for: what they would be worth is told before
 * anybody asks. */
#ifndef XMPI_DECIDE_SCHEDULER_FURTHER_H
#define XMPI_DECIDE_SCHEDULER_FURTHER_H

#include "decide/layout/resources.h"

/* Adds to RESOURCES the PEs of as many nodes, each like the first one, as there are fewer than MOST
 * that the program has: idle, and nobody knows where. XMPI_ERR_MEMORY, and nothing has changed. */
xmpi_status_t xmpi_further_nodes(xmpi_resources_t *resources, int most);

#endif

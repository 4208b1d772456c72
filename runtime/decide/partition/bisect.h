/* SPDX-License-Identifier: BSD-3-Clause
 * The exact division of a chain: parametric search over the makespans that divisions have. */
#ifndef XMPI_DECIDE_PARTITION_BISECT_H
#define XMPI_DECIDE_PARTITION_BISECT_H

#include "base/status.h"
#include "decide/layout/layout.h"
#include "decide/partition/chain.h"

/* What the search goes by; the answer does not depend on it. */
typedef struct {
    double speed; /* by which the excess of a probe is divided: that of all members, > 0 */
    double low;   /* no makespan is less */
    double first; /* the one to try first, >= LOW */
} xmpi_chain_search_t;

/* Sets the N blocks of the smallest makespan. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_chain_divide(const xmpi_chain_t *chain, const xmpi_chain_search_t *search,
                                xmpi_block_t *blocks, xmpi_error_t *error);

#endif

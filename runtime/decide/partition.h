/* SPDX-License-Identifier: BSD-3-Clause
 * Division of the domain into contiguous blocks for unequal speeds. */
#ifndef XMPI_DECIDE_PARTITION_H
#define XMPI_DECIDE_PARTITION_H

#include "decide/layout.h"

/* Divides DOMAIN rows of equal weight among N members of the given SPEEDS (any unit, > 0) so that
 * the makespan max(count / speed) is the smallest that whole rows allow. Every member gets a row
 * where there are enough. The relative computing power of thesis §5.2.1 (computeRCP, computeDataDistribution), exact in
 * integers where the thesis rounds. */
xmpi_status_t xmpi_partition_proportional(int64_t domain, int n, const double *speeds,
                                          xmpi_block_t *blocks);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Division of the domain into contiguous blocks for unequal speeds. */
#ifndef XMPI_DECIDE_PARTITION_PARTITION_H
#define XMPI_DECIDE_PARTITION_PARTITION_H

#include "decide/layout/layout.h"
#include "decide/partition/chain.h"

/* Divides DOMAIN rows of equal weight among N members of the given SPEEDS (any unit, > 0) so that
 * the makespan max(count / speed) is the smallest that whole rows allow. Every member gets a row
 * where there are enough. The relative computing power of thesis §5.2.1 (computeRCP,
 * computeDataDistribution), exact in integers where the thesis rounds. */
xmpi_status_t xmpi_partition_proportional(int64_t domain, int n, const double *speeds,
                                          xmpi_block_t *blocks);

/* The same for rows of unequal weight (>= 0, any unit), given as their DOMAIN + 1 prefix sums:
 * row r weighs prefix[r + 1] - prefix[r], and prefix[0] is 0. The makespan
 *
 *     max over the members i of (prefix[end of i] - prefix[begin of i]) / speeds[i]
 *
 * is the smallest of all divisions in which every member gets a row, where there are enough; not
 * to a tolerance, but in the double that this expression gives: no other division gives a smaller
 * one. XMPI_ERR_INPUT for sums that fall or are no numbers, and for speeds that are not > 0. */
xmpi_status_t xmpi_partition_weighted(int64_t domain, const double *prefix, int n,
                                      const double *speeds, xmpi_block_t *blocks,
                                      xmpi_error_t *error);

/* The same for any monotone cost of a block, steps where memory ends included (decide/mheta): the
 * makespan max over the members i of COST(context, i, begin of i, end of i) is the smallest of all
 * divisions in which every member gets a row, where there are enough. XMPI_ERR_INPUT where that is
 * infinite, as no division is possible. */
xmpi_status_t xmpi_partition_costs(int64_t domain, int n, xmpi_block_cost_t cost,
                                   const void *context, xmpi_block_t *blocks, xmpi_error_t *error);

/* The DOMAIN + 1 prefix sums of the weights. Exact for whole weights up to 2^53 together. */
void xmpi_prefix_sums(int64_t domain, const double *weights, double *prefix);

#endif

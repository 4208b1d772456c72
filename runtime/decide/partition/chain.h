/* SPDX-License-Identifier: BSD-3-Clause
 * Chain: weighted rows to be divided among members in order, and the probe of a makespan. */
#ifndef XMPI_DECIDE_PARTITION_CHAIN_H
#define XMPI_DECIDE_PARTITION_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

/* Seconds that member I takes for the rows from BEGIN to END (> BEGIN): >= 0, no NaN, and never
 * less when a row is added at either side. */
typedef double (*xmpi_block_cost_t)(const void *context, int i, int64_t begin, int64_t end);

typedef struct {
    int64_t domain;
    int n;
    int64_t least;        /* rows each member must get, 0 or 1; domain >= n where it is 1 */
    const double *prefix; /* sums of the weights: domain + 1 */
    const double *speeds;
    xmpi_block_cost_t cost; /* what a block takes; NULL: as prefix and speeds say */
    const void *context;    /* of COST */
} xmpi_chain_t;

/* What is known about the ends of the N blocks. At a smaller makespan no end lies behind its like
 * at a larger one, so a probe searches each end between the ends of two others. */
typedef struct {
    const int64_t *low;  /* of a smaller makespan, or 0 */
    const int64_t *high; /* of a larger one that can be kept, or xmpi_chain_limits */
} xmpi_bracket_t;

typedef struct {
    bool kept;     /* the blocks keep to the makespan */
    bool complete; /* all but the last keep to it, their ends as far behind as can be */
    double value;  /* kept: the makespan of these blocks. Else the least that could be kept */
    double excess; /* complete: the work (with a cost: the seconds) of the last block beyond the
                      makespan, < 0 if it has room */
} xmpi_probe_t;

/* (prefix[end] - prefix[begin]) / speeds[i], or the cost: the time member I needs for the block; 0
 * where that is empty. */
double xmpi_chain_time(const xmpi_chain_t *chain, int i, int64_t begin, int64_t end);

/* The largest ends that leave enough rows to the members behind. */
void xmpi_chain_limits(const xmpi_chain_t *chain, int64_t *limits);

/* Whether a makespan of MAKESPAN can be kept. Sets the N ends of the blocks; LIMIT is N long, for
 * the probe's own use. */
xmpi_probe_t xmpi_chain_probe(const xmpi_chain_t *chain, double makespan, xmpi_bracket_t bracket,
                              int64_t *limit, int64_t *end);

#endif

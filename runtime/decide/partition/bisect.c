/* SPDX-License-Identifier: BSD-3-Clause
 * The search for the smallest makespan that can be kept: bisection, by probes. */
#include "decide/partition/bisect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The smallest makespan is at least LOW and, once FOUND, at most HIGH; both are times of blocks,
 * and LOW grows or HIGH falls with every probe. */
typedef struct {
    const xmpi_chain_t *chain;
    double speed;
    double low, high;
    bool found;
    int64_t *low_ends;  /* of the largest makespan that could not be kept */
    int64_t *high_ends; /* of HIGH */
    int64_t *ends, *limit;
} bisection_t;

static void swap(int64_t **a, int64_t **b)
{
    int64_t *c = *a;
    *a = *b;
    *b = c;
}

/* Between A and B (0 <= a <= b) with as many doubles on either side: 64 such steps leave nothing
 * between two bounds, whatever their magnitudes. */
static double middle(double a, double b)
{
    uint64_t i, j;
    memcpy(&i, &a, sizeof i);
    memcpy(&j, &b, sizeof j);
    i += (j - i) / 2;
    memcpy(&a, &i, sizeof a);
    return a;
}

static xmpi_probe_t probe_at(bisection_t *bisection, double makespan)
{
    xmpi_bracket_t bracket = {bisection->low_ends, bisection->high_ends};
    xmpi_probe_t probe =
        xmpi_chain_probe(bisection->chain, makespan, bracket, bisection->limit, bisection->ends);
    if (probe.kept) {
        bisection->high = probe.value;
        bisection->found = true;
        swap(&bisection->ends, &bisection->high_ends);
    } else {
        bisection->low = probe.value;
        if (probe.complete)
            swap(&bisection->ends, &bisection->low_ends);
    }
    return probe;
}

/* The makespan to try after MAKESPAN: where the last block would have neither too much work nor
 * room for more if the ends moved evenly with the makespan; twice as far, so that the two bounds
 * close in from both sides. Now and then the middle, for where they do not. */
static double next_makespan(const bisection_t *bisection, double makespan,
                            const xmpi_probe_t *probe, int probes)
{
    double next = makespan + 2 * probe->excess / bisection->speed;
    if (!bisection->found)
        return fmax(bisection->low, probe->complete && probes < 4 ? next : 2 * makespan);
    if (probes % 3 != 0 && next >= bisection->low && next < bisection->high)
        return next;
    return middle(bisection->low, bisection->high);
}

/* Leaves the ends of the smallest makespan in high_ends. */
static void bisect(bisection_t *bisection, double makespan)
{
    for (int probes = 1; !bisection->found || bisection->low < bisection->high; probes++) {
        xmpi_probe_t probe = probe_at(bisection, makespan);
        makespan = next_makespan(bisection, makespan, &probe, probes);
    }
}

static void blocks_of_ends(int n, const int64_t *ends, xmpi_block_t *blocks)
{
    for (int i = 0; i < n; i++)
        blocks[i].count = ends[i] - (i == 0 ? 0 : ends[i - 1]);
    xmpi_blocks_chain(n, blocks);
}

xmpi_status_t xmpi_chain_divide(const xmpi_chain_t *chain, const xmpi_chain_search_t *search,
                                xmpi_block_t *blocks, xmpi_error_t *error)
{
    size_t n = (size_t)chain->n;
    int64_t *ends = calloc(4 * n, sizeof *ends);
    if (ends == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "partition: no memory for %d members",
                              chain->n);
    bisection_t bisection = {.chain = chain,
                             .speed = search->speed,
                             .low = search->low,
                             .low_ends = ends,
                             .high_ends = ends + n,
                             .ends = ends + 2 * n,
                             .limit = ends + 3 * n};
    xmpi_chain_limits(chain, bisection.high_ends);
    bisect(&bisection, search->first);
    blocks_of_ends(chain->n, bisection.high_ends, blocks);
    free(ends);
    return XMPI_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The exact division of weighted rows: parametric search over the makespans that divisions have
 * (heterogeneous chains-on-chains in a fixed order; Pinar, Tabak and Aykanat 2008). */
#include "decide/partition/partition.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/partition/chain.h"

/* The smallest makespan is at least LOW and, once FOUND, at most HIGH; both are times of blocks,
 * and LOW grows or HIGH falls with every probe. */
typedef struct {
    const xmpi_chain_t *chain;
    double speed; /* of all members */
    double low, high;
    bool found;
    int64_t *low_ends;  /* of the largest makespan that could not be kept */
    int64_t *high_ends; /* of HIGH */
    int64_t *ends, *limit;
} bisection_t;

void xmpi_prefix_sums(int64_t domain, const double *weights, double *prefix)
{
    prefix[0] = 0;
    for (int64_t row = 0; row < domain; row++)
        prefix[row + 1] = prefix[row] + weights[row];
}

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
static void bisect(bisection_t *bisection)
{
    const xmpi_chain_t *chain = bisection->chain;
    double makespan = fmax(bisection->low, chain->prefix[chain->domain] / bisection->speed);
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

static xmpi_status_t check_speeds(int n, const double *speeds, xmpi_error_t *error)
{
    if (n < 1)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "partition: %d members, must be 1 or more", n);
    for (int i = 0; i < n; i++)
        if (!(speeds[i] > 0) || isinf(speeds[i]))
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "partition: the speed of member %d is %g, must be > 0 and finite",
                                  i, speeds[i]);
    return XMPI_OK;
}

static xmpi_status_t check_prefix(int64_t domain, const double *prefix, xmpi_error_t *error)
{
    if (domain < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "partition: %" PRId64 " rows, must be 0 or more", domain);
    if (prefix[0] != 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "partition: the sum before row 0 is %g, must be 0", prefix[0]);
    for (int64_t row = 0; row < domain; row++)
        if (!(prefix[row + 1] >= prefix[row]))
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "partition: the weight of row %" PRId64
                                  " is %g, must be >= 0 and a number",
                                  row, prefix[row + 1] - prefix[row]);
    if (isinf(prefix[domain]))
        return xmpi_error_set(
            error, XMPI_ERR_INPUT,
            "partition: the sum of the %" PRId64 " weights is infinite, make them smaller", domain);
    return XMPI_OK;
}

/* The time of the heaviest row at the fastest member: its block takes no less. */
static double heaviest_row_time(const xmpi_chain_t *chain)
{
    double weight = 0, speed = 0;
    for (int64_t row = 0; row < chain->domain; row++)
        if (chain->prefix[row + 1] - chain->prefix[row] > weight)
            weight = chain->prefix[row + 1] - chain->prefix[row];
    for (int i = 0; i < chain->n; i++)
        if (chain->speeds[i] > speed)
            speed = chain->speeds[i];
    return weight / speed;
}

xmpi_status_t xmpi_partition_weighted(int64_t domain, const double *prefix, int n,
                                      const double *speeds, xmpi_block_t *blocks,
                                      xmpi_error_t *error)
{
    xmpi_status_t status = check_speeds(n, speeds, error);
    if (status == XMPI_OK)
        status = check_prefix(domain, prefix, error);
    if (status != XMPI_OK)
        return status;
    int64_t *ends = calloc(4 * (size_t)n, sizeof *ends);
    if (ends == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "partition: no memory for %d members", n);
    xmpi_chain_t chain = {domain, prefix, n, speeds, domain >= n};
    bisection_t bisection = {.chain = &chain,
                             .low_ends = ends,
                             .high_ends = ends + n,
                             .ends = ends + 2 * (size_t)n,
                             .limit = ends + 3 * (size_t)n};
    for (int i = 0; i < n; i++)
        bisection.speed += speeds[i];
    bisection.low = heaviest_row_time(&chain);
    xmpi_chain_limits(&chain, bisection.high_ends);
    bisect(&bisection);
    blocks_of_ends(n, bisection.high_ends, blocks);
    free(ends);
    return XMPI_OK;
}

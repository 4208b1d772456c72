/* SPDX-License-Identifier: BSD-3-Clause
 * The exact division of weighted rows: parametric search over the makespans that divisions have
 * (heterogeneous chains-on-chains in a fixed order; Pinar, Tabak and Aykanat 2008). */
#include "decide/partition/partition.h"

#include <inttypes.h>
#include <math.h>

#include "decide/partition/bisect.h"

void xmpi_prefix_sums(int64_t domain, const double *weights, double *prefix)
{
    prefix[0] = 0;
    for (int64_t row = 0; row < domain; row++)
        prefix[row + 1] = prefix[row] + weights[row];
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
    xmpi_chain_t chain = {
        .domain = domain, .prefix = prefix, .n = n, .speeds = speeds, .least = domain >= n};
    double speed = 0;
    for (int i = 0; i < n; i++)
        speed += speeds[i];
    double heaviest = heaviest_row_time(&chain);
    xmpi_chain_search_t search = {
        .speed = speed, .low = heaviest, .first = fmax(heaviest, prefix[domain] / speed)};
    return xmpi_chain_divide(&chain, &search, blocks, error);
}

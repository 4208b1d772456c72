/* SPDX-License-Identifier: BSD-3-Clause
 * The exact division for any monotone cost of a block. */
#include <inttypes.h>
#include <math.h>

#include "decide/partition/bisect.h"
#include "decide/partition/partition.h"

/* Row I / N of the way, rounded alike everywhere. */
static int64_t equal_end(const xmpi_chain_t *chain, int i)
{
    int64_t whole = chain->domain / chain->n, rest = chain->domain % chain->n;
    return whole * (i + 1) + (i + 1 < rest ? i + 1 : rest);
}

/* The makespan of equal blocks: the smallest one is no more. */
static double makespan_of_equal(const xmpi_chain_t *chain)
{
    double makespan = 0;
    for (int i = 0; i < chain->n; i++) {
        int64_t begin = i == 0 ? 0 : equal_end(chain, i - 1);
        makespan = fmax(makespan, xmpi_chain_time(chain, i, begin, equal_end(chain, i)));
    }
    return makespan;
}

static double makespan_of(const xmpi_chain_t *chain, const xmpi_block_t *blocks)
{
    double makespan = 0;
    for (int i = 0; i < chain->n; i++)
        makespan = fmax(makespan, xmpi_chain_time(chain, i, blocks[i].displ,
                                                  blocks[i].displ + blocks[i].count));
    return makespan;
}

xmpi_status_t xmpi_partition_costs(int64_t domain, int n, xmpi_block_cost_t cost,
                                   const void *context, xmpi_block_t *blocks, xmpi_error_t *error)
{
    if (n < 1 || domain < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "partition: %" PRId64 " rows among %d members, must be 0 or more "
                              "among 1 or more",
                              domain, n);
    xmpi_chain_t chain = {
        .domain = domain, .n = n, .least = domain >= n, .cost = cost, .context = context};
    xmpi_chain_search_t search = {.speed = n, .first = makespan_of_equal(&chain)};
    xmpi_status_t status = xmpi_chain_divide(&chain, &search, blocks, error);
    if (status == XMPI_OK && isinf(makespan_of(&chain, blocks)))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "partition: no division of %" PRId64 " rows among %d members is "
                              "possible",
                              domain, n);
    return status;
}

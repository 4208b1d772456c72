/* SPDX-License-Identifier: BSD-3-Clause
 * MHETA: the layouts that the paper compares. */
#include "decide/mheta/layouts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/partition/partition.h"

/* Computation, of members that may not have more than what fits, but one that may. */
typedef struct {
    const xmpi_mheta_t *model;
    const int64_t *capacity;
    int free; /* -1: none */
} capped_t;

static double capped(const void *context, int i, int64_t begin, int64_t end)
{
    const capped_t *cap = context;
    if (i == cap->free)
        return xmpi_mheta_alone(cap->model, i, begin, end);
    return end - begin <= cap->capacity[i] ? xmpi_mheta_alone(cap->model, i, begin, end) : INFINITY;
}

/* One row for each, where there are enough, is more than its part for some: who has most gives. */
static void take_back(int n, int64_t rows, xmpi_block_t *blocks)
{
    for (; rows > 0; rows--) {
        int most = 0;
        for (int i = 1; i < n; i++)
            if (blocks[i].count > blocks[most].count)
                most = i;
        blocks[most].count--;
    }
}

/* Where all fit in memory together, as much of each as of the others; else the least time that any
 * of them spends with its disk. */
static xmpi_status_t least_io(const capped_t *cap, int64_t domain, xmpi_block_t *blocks,
                              xmpi_error_t *error)
{
    const xmpi_mheta_t *model = cap->model;
    int64_t sum = 0, given = 0, least = domain >= model->n ? 1 : 0;
    for (int i = 0; i < model->n; i++)
        sum += cap->capacity[i];
    if (sum < domain)
        return xmpi_partition_costs(domain, model->n, xmpi_mheta_all_io, model, blocks, error);
    for (int i = 0; i < model->n; i++) {
        int64_t part = (int64_t)((double)cap->capacity[i] * ((double)domain / (double)sum));
        blocks[i].count = part > least ? part : least;
        given += blocks[i].count;
    }
    for (int i = 0; given < domain; i = (i + 1) % model->n)
        if (blocks[i].count < cap->capacity[i]) {
            blocks[i].count++;
            given++;
        }
    take_back(model->n, given - domain, blocks);
    xmpi_blocks_chain(model->n, blocks);
    return XMPI_OK;
}

static double makespan(const xmpi_mheta_t *model, const xmpi_block_t *blocks)
{
    double most = 0;
    for (int i = 0; i < model->n; i++)
        if (blocks[i].count > 0)
            most = fmax(most, xmpi_mheta_alone(model, i, blocks[i].displ,
                                               blocks[i].displ + blocks[i].count));
    return most;
}

/* All members in memory, or all but the one with which the rest is best. */
static xmpi_status_t most_in_core(capped_t *cap, int64_t domain, xmpi_block_t *blocks,
                                  xmpi_error_t *error)
{
    const xmpi_mheta_t *model = cap->model;
    cap->free = -1;
    if (xmpi_partition_costs(domain, model->n, capped, cap, blocks, error) == XMPI_OK)
        return XMPI_OK;
    xmpi_block_t *tried = malloc((size_t)model->n * sizeof *tried);
    double best = INFINITY;
    xmpi_status_t status = XMPI_ERR_INPUT;
    if (tried == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "memory: no memory for %d members", model->n);
    for (cap->free = 0; cap->free < model->n; cap->free++) {
        if (xmpi_partition_costs(domain, model->n, capped, cap, tried, error) != XMPI_OK)
            continue;
        status = XMPI_OK;
        double seconds = makespan(model, tried);
        if (seconds < best)
            memcpy(blocks, tried, (size_t)model->n * sizeof *blocks);
        best = fmin(best, seconds);
    }
    free(tried);
    return status;
}

static void equal_blocks(int n, int64_t domain, xmpi_block_t *blocks)
{
    for (int i = 0; i < n; i++)
        blocks[i].count = domain / n + (i < domain % n);
    xmpi_blocks_chain(n, blocks);
}

xmpi_status_t xmpi_mheta_lay_out(const xmpi_mheta_t *model, xmpi_mheta_layout_t layout,
                                 int64_t domain, xmpi_block_t *blocks, xmpi_error_t *error)
{
    if (layout == XMPI_MHETA_BLK) {
        equal_blocks(model->n, domain, blocks);
        return XMPI_OK;
    }
    if (layout == XMPI_MHETA_BEST)
        return xmpi_partition_costs(domain, model->n, xmpi_mheta_alone, model, blocks, error);
    if (layout == XMPI_MHETA_BAL)
        return xmpi_partition_costs(domain, model->n, xmpi_mheta_computation, model, blocks, error);
    int64_t *capacity = malloc((size_t)model->n * sizeof *capacity);
    if (capacity == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "memory: no memory for %d members", model->n);
    for (int i = 0; i < model->n; i++)
        capacity[i] = xmpi_mheta_capacity(model, i, domain);
    capped_t cap = {.model = model, .capacity = capacity, .free = -1};
    xmpi_status_t status = layout == XMPI_MHETA_IC ? least_io(&cap, domain, blocks, error)
                                                   : most_in_core(&cap, domain, blocks, error);
    free(capacity);
    return status;
}

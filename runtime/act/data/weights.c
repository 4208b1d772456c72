/* SPDX-License-Identifier: BSD-3-Clause
 * Weights of rows: how much work each is. */
#include "act/data/weights.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/collective.h"

static bool has_nonzeros(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].shape == XMPI_SHAPE_OFFSETS)
            return true;
    return false;
}

xmpi_status_t xmpi_weights_choose(xmpi_lb_t wanted, const xmpi_given_weights_t *given,
                                  const xmpi_registry_t *registry, xmpi_lb_t *chosen,
                                  xmpi_error_t *error)
{
    bool sparse = has_nonzeros(registry);
    *chosen = XMPI_LB_ROWS;
    if (wanted == XMPI_LB_WEIGHT && given->slot == NULL)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_LB=weight: the program gives no weights; write #pragma xmpi "
                              "loop weight(w), or call XMPI_Set_weights");
    if (wanted == XMPI_LB_NNZ && !sparse)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_LB=nnz: the program has registered no sparse matrix");
    *chosen = wanted != XMPI_LB_AUTO ? wanted
              : given->slot != NULL  ? XMPI_LB_WEIGHT
              : sparse               ? XMPI_LB_NNZ
                                     : XMPI_LB_ROWS;
    return XMPI_OK;
}

static double element(const void *array, int type, int64_t i)
{
    switch (type) {
    case XMPI_GEN_DOUBLE:
        return ((const double *)array)[i];
    case XMPI_GEN_FLOAT:
        return (double)((const float *)array)[i];
    case XMPI_GEN_INT32:
        return (double)((const int32_t *)array)[i];
    default:
        return (double)((const int64_t *)array)[i];
    }
}

/* Where the first row of BLOCK is in the storage of ARRAY. */
static int64_t first_stored(const xmpi_array_t *array, const xmpi_block_t *block)
{
    if (array->scheme != XMPI_GEN_DISTRIBUTED)
        return block->displ;
    if (array->ghosts)
        return array->halo;
    return array->halo < block->displ ? array->halo : block->displ;
}

static double nonzeros(const xmpi_registry_t *registry, const xmpi_block_t *block, int64_t row)
{
    double sum = 0;
    for (int i = 0; i < registry->arrays; i++) {
        const xmpi_array_t *array = &registry->array[i];
        if (array->shape != XMPI_SHAPE_OFFSETS)
            continue;
        const void *offsets = xmpi_array_pointer(array);
        int64_t at = first_stored(array, block) + row;
        int type = array->offset_bytes == 4 ? XMPI_GEN_INT32 : XMPI_GEN_INT64;
        if (offsets != NULL)
            sum += element(offsets, type, at + 1) - element(offsets, type, at);
    }
    return sum;
}

static double given_weight(const xmpi_given_weights_t *given, const xmpi_block_t *block,
                           int64_t row)
{
    void *array;
    memcpy(&array, given->slot, sizeof array);
    int64_t at = given->scheme == XMPI_GEN_DISTRIBUTED ? row : block->displ + row;
    return array != NULL ? element(array, given->type, at) : 0;
}

double xmpi_weights_own(xmpi_lb_t chosen, const xmpi_given_weights_t *given,
                        const xmpi_registry_t *registry, const xmpi_block_t *block, double *own)
{
    double sum = 0;
    for (int64_t row = 0; row < block->count; row++) {
        double weight = chosen == XMPI_LB_WEIGHT ? given_weight(given, block, row)
                        : chosen == XMPI_LB_NNZ  ? nonzeros(registry, block, row)
                                                 : 1;
        if (!(weight > 0) || isinf(weight))
            weight = 0;
        sum += weight;
        if (own != NULL)
            own[row] = weight;
    }
    return sum;
}

/* At rank 0: all weights, one behind the other; NULL when there is no memory. */
static double *room_for(const xmpi_layout_t *layout, int *counts, int *displs)
{
    for (int i = 0; i < layout->members; i++) {
        counts[i] = (int)layout->member[i].block.count;
        displs[i] = (int)layout->member[i].block.displ;
    }
    return malloc(((size_t)layout->domain + 1) * sizeof(double));
}

/* The weights become the sums before each row. */
static void add_up(double *weights, int64_t rows)
{
    double sum = 0;
    for (int64_t row = 0; row < rows; row++) {
        double weight = weights[row];
        weights[row] = sum;
        sum += weight;
    }
    weights[rows] = sum;
}

double *xmpi_weights_gather(xmpi_lb_t chosen, const xmpi_given_weights_t *given,
                            const xmpi_registry_t *registry, const xmpi_layout_t *layout,
                            const xmpi_world_t *world)
{
    const xmpi_block_t *block = &layout->member[world->rank].block;
    size_t members = (size_t)layout->members;
    int *counts = malloc(2 * members * sizeof *counts);
    double *own = malloc(((size_t)block->count + 1) * sizeof *own), *all = NULL;
    if (own != NULL && counts != NULL && world->rank == 0 && layout->domain <= INT_MAX)
        all = room_for(layout, counts, counts + members);
    int can = own != NULL && (world->rank != 0 || all != NULL), all_can;
    PMPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, world->comm);
    if (all_can) {
        xmpi_weights_own(chosen, given, registry, block, own);
        PMPI_Gatherv(own, (int)block->count, MPI_DOUBLE, all, counts, counts + members, MPI_DOUBLE,
                     0, world->comm);
    }
    if (all_can && all != NULL) {
        add_up(all, layout->domain);
    } else {
        free(all);
        all = NULL;
    }
    free(own);
    free(counts);
    return all;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What a member stores of arrays beside its own rows. */
#include "act/check/kept.h"

#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 }; /* before and behind the own rows */

/* Where rows beside those of BLOCK are in STORAGE of array I, on either side. */
static void find_sides(const xmpi_array_t *array, const xmpi_storage_t *storage, xmpi_block_t block,
                       xmpi_extent_t *side)
{
    const xmpi_block_t own = xmpi_owned_rows(array, block), all = storage->rows;
    const int64_t end = own.displ + own.count;
    side[0] = xmpi_extent_of(array, storage, all.displ, own.displ - all.displ);
    side[1] = xmpi_extent_of(array, storage, end, all.displ + all.count - end);
}

/* Whether array I may have others' rows that are not what the owners have. */
static bool has_others(const xmpi_registry_t *registry, int i)
{
    const xmpi_array_t *array = &registry->array[i];
    return !xmpi_registry_is_constant(registry, i) && array->holds == XMPI_SLOT_POINTER &&
           array->scheme != XMPI_GEN_REPLICATED &&
           (array->scheme == XMPI_GEN_OWNED || array->halo > 0) &&
           (array->shape == XMPI_SHAPE_ROWS || array->shape == XMPI_SHAPE_COLUMNS);
}

static int64_t bytes_of(const xmpi_registry_t *registry, int i, xmpi_block_t block)
{
    xmpi_storage_t own = xmpi_copy_own(registry, i, block);
    xmpi_extent_t side[SIDES];
    if (!has_others(registry, i) || own.base == NULL || block.count == 0)
        return 0;
    find_sides(&registry->array[i], &own, block, side);
    return xmpi_extent_bytes(&side[0]) + xmpi_extent_bytes(&side[1]);
}

int64_t xmpi_kept_bytes(const xmpi_registry_t *registry, xmpi_block_t block)
{
    int64_t bytes = 0;
    for (int i = 0; i < registry->arrays; i++)
        bytes += bytes_of(registry, i, block);
    return bytes;
}

/* An extent like SIDE, strips one behind the other from AT on. */
static xmpi_extent_t packed(const xmpi_extent_t *side, int64_t at)
{
    return (xmpi_extent_t){
        .offset = at, .width = side->width, .stride = side->width, .strips = side->strips};
}

/* Between STORAGE of array I and what is kept of it. */
static void copy_sides(const xmpi_array_t *array, const xmpi_storage_t *storage, xmpi_block_t block,
                       char *kept, bool back)
{
    xmpi_extent_t side[SIDES];
    int64_t at = 0;
    find_sides(array, storage, block, side);
    for (int i = 0; i < SIDES; i++) {
        const xmpi_extent_t here = packed(&side[i], at);
        if (back)
            xmpi_extent_copy(storage->base, &side[i], kept, &here);
        else
            xmpi_extent_copy(kept, &here, storage->base, &side[i]);
        at += xmpi_extent_bytes(&here);
    }
}

static xmpi_status_t keep(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                          const xmpi_copy_t *copy, xmpi_kept_t *kept)
{
    const xmpi_storage_t other = xmpi_copy_other(registry, i, block, copy);
    const int64_t bytes = bytes_of(registry, i, block);
    if (bytes == 0 || other.base == NULL)
        return XMPI_OK;
    kept->array[i] = malloc((size_t)bytes);
    if (kept->array[i] == NULL)
        return XMPI_ERR_MEMORY;
    copy_sides(&registry->array[i], &other, block, kept->array[i], false);
    return XMPI_OK;
}

xmpi_status_t xmpi_kept_note(const xmpi_registry_t *registry, xmpi_block_t block,
                             const xmpi_copy_t *copy, xmpi_kept_t *kept)
{
    *kept = (xmpi_kept_t){.arrays = registry->arrays};
    kept->array = calloc((size_t)registry->arrays + 1, sizeof *kept->array);
    xmpi_status_t status = kept->array != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
    for (int i = 0; i < registry->arrays && status == XMPI_OK; i++)
        status = keep(registry, i, block, copy, kept);
    if (status != XMPI_OK)
        xmpi_kept_free(kept);
    return status;
}

void xmpi_kept_put_back(const xmpi_registry_t *registry, xmpi_block_t block,
                        const xmpi_kept_t *kept)
{
    for (int i = 0; i < kept->arrays && i < registry->arrays; i++) {
        const xmpi_storage_t own = xmpi_copy_own(registry, i, block);
        if (kept->array[i] != NULL && own.base != NULL)
            copy_sides(&registry->array[i], &own, block, kept->array[i], true);
    }
}

void xmpi_kept_free(xmpi_kept_t *kept)
{
    for (int i = 0; kept->array != NULL && i < kept->arrays; i++)
        free(kept->array[i]);
    free(kept->array);
    memset(kept, 0, sizeof *kept);
}

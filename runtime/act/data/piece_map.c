/* SPDX-License-Identifier: BSD-3-Clause
 * The piece map: where rows of the domain lie in the storage of an array. */
#include "act/data/piece_map.h"
#include "act/data/offsets.h"

#include <string.h>

xmpi_block_t xmpi_stored_rows(const xmpi_array_t *array, xmpi_block_t block)
{
    if (array->ghosts)
        return (xmpi_block_t){.count = block.count + 2 * array->halo, .displ = block.displ};
    return xmpi_rows_with_halo(block, array->halo, array->rows);
}

xmpi_block_t xmpi_owned_rows(const xmpi_array_t *array, xmpi_block_t block)
{
    int64_t halo = array->halo, end = block.displ + block.count;
    if (!array->ghosts || block.count == 0)
        return block;
    int64_t first = block.displ == 0 ? 0 : block.displ + halo;
    end += end == array->rows ? 2 * halo : halo;
    return (xmpi_block_t){.count = end - first, .displ = first};
}

/* Elements in front of stored row AT. */
static int64_t entries_before(const xmpi_array_t *array, const xmpi_storage_t *storage, int64_t at)
{
    if (at == 0)
        return 0;
    return xmpi_offset_get(storage->offsets, array->offset_bytes, at) -
           xmpi_offset_get(storage->offsets, array->offset_bytes, 0);
}

static int64_t row_stride(const xmpi_array_t *array)
{
    return array->row_stride > 0 ? array->row_stride : array->row_bytes;
}

static int64_t line_stride(const xmpi_array_t *array, int64_t stored)
{
    return array->line_stride > 0 ? array->line_stride : stored * array->element_bytes;
}

static xmpi_extent_t strip(int64_t offset, int64_t end)
{
    return (xmpi_extent_t){.offset = offset, .width = end - offset, .strips = 1};
}

xmpi_extent_t xmpi_extent_of(const xmpi_array_t *array, const xmpi_storage_t *storage,
                             int64_t first, int64_t rows)
{
    int64_t at = first - storage->rows.displ, stride = row_stride(array);
    switch (array->shape) {
    case XMPI_SHAPE_COLUMNS:
        return (xmpi_extent_t){.offset = at * array->element_bytes,
                               .width = rows * array->element_bytes,
                               .stride = line_stride(array, storage->rows.count),
                               .strips = array->lines};
    case XMPI_SHAPE_ENTRIES:
        return strip(entries_before(array, storage, at) * array->row_bytes,
                     entries_before(array, storage, at + rows) * array->row_bytes);
    default:
        if (stride == array->row_bytes)
            return strip(at * stride, (at + rows) * stride);
        return (xmpi_extent_t){
            .offset = at * stride, .width = array->row_bytes, .stride = stride, .strips = rows};
    }
}

int64_t xmpi_extent_bytes(const xmpi_extent_t *extent)
{
    return extent->width * extent->strips;
}

int64_t xmpi_storage_bytes(const xmpi_array_t *array, const xmpi_storage_t *storage)
{
    int64_t count = storage->rows.count;
    switch (array->shape) {
    case XMPI_SHAPE_COLUMNS:
        return array->lines * line_stride(array, count);
    case XMPI_SHAPE_OFFSETS:
        return (count + 1) * array->row_bytes;
    case XMPI_SHAPE_ENTRIES:
        return entries_before(array, storage, count) * array->row_bytes;
    default:
        return count * row_stride(array);
    }
}

void xmpi_extent_copy(char *to, const xmpi_extent_t *to_extent, const char *from,
                      const xmpi_extent_t *from_extent)
{
    to += to_extent->offset;
    from += from_extent->offset;
    if (to_extent->width == 0)
        return;
    for (int64_t i = 0; i < to_extent->strips; i++)
        memcpy(to + i * to_extent->stride, from + i * from_extent->stride,
               (size_t)to_extent->width);
}

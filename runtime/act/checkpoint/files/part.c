/* SPDX-License-Identifier: BSD-3-Clause
 * A part of a checkpoint. */
#define _POSIX_C_SOURCE 200809L
#include "act/checkpoint/files/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "act/checkpoint/files/chunks.h"
#include "act/checkpoint/files/lives.h"
#include "act/data/offsets.h"
#include "base/data/copy.h"
#include "base/data/digest.h"

enum { ALIGNED = 64 }; /* data of any type can be read where they are mapped */

static int64_t align(int64_t bytes)
{
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static bool is_distributed(const xmpi_array_t *array)
{
    return array->scheme == XMPI_GEN_DISTRIBUTED;
}

/* --- where rows are -----------------------------------------------------------------------------
 */

/* What the owner of BLOCK has in the program. */
static xmpi_storage_t own_storage(const xmpi_registry_t *registry, int i, xmpi_block_t block)
{
    const xmpi_array_t *array = &registry->array[i];
    const void *offsets = array->shape == XMPI_SHAPE_ENTRIES
                              ? xmpi_array_pointer(&registry->array[array->offsets])
                              : NULL;
    const xmpi_block_t all = {.count = array->rows, .displ = 0};
    return (xmpi_storage_t){.rows = is_distributed(array) ? xmpi_stored_rows(array, block) : all,
                            .base = xmpi_array_pointer(array),
                            .offsets = offsets};
}

/* Which rows of it go into its part: each row into one. */
static xmpi_block_t rows_of(const xmpi_array_t *array, xmpi_block_t block, int part)
{
    if (array->scheme == XMPI_GEN_REPLICATED)
        return (xmpi_block_t){.count = part == 0 ? array->rows : 0, .displ = 0};
    return is_distributed(array) ? xmpi_owned_rows(array, block) : block;
}

/* What the part has, where its data are. */
static xmpi_storage_t saved_storage(const xmpi_part_file_t *part, int i, const char *data)
{
    const xmpi_saved_array_t *saved = &part->array[i];
    const xmpi_saved_array_t *offsets = &part->array[saved->like.offsets];
    bool entries = saved->like.shape == XMPI_SHAPE_ENTRIES;
    return (xmpi_storage_t){.rows = saved->rows,
                            .base = (char *)data + saved->at,
                            .offsets = entries ? data + offsets->at : NULL};
}

static bool is_empty(const xmpi_storage_t *own, const xmpi_saved_array_t *saved)
{
    return own->base == NULL || saved->rows.count == 0 ||
           (saved->like.shape == XMPI_SHAPE_ENTRIES && own->offsets == NULL);
}

static int64_t bytes_of(const xmpi_saved_array_t *saved, const xmpi_storage_t *own)
{
    xmpi_extent_t extent;
    if (is_empty(own, saved) || saved->constant)
        return 0;
    if (saved->like.shape == XMPI_SHAPE_OFFSETS)
        return (saved->rows.count + 1) * saved->like.row_bytes;
    extent = xmpi_extent_of(&saved->like, own, saved->rows.displ, saved->rows.count);
    return xmpi_extent_bytes(&extent);
}

/* Whether the program's start makes it. */
static bool is_constant(const xmpi_registry_t *registry, int i, const xmpi_part_file_t *part)
{
    return part->pass <= 1 && xmpi_registry_is_constant(registry, i);
}

/* --- describing ---------------------------------------------------------------------------------
 */

/* Padding, pointers, clocks, and what need not have been set, differ from run to run. */
static bool can_be_compared(const char *elements)
{
    return elements == NULL || (strpbrk(elements, "?~x") == NULL);
}

static xmpi_status_t describe_array(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                                    xmpi_part_file_t *part)
{
    const xmpi_array_t *array = &registry->array[i];
    xmpi_saved_array_t *saved = &part->array[i];
    xmpi_storage_t own = own_storage(registry, i, block);
    *saved = (xmpi_saved_array_t){.like = *array,
                                  .rows = rows_of(array, block, part->part),
                                  .constant = is_constant(registry, i, part),
                                  .compared = can_be_compared(array->elements)};
    saved->like.own_name = strdup(array->name);
    if (saved->like.own_name == NULL)
        return XMPI_ERR_MEMORY;
    saved->like.name = saved->like.own_name;
    if (is_empty(&own, saved))
        saved->rows.count = 0;
    saved->bytes = bytes_of(saved, &own);
    saved->like.row_stride = saved->like.line_stride = 0;
    saved->at = part->bytes;
    part->bytes = align(part->bytes + saved->bytes);
    return XMPI_OK;
}

xmpi_status_t xmpi_part_describe(const xmpi_registry_t *registry, xmpi_block_t block, int64_t lives,
                                 xmpi_part_file_t *part)
{
    xmpi_status_t status = XMPI_OK;
    part->block = block;
    part->domain = registry->domain;
    part->bytes = 0;
    part->array = calloc((size_t)registry->arrays + 1, sizeof *part->array);
    part->arrays = part->array != NULL ? registry->arrays : 0;
    for (int i = 0; i < part->arrays && status == XMPI_OK; i++)
        status = describe_array(registry, i, block, part);
    part->lives_at = part->bytes;
    part->lives_bytes = part->part == 0 ? lives : 0;
    part->bytes = align(part->bytes + part->lives_bytes);
    return part->array != NULL ? status : XMPI_ERR_MEMORY;
}

void xmpi_part_free(xmpi_part_file_t *part)
{
    for (int i = 0; part->array != NULL && i < part->arrays; i++)
        free(part->array[i].like.own_name);
    free(part->array);
    part->array = NULL;
    part->arrays = 0;
}

static xmpi_stretch_t stretch_of(const xmpi_registry_t *registry, int i,
                                 const xmpi_part_file_t *part)
{
    const xmpi_saved_array_t *saved = &part->array[i];
    xmpi_storage_t own = own_storage(registry, i, part->block);
    int64_t first = saved->rows.displ;
    if (saved->bytes == 0)
        return (xmpi_stretch_t){0};
    if (saved->like.shape == XMPI_SHAPE_OFFSETS)
        return (xmpi_stretch_t){.from = own.base + (first - own.rows.displ) * saved->like.row_bytes,
                                .bytes = saved->bytes};
    xmpi_extent_t extent = xmpi_extent_of(&registry->array[i], &own, first, saved->rows.count);
    return (xmpi_stretch_t){.from = own.base + extent.offset,
                            .bytes = extent.width,
                            .more = extent.strips - 1,
                            .stride = extent.stride};
}

void xmpi_part_stretches(const xmpi_registry_t *registry, const xmpi_part_file_t *part,
                         xmpi_stretch_t *stretch)
{
    for (int i = 0; i < part->arrays; i++)
        stretch[i] = stretch_of(registry, i, part);
}

/* --- copying ------------------------------------------------------------------------------------
 */

static void copy_stretch(const xmpi_stretch_t *stretch, char *to)
{
    for (int64_t i = 0; i <= stretch->more && stretch->bytes > 0; i++)
        xmpi_copy_past(to + i * stretch->bytes, stretch->from + i * stretch->stride,
                       (size_t)stretch->bytes);
}

void xmpi_part_copy(const xmpi_registry_t *registry, const xmpi_pack_t *lives,
                    const xmpi_part_file_t *part, char *data)
{
    for (int i = 0; i < part->arrays; i++) {
        xmpi_stretch_t stretch = stretch_of(registry, i, part);
        copy_stretch(&stretch, data + part->array[i].at);
    }
    if (part->lives_bytes > 0)
        memcpy(data + part->lives_at, lives->data, (size_t)part->lives_bytes);
}

/* --- digests ------------------------------------------------------------------------------------
 */

/* The same however rows are stored and divided. */
static uint64_t digest_row(const xmpi_array_t *array, const xmpi_storage_t *own, int64_t row)
{
    uint64_t digest = (uint64_t)row + 1;
    if (array->shape == XMPI_SHAPE_OFFSETS) {
        int64_t at = row - own->rows.displ;
        int64_t length = xmpi_offset_get(own->base, array->offset_bytes, at + 1) -
                         xmpi_offset_get(own->base, array->offset_bytes, at);
        return xmpi_digest_bytes(&length, sizeof length, digest);
    }
    xmpi_extent_t extent = xmpi_extent_of(array, own, row, 1);
    for (int64_t i = 0; i < extent.strips; i++)
        digest = xmpi_digest_bytes(own->base + extent.offset + i * extent.stride,
                                   (size_t)extent.width, digest);
    return digest;
}

void xmpi_part_digest_constants(const xmpi_registry_t *registry, xmpi_part_file_t *part)
{
    for (int i = 0; i < part->arrays; i++) {
        xmpi_saved_array_t *saved = &part->array[i];
        if (!saved->constant || !saved->compared)
            continue;
        xmpi_storage_t own = own_storage(registry, i, part->block);
        saved->digest = 0;
        for (int64_t row = 0; row < saved->rows.count; row++)
            saved->digest += digest_row(&registry->array[i], &own, saved->rows.displ + row);
    }
}

void xmpi_part_digest_data(const char *data, xmpi_part_file_t *part)
{
    for (int i = 0; i < part->arrays; i++)
        if (!part->array[i].constant)
            part->array[i].digest =
                xmpi_chunks_digest(data + part->array[i].at, part->array[i].bytes);
    part->lives_digest = xmpi_chunks_digest(data + part->lives_at, part->lives_bytes);
}

/* --- restoring ----------------------------------------------------------------------------------
 */

static const xmpi_saved_array_t *find(const xmpi_part_file_t *part, const char *name)
{
    for (int i = 0; i < part->arrays; i++)
        if (strcmp(part->array[i].like.name, name) == 0)
            return &part->array[i];
    return NULL;
}

static bool is_alike(const xmpi_array_t *a, const xmpi_array_t *b)
{
    return a->scheme == b->scheme && a->rows == b->rows && a->row_bytes == b->row_bytes &&
           a->shape == b->shape && a->ghosts == b->ghosts && (!a->ghosts || a->halo == b->halo) &&
           (a->shape != XMPI_SHAPE_COLUMNS ||
            (a->lines == b->lines && a->element_bytes == b->element_bytes)) &&
           (a->shape < XMPI_SHAPE_OFFSETS || a->offset_bytes == b->offset_bytes);
}

bool xmpi_part_fits(const xmpi_registry_t *registry, const xmpi_part_file_t *part,
                    xmpi_error_t *why)
{
    if (part->arrays != registry->arrays || part->domain != registry->domain) {
        xmpi_error_set(why, XMPI_ERR_INPUT,
                       "it is of another program or problem: %d arrays of %" PRId64
                       " rows, here %d of %" PRId64,
                       part->arrays, part->domain, registry->arrays, registry->domain);
        return false;
    }
    for (int i = 0; i < registry->arrays; i++) {
        const xmpi_array_t *array = &registry->array[i];
        const xmpi_saved_array_t *saved = find(part, array->name);
        if (saved != NULL && is_alike(&saved->like, array) &&
            saved->constant == is_constant(registry, i, part))
            continue;
        xmpi_error_set(why, XMPI_ERR_INPUT, "it is of another program or problem: %s %s",
                       saved == NULL ? "it does not have the array" : "another shape has the array",
                       array->name);
        return false;
    }
    return true;
}

/* Rows that are in both. */
static xmpi_block_t common(xmpi_block_t a, xmpi_block_t b)
{
    int64_t first = a.displ > b.displ ? a.displ : b.displ;
    int64_t a_end = a.displ + a.count, b_end = b.displ + b.count;
    int64_t end = a_end < b_end ? a_end : b_end;
    return (xmpi_block_t){.count = end > first ? end - first : 0, .displ = first};
}

static bool has_lengths(const xmpi_saved_array_t *saved, const xmpi_storage_t *own,
                        const xmpi_storage_t *copy, xmpi_block_t rows)
{
    int bytes = saved->like.offset_bytes;
    for (int64_t row = rows.displ; row < rows.displ + rows.count; row++) {
        int64_t here = row - own->rows.displ, there = row - copy->rows.displ;
        if (xmpi_offset_get(own->base, bytes, here + 1) - xmpi_offset_get(own->base, bytes, here) !=
            xmpi_offset_get(copy->base, bytes, there + 1) -
                xmpi_offset_get(copy->base, bytes, there))
            return false;
    }
    return true;
}

/* Whether the rows of array I of BLOCK that SAVED has can be put in. */
static bool has_memory(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                       const xmpi_saved_array_t *saved)
{
    xmpi_storage_t own = own_storage(registry, i, block);
    return saved->bytes == 0 || own.base != NULL || common(own.rows, saved->rows).count == 0;
}

bool xmpi_part_has_room(const xmpi_registry_t *registry, xmpi_block_t block,
                        const xmpi_part_file_t *part, const char *data, xmpi_error_t *why)
{
    for (int i = 0; i < registry->arrays; i++) {
        const xmpi_saved_array_t *saved = find(part, registry->array[i].name);
        if (part->pass > 1 && !has_memory(registry, i, block, saved)) {
            xmpi_error_set(why, XMPI_ERR_INPUT,
                           "the program does not get memory for %s on its way to the loop",
                           registry->array[i].name);
            return false;
        }
        if (saved->like.shape != XMPI_SHAPE_OFFSETS || saved->bytes == 0)
            continue;
        xmpi_storage_t own = own_storage(registry, i, block);
        xmpi_storage_t copy = saved_storage(part, (int)(saved - part->array), data);
        xmpi_block_t rows = common(own.rows, saved->rows);
        if (own.base == NULL || has_lengths(saved, &own, &copy, rows))
            continue;
        xmpi_error_set(why, XMPI_ERR_INPUT,
                       "rows of the sparse matrix of %s have other lengths than the program's "
                       "start makes them",
                       registry->array[i].name);
        return false;
    }
    return true;
}

void xmpi_part_restore(const xmpi_registry_t *registry, xmpi_block_t block,
                       const xmpi_part_file_t *part, const char *data)
{
    for (int i = 0; i < registry->arrays; i++) {
        const xmpi_saved_array_t *saved = find(part, registry->array[i].name);
        xmpi_storage_t own = own_storage(registry, i, block);
        xmpi_storage_t copy = saved_storage(part, (int)(saved - part->array), data);
        xmpi_block_t rows = common(own.rows, saved->rows);
        if (saved->bytes == 0 || rows.count == 0 || own.base == NULL ||
            saved->like.shape == XMPI_SHAPE_OFFSETS)
            continue;
        xmpi_extent_t to = xmpi_extent_of(&registry->array[i], &own, rows.displ, rows.count);
        xmpi_extent_t from = xmpi_extent_of(&saved->like, &copy, rows.displ, rows.count);
        xmpi_extent_copy(own.base, &to, copy.base, &from);
    }
    if (part->lives_bytes > 0) {
        xmpi_pack_t lives = {.data = (char *)data + part->lives_at,
                             .size = (size_t)part->lives_bytes};
        if (part->pass > 1)
            xmpi_registry_get_lives(&lives, registry, NULL);
        else
            xmpi_lives_restore(registry, &lives);
    }
}

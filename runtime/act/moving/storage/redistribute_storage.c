/* SPDX-License-Identifier: BSD-3-Clause
 * Storage for what one process will have behind a redistribution. */
#include "act/moving/storage/redistribute_storage.h"

#include <inttypes.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

#include "act/moving/storage/on_disk.h"
#include "act/moving/storage/pages.h"
#include "act/moving/storage/slide_calls.h"
#include "act/moving/storage/slides.h"
#include "act/moving/storage/spare.h"

/* SLIDE_LEAST: a block of fewer bytes is copied in about the time of a few calls of the system, of
 * which a slide costs some when it is made (and none as long as a block sways in its room). */
enum { DENSER = 8, SLIDE_LEAST = 64 << 10 };

/* From the begin of the storage before to those of the storage after, where some rows stay. */
static int64_t way_to_after(const xmpi_array_t *array, const xmpi_move_t *move)
{
    int64_t before = move->before.rows.displ, after = move->after.rows.displ;
    if (after >= before)
        return xmpi_extent_of(array, &move->before, after, 0).offset;
    return -xmpi_extent_of(array, &move->after, before, 0).offset;
}

/* What malloc promises the program of where a block begins. */
static bool is_aligned(int64_t way)
{
    return way % (int64_t) _Alignof(max_align_t) == 0;
}

/* Whether storage of the array may be in a slide: who moves and frees it is this executor, or the
 * program. What is in the halo of the old block is no reason for places of the new one in a sparse
 * matrix; and it may be read by the program while others' copies of it come in the background. */
static bool slides(const xmpi_local_t *local, const xmpi_array_t *array)
{
    bool sparse = array->shape == XMPI_SHAPE_ENTRIES;
    return (array->shape == XMPI_SHAPE_ROWS || sparse) && array->scheme == XMPI_GEN_DISTRIBUTED &&
           array->holds == XMPI_SLOT_POINTER && array->fixed == 0 && !array->outofcore &&
           local->registry->allocate == NULL &&
           (array->halo == 0 || (!sparse && local->arrays != XMPI_ARRAYS_CONSTANT));
}

/* Whether the rows that stay lie where they lie: in a slide in which the others have places, too.
 */
static bool can_slide(const xmpi_local_t *local, const xmpi_array_t *array, const xmpi_move_t *move)
{
    if (!slides(local, array) || move->transfer.keep.rows == 0)
        return false;
    int64_t from = way_to_after(array, move);
    return is_aligned(from) && xmpi_slide_reaches(move->old, from, from + move->after_bytes);
}

/* Of storage: what the block needs, and room that was left. */
static int64_t bytes_of(void *storage)
{
    return (int64_t)malloc_usable_size(storage);
}

/* What is kept is for who needs memory. */
static void *malloc_all(size_t size)
{
    void *block = malloc(size);
    if (block != NULL)
        return block;
    xmpi_spare_free();
    return malloc(size);
}

static xmpi_status_t no_memory(xmpi_local_t *local, int i)
{
    return xmpi_error_set(&local->error, XMPI_ERR_MEMORY,
                          "no memory for %" PRId64 " bytes of the array %s",
                          local->move[i].after_bytes, xmpi_local_array(local, i)->name);
}

/* Address space for ROWS more rows beside a block. Sparse ones may have many more elements than
 * those that are here. */
static int64_t room_beside(const xmpi_array_t *array, const xmpi_move_t *move, int64_t rows)
{
    int64_t row = move->after_bytes / move->after.rows.count;
    return array->shape == XMPI_SHAPE_ENTRIES ? DENSER * (row + array->row_bytes) * rows
                                              : row * rows;
}

/* For rows of which some stay here, as pages where a block may begin so, and all will lie where
 * they lie from now on; NULL: there is none, or it is not worth it. */
static void *make_slide(const xmpi_local_t *local, const xmpi_array_t *array,
                        const xmpi_move_t *move)
{
    if (!slides(local, array) || move->transfer.keep.rows == 0 || move->after_bytes < SLIDE_LEAST ||
        !xmpi_slide_calls_are_ours())
        return NULL;
    xmpi_block_t own = move->after.rows;
    int64_t all = array->rows + (array->ghosts ? 2 * array->halo : 0);
    int64_t way = way_to_after(array, move);
    return xmpi_slide_make(room_beside(array, move, own.displ), move->after_bytes,
                           room_beside(array, move, all - own.displ - own.count),
                           is_aligned(way) ? move->before.base + way : NULL);
}

static xmpi_status_t allocate(xmpi_local_t *local, int i)
{
    xmpi_move_t *move = &local->move[i];
    size_t size = move->after_bytes > 0 ? (size_t)move->after_bytes : 1;
    void *(*own)(size_t) = local->registry->allocate;
    if (own != NULL) {
        move->fresh = own(size);
    } else {
        move->fresh = make_slide(local, xmpi_local_array(local, i), move);
        if (move->fresh == NULL)
            move->fresh = xmpi_spare_take(size);
        move->spare = move->fresh != NULL && !xmpi_slide_has(move->fresh);
        if (move->fresh == NULL)
            move->fresh = malloc_all(size);
    }
    return move->fresh != NULL ? XMPI_OK : no_memory(local, i);
}

static xmpi_status_t make_file(xmpi_local_t *local, int i)
{
    xmpi_move_t *move = &local->move[i];
    xmpi_status_t status = xmpi_file_move_make(xmpi_local_array(local, i), move->after_bytes,
                                               &move->file, &local->error);
    move->after.base = move->file.after;
    return status;
}

/* New storage; on disk where it does not fit in memory. */
static xmpi_status_t allocate_fresh(xmpi_local_t *local, int i)
{
    xmpi_move_t *move = &local->move[i];
    if (move->in_file)
        return make_file(local, i);
    bool goes = xmpi_goes_to_disk(local->registry, i, move->after_bytes);
    xmpi_status_t status = allocate(local, i);
    if (status == XMPI_OK && goes)
        status = xmpi_put_on_disk(local->registry, i, move->fresh, &local->error);
    move->after.base = move->fresh;
    return status;
}

/* Whether array I is on disk (another one may have changed places with it), or goes there. Storage
 * there does not grow where it is. */
static bool is_on_disk(const xmpi_local_t *local, int i)
{
    const xmpi_move_t *move = &local->move[i];
    return move->in_file || xmpi_is_on_disk(local->registry, move->old) ||
           xmpi_goes_to_disk(local->registry, i, move->after_bytes);
}

/* The rows that come get their places beside those that stay. */
static xmpi_status_t slide(xmpi_local_t *local, int i)
{
    xmpi_move_t *move = &local->move[i];
    int64_t from = way_to_after(xmpi_local_array(local, i), move);
    if (!xmpi_slide_open(move->old, from, from + move->after_bytes)) {
        xmpi_spare_free(); /* what is kept is for who needs memory */
        if (!xmpi_slide_open(move->old, from, from + move->after_bytes))
            return no_memory(local, i);
    }
    move->keeping = XMPI_STORAGE_SLID;
    move->after.base = move->before.base + from;
    return XMPI_OK;
}

/* One that grows gets a reserve of its new size: it is not touched unless it cannot grow where it
 * is. None is needed where an earlier block has left room. Little is copied to new storage, as it
 * would be to grow: so all know from the begin where it lies. */
xmpi_status_t xmpi_local_allocate(xmpi_local_t *local, int i)
{
    xmpi_move_t *move = &local->move[i];
    const xmpi_array_t *array = xmpi_local_array(local, i);
    if (move->keeping == XMPI_STORAGE_STAYS) {
        move->after.base = move->before.base;
        return move->in_file && move->transfer.receives > 0
                   ? xmpi_file_move_fill(array, &move->file, &local->error)
                   : XMPI_OK;
    }
    move->after_bytes = xmpi_storage_bytes(array, &move->after);
    if (can_slide(local, array, move))
        return slide(local, i);
    move->on_disk = is_on_disk(local, i);
    if (move->keeping == XMPI_STORAGE_RESIZED && move->after_bytes <= bytes_of(move->old)) {
        move->after.base = move->before.base;
        return XMPI_OK;
    }
    if (move->keeping == XMPI_STORAGE_RESIZED &&
        (move->on_disk || !xmpi_pages_worth(bytes_of(move->old))))
        move->keeping = XMPI_STORAGE_FRESH;
    return allocate_fresh(local, i);
}

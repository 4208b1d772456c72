/* SPDX-License-Identifier: BSD-3-Clause
 * The part of one process in a redistribution: layouts, storage and messages. */
#include "act/moving/storage/redistribute_local.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "act/data/offsets.h"
#include "act/moving/storage/on_disk.h"
#include "act/moving/storage/pages.h"
#include "act/moving/storage/redistribute_storage.h"

static bool is_sparse(const xmpi_array_t *array)
{
    return array->shape == XMPI_SHAPE_OFFSETS || array->shape == XMPI_SHAPE_ENTRIES;
}

static bool is_in_background(const xmpi_local_t *local)
{
    return local->arrays == XMPI_ARRAYS_CONSTANT;
}

static bool takes_part(const xmpi_local_t *local, int i)
{
    bool constant = xmpi_registry_is_constant(local->registry, i);
    return local->arrays == XMPI_ARRAYS_ALL || constant == is_in_background(local);
}

/* --- which rows ------------------------------------------------------------------------------- */

/* The rows that a process stores before or after. */
static xmpi_block_t stored(const xmpi_array_t *array, const xmpi_change_t *change, int process,
                           bool after)
{
    xmpi_block_t all = {.count = array->rows, .displ = 0}, none = {0, 0};
    if (after ? change->new_rank[process] < 0 : process >= change->olds)
        return none;
    if (array->scheme != XMPI_GEN_DISTRIBUTED)
        return all;
    return xmpi_stored_rows(array, after ? change->new_block[process] : change->old_block[process]);
}

static xmpi_status_t make_transfer(const xmpi_array_t *array, const xmpi_change_t *change, int me,
                                   xmpi_transfer_t *transfer)
{
    if (array->scheme == XMPI_GEN_REPLICATED)
        return xmpi_transfer_replicate(change->transit, change->olds, array->rows, me, transfer);
    size_t processes = (size_t)change->transit;
    xmpi_block_t *needed = calloc(2 * processes, sizeof *needed), *owned = needed + processes;
    if (needed == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < change->transit; i++) {
        needed[i] = stored(array, change, i, true);
        owned[i] = xmpi_owned_rows(array, change->old_block[i]);
    }
    xmpi_status_t status = xmpi_transfer_blocks(change->transit, owned, needed, me, transfer);
    free(needed);
    return status;
}

/* Elements of a sparse row can be others than those of the halo's copy, so that positions hold only
 * where there is no halo. */
static xmpi_keeping_t choose_keeping(const xmpi_local_t *local, const xmpi_array_t *array,
                                     const xmpi_move_t *move)
{
    xmpi_block_t before = move->before.rows, after = move->after.rows;
    bool same_begin = before.displ == after.displ;
    if (!xmpi_local_is_new(local))
        return XMPI_STORAGE_STAYS;
    if (!xmpi_local_is_old(local) || !same_begin || move->file.empty)
        return XMPI_STORAGE_FRESH;
    if (is_in_background(local) && (move->transfer.receives > 0 || after.count > before.count))
        return XMPI_STORAGE_FRESH;
    if (before.count == after.count && (!is_sparse(array) || move->transfer.receives == 0))
        return XMPI_STORAGE_STAYS;
    if (array->fixed > 0 || move->in_file)
        return XMPI_STORAGE_FRESH;
    switch (array->shape) {
    case XMPI_SHAPE_ROWS:
        return XMPI_STORAGE_RESIZED;
    case XMPI_SHAPE_COLUMNS:
        return array->line_stride > 0 ? XMPI_STORAGE_STAYS : XMPI_STORAGE_FRESH;
    case XMPI_SHAPE_ENTRIES:
        return array->halo == 0 && array->scheme == XMPI_GEN_DISTRIBUTED ? XMPI_STORAGE_RESIZED
                                                                         : XMPI_STORAGE_FRESH;
    default:
        return XMPI_STORAGE_FRESH;
    }
}

/* --- storage ---------------------------------------------------------------------------------- */

/* Pointers must not fall. */
static xmpi_status_t check_offsets(xmpi_local_t *local, int i)
{
    const xmpi_array_t *array = xmpi_local_array(local, i);
    const xmpi_move_t *move = &local->move[i];
    int bytes = array->offset_bytes;
    for (int64_t row = 0; row < move->before.rows.count; row++)
        if (xmpi_offset_get(move->old, bytes, row + 1) < xmpi_offset_get(move->old, bytes, row))
            return xmpi_error_set(&local->error, XMPI_ERR_INPUT,
                                  "the row pointers %s fall at row %" PRId64, array->name,
                                  move->before.rows.displ + row);
    return XMPI_OK;
}

/* There must be storage, and room in a line for its columns. */
static xmpi_status_t check_array(xmpi_local_t *local, int i)
{
    const xmpi_array_t *array = xmpi_local_array(local, i);
    const xmpi_move_t *move = &local->move[i];
    xmpi_block_t before = move->before.rows, after = move->after.rows;
    int64_t most = before.count > after.count ? before.count : after.count;
    if (move->old == NULL && before.count > 0 && xmpi_storage_bytes(array, &move->before) > 0)
        return xmpi_error_set(&local->error, XMPI_ERR_INPUT,
                              "the pointer to the array %s is NULL, but it has %" PRId64
                              " rows here",
                              array->name, before.count);
    if (array->line_stride > 0 && most * array->element_bytes > array->line_stride)
        return xmpi_error_set(&local->error, XMPI_ERR_INPUT,
                              "the array %s has a leading dimension of %" PRId64
                              " elements, too few for %" PRId64 " columns",
                              array->name, array->line_stride / array->element_bytes, most);
    if (array->fixed > 0 && xmpi_storage_bytes(array, &move->after) > array->fixed)
        return xmpi_error_set(&local->error, XMPI_ERR_MEMORY,
                              "the array %s has room for %" PRId64 " rows, but would get %" PRId64,
                              array->name, array->fixed / array->row_bytes, after.count);
    if (array->shape == XMPI_SHAPE_OFFSETS)
        return check_offsets(local, i);
    return XMPI_OK;
}

/* Row pointers travel as the lengths of rows, which are the same wherever a row lies. */
static xmpi_status_t open_offsets(xmpi_local_t *local, int i)
{
    xmpi_move_t *move = &local->move[i];
    int bytes = xmpi_local_array(local, i)->offset_bytes;
    int64_t rows = move->before.rows.count;
    move->lengths = malloc((size_t)(rows + 1) * (size_t)bytes);
    if (move->lengths == NULL)
        return xmpi_error_set(&local->error, XMPI_ERR_MEMORY, "no memory for lengths of rows");
    for (int64_t row = 0; row < rows; row++)
        xmpi_offset_set(move->lengths, bytes, row,
                        xmpi_offset_get(move->old, bytes, row + 1) -
                            xmpi_offset_get(move->old, bytes, row));
    move->before.base = move->lengths;
    if (move->keeping == XMPI_STORAGE_FRESH)
        move->after.base += bytes; /* behind the first pointer; they are added up later */
    return XMPI_OK;
}

/* Where rows are that the process has. */
static xmpi_status_t open_storage(xmpi_local_t *local, int i)
{
    xmpi_move_t *move = &local->move[i];
    const xmpi_array_t *array = xmpi_local_array(local, i);
    xmpi_status_t status = XMPI_OK;
    move->before.rows = stored(array, local->change, local->me, false);
    move->after.rows = stored(array, local->change, local->me, true);
    move->in_file = array->holds != XMPI_SLOT_POINTER;
    move->on_disk = move->in_file;
    xmpi_file_move_none(&move->file);
    if (move->in_file && xmpi_local_is_old(local))
        status = xmpi_file_move_open(array, xmpi_storage_bytes(array, &move->before), &move->file,
                                     &local->error);
    if (xmpi_local_is_old(local))
        move->old = move->in_file ? move->file.before : xmpi_array_pointer(array);
    move->before.base = move->old;
    if (array->shape == XMPI_SHAPE_ENTRIES)
        move->before.offsets = local->move[array->offsets].old;
    return status;
}

static xmpi_status_t read_pieces(xmpi_local_t *local, int i, const xmpi_storage_t *storage,
                                 const xmpi_piece_t *piece, int pieces)
{
    xmpi_status_t status = XMPI_OK;
    const xmpi_move_t *move = &local->move[i];
    const xmpi_array_t *array = xmpi_local_array(local, i);
    for (int k = 0; k < pieces && status == XMPI_OK; k++) {
        xmpi_extent_t extent = xmpi_extent_of(array, storage, piece[k].first, piece[k].rows);
        status = xmpi_file_move_read(array, &move->file, extent.offset, extent.width, NULL,
                                     &local->error);
    }
    return status;
}

/* What a change needs of a file is read before the members agree on it, and what stays here is
 * copied: a disk that cannot read calls it off. (Where others' rows come into the old file the
 * pages around them are read.) */
static xmpi_status_t read_file(xmpi_local_t *local, int i)
{
    const xmpi_move_t *move = &local->move[i];
    const xmpi_array_t *array = xmpi_local_array(local, i);
    const xmpi_piece_t keep = move->transfer.keep;
    xmpi_status_t status =
        read_pieces(local, i, &move->before, move->transfer.send, move->transfer.sends);
    if (status == XMPI_OK && move->keeping == XMPI_STORAGE_STAYS)
        return read_pieces(local, i, &move->after, move->transfer.receive, move->transfer.receives);
    if (status != XMPI_OK || keep.rows == 0)
        return status;
    xmpi_extent_t from = xmpi_extent_of(array, &move->before, keep.first, keep.rows);
    xmpi_extent_t to = xmpi_extent_of(array, &move->after, keep.first, keep.rows);
    return xmpi_file_move_read(array, &move->file, from.offset, from.width,
                               move->after.base + to.offset, &local->error);
}

static xmpi_status_t open_array(xmpi_local_t *local, int i)
{
    xmpi_move_t *move = &local->move[i];
    const xmpi_array_t *array = xmpi_local_array(local, i);
    move->left_out = !takes_part(local, i);
    if (move->left_out)
        return XMPI_OK;
    xmpi_status_t status = make_transfer(array, local->change, local->me, &move->transfer);
    if (status != XMPI_OK)
        return xmpi_error_set(&local->error, status, "no memory for the transfer plan");
    status = open_storage(local, i);
    if (status != XMPI_OK)
        return status;
    move->keeping = choose_keeping(local, array, move);
    status = check_array(local, i);
    if (status == XMPI_OK && array->shape != XMPI_SHAPE_ENTRIES) /* whose lengths are to come */
        status = xmpi_local_allocate(local, i);
    if (status == XMPI_OK && array->shape == XMPI_SHAPE_OFFSETS)
        status = open_offsets(local, i);
    if (status == XMPI_OK && move->in_file && xmpi_local_is_old(local))
        status = read_file(local, i);
    return status;
}

xmpi_status_t xmpi_local_open(const xmpi_registry_t *registry, const xmpi_change_t *change, int me,
                              xmpi_arrays_t arrays, xmpi_local_t *local)
{
    size_t pieces = 0;
    memset(local, 0, sizeof *local);
    local->registry = registry;
    local->change = change;
    local->me = me;
    local->arrays = arrays;
    local->move = calloc((size_t)registry->arrays + 1, sizeof *local->move);
    if (local->move == NULL)
        return xmpi_error_set(&local->error, XMPI_ERR_MEMORY, "no memory for the transfer plan");
    local->moves = registry->arrays;
    for (int i = 0; i < registry->arrays; i++) {
        xmpi_status_t status = open_array(local, i);
        if (status != XMPI_OK)
            return status;
        pieces += (size_t)(local->move[i].transfer.sends + local->move[i].transfer.receives);
    }
    local->message = calloc(pieces + 1, sizeof *local->message);
    if (local->message == NULL)
        return xmpi_error_set(&local->error, XMPI_ERR_MEMORY, "no memory for the transfer plan");
    return XMPI_OK;
}

/* --- messages --------------------------------------------------------------------------------- */

static xmpi_stage_t stage_of(const xmpi_array_t *array)
{
    return array->shape == XMPI_SHAPE_OFFSETS ? XMPI_STAGE_LENGTHS : XMPI_STAGE_DATA;
}

static int list_pieces(xmpi_local_t *local, int i, bool sending, int part, int parts, int n)
{
    const xmpi_move_t *move = &local->move[i];
    const xmpi_storage_t *storage = sending ? &move->before : &move->after;
    const xmpi_piece_t *piece = sending ? move->transfer.send : move->transfer.receive;
    int pieces = sending ? move->transfer.sends : move->transfer.receives;
    for (int k = 0; k < pieces; k++) {
        xmpi_piece_t now = xmpi_transfer_part(piece[k], part, parts);
        xmpi_extent_t extent =
            xmpi_extent_of(xmpi_local_array(local, i), storage, now.first, now.rows);
        if (xmpi_extent_bytes(&extent) > 0)
            local->message[n++] = (xmpi_message_t){sending, now.peer, i, storage->base, extent};
    }
    return n;
}

int xmpi_local_messages(xmpi_local_t *local, xmpi_stage_t stage, int part, int parts)
{
    int n = 0;
    for (int i = 0; i < local->moves; i++) {
        if (stage_of(xmpi_local_array(local, i)) != stage)
            continue;
        n = list_pieces(local, i, false, part, parts, n);
        n = list_pieces(local, i, true, part, parts, n);
    }
    return n;
}

/* Whether what is kept, of an array that gets new storage, is nowhere else needed from the old one.
 * Pages of files stay where they are. */
static bool keeps_alone(const xmpi_array_t *array, const xmpi_move_t *move)
{
    return !move->on_disk && array->scheme == XMPI_GEN_DISTRIBUTED && array->halo == 0 &&
           array->shape != XMPI_SHAPE_OFFSETS && array->fixed == 0;
}

static void keep_piece(const xmpi_array_t *array, const xmpi_move_t *move, xmpi_piece_t piece,
                       xmpi_keep_t what)
{
    xmpi_extent_t from = xmpi_extent_of(array, &move->before, piece.first, piece.rows);
    xmpi_extent_t to = xmpi_extent_of(array, &move->after, piece.first, piece.rows);
    char *old = move->before.base + from.offset, *place = move->after.base + to.offset;
    bool alone = keeps_alone(array, move) && to.strips == 1;
    bool pages = alone && xmpi_pages_movable(place, old, (size_t)to.width);
    if (what != XMPI_KEEP_ALL && pages != (what == XMPI_KEEP_PAGES))
        return;
    if (alone && what != XMPI_KEEP_COPIES)
        xmpi_pages_move(place, old, (size_t)to.width);
    else
        xmpi_extent_copy(move->after.base, &to, move->before.base, &from);
}

void xmpi_local_keep(const xmpi_local_t *local, xmpi_stage_t stage, int part, int parts,
                     xmpi_keep_t what)
{
    for (int i = 0; i < local->moves; i++) {
        const xmpi_move_t *move = &local->move[i];
        xmpi_piece_t now = xmpi_transfer_part(move->transfer.keep, part, parts);
        if (move->in_file)
            continue; /* it was copied before all agreed */
        if (stage_of(xmpi_local_array(local, i)) == stage && move->keeping == XMPI_STORAGE_FRESH &&
            now.rows > 0)
            keep_piece(xmpi_local_array(local, i), move, now, what);
    }
}

/* --- row pointers ----------------------------------------------------------------------------- */

/* Turns lengths into pointers. */
static xmpi_status_t add_up(xmpi_local_t *local, int i)
{
    xmpi_move_t *move = &local->move[i];
    const xmpi_array_t *array = xmpi_local_array(local, i);
    int bytes = array->offset_bytes;
    int64_t at = array->origin;
    xmpi_offset_set(move->fresh, bytes, 0, at);
    for (int64_t row = 1; row <= move->after.rows.count; row++) {
        at += xmpi_offset_get(move->fresh, bytes, row);
        if (bytes == 4 && at > INT32_MAX)
            return xmpi_error_set(&local->error, XMPI_ERR_INPUT,
                                  "the row pointers %s are too narrow for a block with more than "
                                  "%d elements",
                                  array->name, INT32_MAX);
        xmpi_offset_set(move->fresh, bytes, row, at);
    }
    return XMPI_OK;
}

/* The row pointers of the rows that are stored after. */
static const void *offsets_after(const xmpi_move_t *offsets)
{
    return offsets->keeping == XMPI_STORAGE_FRESH ? offsets->fresh : offsets->old;
}

xmpi_status_t xmpi_local_lengths_done(xmpi_local_t *local)
{
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < local->moves && status == XMPI_OK; i++) {
        xmpi_move_t *move = &local->move[i];
        const xmpi_array_t *array = xmpi_local_array(local, i);
        if (array->shape == XMPI_SHAPE_OFFSETS && move->keeping == XMPI_STORAGE_FRESH)
            status = add_up(local, i);
        if (array->shape == XMPI_SHAPE_ENTRIES && !move->left_out) {
            move->after.offsets = offsets_after(&local->move[array->offsets]);
            status = xmpi_local_allocate(local, i);
        }
    }
    return status;
}

bool xmpi_local_has_sparse(const xmpi_local_t *local)
{
    for (int i = 0; i < local->moves; i++)
        if (xmpi_local_array(local, i)->shape == XMPI_SHAPE_OFFSETS && !local->move[i].left_out)
            return true;
    return false;
}

bool xmpi_local_needs_shift(const xmpi_local_t *local, int i)
{
    const xmpi_array_t *array = xmpi_local_array(local, i);
    return array->shape == XMPI_SHAPE_OFFSETS && array->global &&
           array->scheme == XMPI_GEN_DISTRIBUTED && !local->move[i].left_out;
}

/* Elements between stored rows FROM and TO, counted from the first that is stored. */
static int64_t entries_between(const xmpi_local_t *local, int i, int64_t from, int64_t to)
{
    const void *offsets = offsets_after(&local->move[i]);
    int bytes = xmpi_local_array(local, i)->offset_bytes;
    return xmpi_offset_get(offsets, bytes, to) - xmpi_offset_get(offsets, bytes, from);
}

int64_t xmpi_local_own_entries(const xmpi_local_t *local, int array)
{
    xmpi_block_t own = local->change->new_block[local->me];
    int64_t at = own.displ - local->move[array].after.rows.displ;
    if (!xmpi_local_is_new(local) || own.count == 0)
        return 0;
    return entries_between(local, array, at, at + own.count);
}

void xmpi_local_shift(xmpi_local_t *local, int array, const int64_t *entries)
{
    const xmpi_change_t *change = local->change;
    xmpi_move_t *move = &local->move[array];
    xmpi_block_t own = change->new_block[local->me];
    int bytes = xmpi_local_array(local, array)->offset_bytes;
    if (move->keeping != XMPI_STORAGE_FRESH)
        return;
    int64_t before = 0;
    for (int i = 0; i < change->transit; i++)
        if (change->new_block[i].displ < own.displ)
            before += entries[i];
    before -= entries_between(local, array, 0, own.displ - move->after.rows.displ);
    for (int64_t row = 0; row <= move->after.rows.count; row++)
        xmpi_offset_set(move->fresh, bytes, row, xmpi_offset_get(move->fresh, bytes, row) + before);
}

/* --- carrying out ----------------------------------------------------------------------------- */

/* Grows the old storage, in the reserve where it need not be copied to get there. Where it cannot
 * grow, the reserve becomes the new one. */
static void grow(const xmpi_array_t *array, xmpi_move_t *move)
{
    size_t size = (size_t)xmpi_storage_bytes(array, &move->before);
    char *grown = move->fresh;
    if (xmpi_pages_movable(move->fresh, move->old, size)) {
        xmpi_pages_move(move->fresh, move->old, size);
        free(move->old);
    } else {
        grown = realloc(move->old, (size_t)move->after_bytes);
        if (grown == NULL) {
            move->keeping = XMPI_STORAGE_FRESH;
            return;
        }
        free(move->fresh);
    }
    move->fresh = NULL;
    move->old = grown;
    move->before.base = grown;
    move->after.base = grown;
}

static bool grows(const xmpi_move_t *move)
{
    return move->keeping == XMPI_STORAGE_RESIZED && move->fresh != NULL;
}

bool xmpi_local_grows(const xmpi_local_t *local)
{
    for (int i = 0; i < local->moves; i++)
        if (grows(&local->move[i]))
            return true;
    return false;
}

void xmpi_local_settle(xmpi_local_t *local)
{
    for (int i = 0; i < local->moves; i++)
        if (grows(&local->move[i]))
            grow(xmpi_local_array(local, i), &local->move[i]);
}

bool xmpi_local_is_spent(const xmpi_local_t *local, int i)
{
    return keeps_alone(xmpi_local_array(local, i), &local->move[i]) && !local->move[i].left_out &&
           (local->move[i].keeping == XMPI_STORAGE_FRESH || !xmpi_local_is_new(local));
}

bool xmpi_local_is_filled(const xmpi_local_t *local, int i)
{
    return keeps_alone(xmpi_local_array(local, i), &local->move[i]) &&
           local->move[i].keeping == XMPI_STORAGE_FRESH;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The part of one process in a redistribution: the end of it. */
#include "act/moving/storage/redistribute_local.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "act/moving/storage/on_disk.h"
#include "act/moving/storage/slides.h"
#include "act/moving/storage/spare.h"

/* Of one array, so that it is 64 MiB of all. */
static int64_t most_left(const xmpi_local_t *local)
{
    return ((int64_t)64 << 20) / local->moves;
}

/* What may be left where a block shrinks at its end, since loads sway and blocks with them: to grow
 * into it costs nothing, but new pages cost about as much as what is copied into them. */
static int64_t room_left(const xmpi_local_t *local, const xmpi_move_t *move)
{
    const int64_t most = most_left(local), share = move->after_bytes / 4;
    const int64_t little = (int64_t)1 << 20, room = share > little ? share : little;
    return room < most ? room : most;
}

/* A block in a slide has nothing else kept for it. */
static void commit_slide(const xmpi_local_t *local, const xmpi_array_t *array, xmpi_move_t *move)
{
    int64_t from = move->after.base - move->before.base;
    xmpi_slide_settle(move->old, from, from + move->after_bytes, most_left(local));
    xmpi_array_set_pointer(array, move->after.base);
}

static void close_local(xmpi_local_t *local)
{
    for (int i = 0; i < local->moves; i++) {
        xmpi_transfer_free(&local->move[i].transfer);
        free(local->move[i].lengths);
    }
    free(local->move);
    free(local->message);
    local->move = NULL;
    local->message = NULL;
    local->moves = 0;
}

/* What has come is copied to where the array is. */
static void commit_fixed(const xmpi_array_t *array, xmpi_move_t *move)
{
    if (move->keeping != XMPI_STORAGE_FRESH)
        return;
    memcpy(xmpi_array_pointer(array), move->fresh, (size_t)move->after_bytes);
    free(move->fresh);
}

/* Storage that is not used any more: where the next move may want one of its size, it is kept. */
static void leave(const xmpi_local_t *local, const xmpi_move_t *move, void *old)
{
    if (move->on_disk || local->registry->allocate != NULL || local->registry->outofcore != NULL)
        xmpi_free_storage(local->registry, old);
    else if (local->arrays == XMPI_ARRAYS_CONSTANT)
        xmpi_spare_give_aside(old); /* the program, which went on meanwhile, does not wait for it */
    else
        xmpi_spare_give(old);
}

/* A joiner frees what its prologue allocated. */
static void commit_array(const xmpi_local_t *local, const xmpi_array_t *array, xmpi_move_t *move)
{
    if (move->left_out)
        return;
    if (move->in_file) {
        xmpi_file_move_commit(array, !xmpi_local_is_new(local), &move->file);
        return;
    }
    void *old = xmpi_local_is_old(local) ? move->old : xmpi_array_pointer(array);
    if (array->fixed > 0)
        return commit_fixed(array, move);
    if (!xmpi_local_is_new(local)) {
        xmpi_free_storage(local->registry, old);
        xmpi_array_set_pointer(array, NULL);
    } else if (move->keeping == XMPI_STORAGE_SLID) {
        commit_slide(local, array, move);
    } else if (move->keeping == XMPI_STORAGE_FRESH) {
        leave(local, move, old);
        xmpi_array_set_pointer(array, move->fresh);
    } else if (move->keeping == XMPI_STORAGE_RESIZED && !move->on_disk &&
               (int64_t)malloc_usable_size(old) - move->after_bytes > room_left(local, move)) {
        void *fitted = realloc(old, move->after_bytes > 0 ? (size_t)move->after_bytes : 1);
        xmpi_array_set_pointer(array, fitted != NULL ? fitted : old);
    } else if (move->keeping == XMPI_STORAGE_RESIZED) {
        xmpi_array_set_pointer(array, old);
    }
}

void xmpi_local_commit(xmpi_local_t *local)
{
    if (xmpi_local_is_new(local))
        xmpi_spare_age();
    else
        xmpi_spare_free();
    for (int i = 0; i < local->moves; i++)
        commit_array(local, xmpi_local_array(local, i), &local->move[i]);
    close_local(local);
}

void xmpi_local_cancel(xmpi_local_t *local)
{
    for (int i = 0; i < local->moves; i++) {
        const xmpi_move_t *move = &local->move[i];
        xmpi_free_storage(local->registry, move->fresh);
        if (move->keeping == XMPI_STORAGE_SLID && !move->left_out)
            xmpi_slide_settle(move->old, 0,
                              xmpi_storage_bytes(xmpi_local_array(local, i), &move->before),
                              most_left(local));
        if (move->in_file)
            xmpi_file_move_cancel(&local->move[i].file);
    }
    close_local(local);
}

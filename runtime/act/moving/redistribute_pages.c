/* SPDX-License-Identifier: BSD-3-Clause */
#include "act/moving/redistribute_pages.h"

/* Of a part of a piece: whether it is one strip, and where. */
static bool strip_of(const xmpi_array_t *array, const xmpi_storage_t *storage, xmpi_piece_t piece,
                     int part, int parts, xmpi_extent_t *extent)
{
    xmpi_piece_t now = xmpi_transfer_part(piece, part, parts);
    if (now.rows == 0)
        return false;
    *extent = xmpi_extent_of(array, storage, now.first, now.rows);
    return extent->strips == 1 && extent->width > 0;
}

static void release_piece(const xmpi_array_t *array, const xmpi_move_t *move, xmpi_piece_t piece,
                          int part, int parts, xmpi_pages_pool_t *pool)
{
    xmpi_extent_t extent;
    if (strip_of(array, &move->before, piece, part, parts, &extent))
        xmpi_pages_give(pool, move->before.base + extent.offset, (size_t)extent.width);
}

void xmpi_local_release(const xmpi_local_t *local, int part, int parts, xmpi_pages_pool_t *pool)
{
    for (int i = 0; i < local->moves; i++) {
        const xmpi_move_t *move = &local->move[i];
        const xmpi_array_t *array = &local->registry->array[i];
        if (!xmpi_local_is_spent(local, i))
            continue;
        for (int k = 0; k < move->transfer.sends; k++)
            release_piece(array, move, move->transfer.send[k], part, parts, pool);
        xmpi_extent_t kept;
        if (strip_of(array, &move->before, move->transfer.keep, part, parts, &kept))
            xmpi_pages_release(move->before.base + kept.offset, (size_t)kept.width);
    }
}

void xmpi_local_reuse(const xmpi_local_t *local, int part, int parts, xmpi_pages_pool_t *pool)
{
    for (int i = 0; i < local->moves; i++) {
        const xmpi_move_t *move = &local->move[i];
        const xmpi_array_t *array = &local->registry->array[i];
        xmpi_extent_t extent;
        if (!xmpi_local_is_filled(local, i))
            continue;
        for (int k = 0; k < move->transfer.receives; k++)
            if (strip_of(array, &move->after, move->transfer.receive[k], part, parts, &extent))
                xmpi_pages_take(pool, move->after.base + extent.offset, (size_t)extent.width);
    }
}

static int64_t strips_of(const xmpi_array_t *array, const xmpi_storage_t *storage,
                         const xmpi_piece_t *piece, int pieces)
{
    int64_t bytes = 0;
    xmpi_extent_t extent;
    for (int k = 0; k < pieces; k++)
        if (strip_of(array, storage, piece[k], 0, 1, &extent))
            bytes += extent.width;
    return bytes;
}

int64_t xmpi_local_reusable_bytes(const xmpi_local_t *local)
{
    int64_t sent = 0, received = 0;
    if (local->change->new_rank[local->me] < 0 || local->arrays == XMPI_ARRAYS_CONSTANT)
        return 0;
    for (int i = 0; i < local->moves; i++) {
        const xmpi_move_t *move = &local->move[i];
        const xmpi_array_t *array = &local->registry->array[i];
        if (!xmpi_local_is_spent(local, i) || move->spare) /* which has pages */
            continue;
        sent += strips_of(array, &move->before, move->transfer.send, move->transfer.sends);
        received += strips_of(array, &move->after, move->transfer.receive, move->transfer.receives);
    }
    return sent < received ? sent : received;
}

int64_t xmpi_local_fresh_bytes(const xmpi_local_t *local)
{
    int64_t bytes = 0;
    for (int i = 0; i < local->moves; i++)
        if (local->move[i].keeping == XMPI_STORAGE_FRESH && !local->move[i].on_disk)
            bytes += local->move[i].after_bytes;
    return bytes;
}

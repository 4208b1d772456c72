/* SPDX-License-Identifier: BSD-3-Clause
 * The size of a transfer plan: bytes and messages between members. */
#include "decide/plan/transfer_size.h"

#include <stdlib.h>
#include <string.h>

/* What is looked at while pairs are counted. */
typedef struct {
    int transit, olds, owners;
    const xmpi_block_t *new_block;
    const xmpi_block_t *old_block;
    int *owner; /* old members that have rows, by their first row */
    int arrays;
    const xmpi_moved_array_t *array;
    int64_t widest; /* halo */
    bool owned;     /* there is an array of XMPI_SCHEME_OWNED */
    bool replicated;
    int64_t room; /* for pairs */
} count_t;

/* --- which rows ------------------------------------------------------------------------------- */

static int64_t common(xmpi_block_t a, xmpi_block_t b)
{
    return xmpi_blocks_common(a, b).count;
}

/* Rows of an array that FROM sends to TO; the same as in the plans of transfer.h. */
static int64_t rows_between(const count_t *count, const xmpi_moved_array_t *array, int from, int to,
                            bool member)
{
    xmpi_block_t all = {.count = array->rows, .displ = 0}, own = count->old_block[from];
    if (array->scheme == XMPI_SCHEME_REPLICATED)
        return to < count->olds ? 0 : xmpi_transfer_share(array->rows, count->olds, from).count;
    if (array->scheme == XMPI_SCHEME_OWNED)
        return member ? common(own, all) : 0;
    return common(own, xmpi_rows_with_halo(count->new_block[to], array->halo, array->rows));
}

/* --- pairs ------------------------------------------------------------------------------------ */

static xmpi_status_t add(count_t *count, const xmpi_transfer_pair_t *pair,
                         xmpi_transfer_size_t *size)
{
    if (size->pairs == count->room) {
        int64_t room = 2 * count->room + 64;
        xmpi_transfer_pair_t *grown = realloc(size->pair, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return XMPI_ERR_MEMORY;
        size->pair = grown;
        count->room = room;
    }
    size->pair[size->pairs++] = *pair;
    size->bytes += pair->bytes;
    size->later_bytes += pair->later_bytes;
    size->messages += pair->messages;
    return XMPI_OK;
}

static xmpi_status_t count_pair(count_t *count, int from, int to, bool member,
                                xmpi_transfer_size_t *size)
{
    xmpi_transfer_pair_t pair = {.from = from, .to = to};
    if (from == to)
        return XMPI_OK;
    for (int i = 0; i < count->arrays; i++) {
        const xmpi_moved_array_t *array = &count->array[i];
        double bytes = (double)rows_between(count, array, from, to, member) * array->row_bytes;
        if (bytes <= 0)
            continue;
        pair.messages++;
        pair.bytes += bytes;
        pair.later_bytes += array->constant ? bytes : 0;
    }
    return pair.messages == 0 ? XMPI_OK : add(count, &pair, size);
}

/* The first owner whose rows end behind ROW. */
static int first_owner(const count_t *count, int64_t row)
{
    int low = 0, high = count->owners;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const xmpi_block_t *block = &count->old_block[count->owner[middle]];
        if (block->displ + block->count > row)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static xmpi_status_t count_from_all(count_t *count, int to, bool member, xmpi_transfer_size_t *size)
{
    xmpi_status_t status = XMPI_OK;
    for (int from = 0; from < count->olds && status == XMPI_OK; from++)
        status = count_pair(count, from, to, member, size);
    return status;
}

static xmpi_status_t count_receiver(count_t *count, int to, bool member, xmpi_transfer_size_t *size)
{
    xmpi_block_t own = count->new_block[to];
    xmpi_status_t status = XMPI_OK;
    if ((count->replicated && to >= count->olds) || (count->owned && member))
        return count_from_all(count, to, member, size);
    xmpi_block_t needed = xmpi_rows_with_halo(own, count->widest, INT64_MAX);
    for (int k = first_owner(count, needed.displ); k < count->owners && status == XMPI_OK; k++) {
        int from = count->owner[k];
        if (needed.count == 0 || count->old_block[from].displ >= needed.displ + needed.count)
            break;
        status = count_pair(count, from, to, member, size);
    }
    return status;
}

/* --- the owners in the order of their rows ------------------------------------------------------
 */

typedef struct {
    int64_t displ;
    int process;
} first_row_t;

static int compare_rows(const void *a, const void *b)
{
    const first_row_t *left = a, *right = b;
    return (left->displ > right->displ) - (left->displ < right->displ);
}

static xmpi_status_t sort_owners(count_t *count)
{
    first_row_t *row = calloc((size_t)count->olds + 1, sizeof *row);
    count->owner = calloc((size_t)count->olds + 1, sizeof *count->owner);
    if (row != NULL && count->owner != NULL) {
        for (int i = 0; i < count->olds; i++)
            if (count->old_block[i].count > 0)
                row[count->owners++] = (first_row_t){count->old_block[i].displ, i};
        qsort(row, (size_t)count->owners, sizeof *row, compare_rows);
        for (int i = 0; i < count->owners; i++)
            count->owner[i] = row[i].process;
    }
    xmpi_status_t status = row != NULL && count->owner != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
    free(row);
    return status;
}

static void look_at_arrays(count_t *count)
{
    for (int i = 0; i < count->arrays; i++) {
        const xmpi_moved_array_t *array = &count->array[i];
        count->owned = count->owned || array->scheme == XMPI_SCHEME_OWNED;
        count->replicated = count->replicated || array->scheme == XMPI_SCHEME_REPLICATED;
        if (array->halo > count->widest)
            count->widest = array->halo;
    }
}

static xmpi_status_t count_all(count_t *count, const bool *member, xmpi_transfer_size_t *size)
{
    xmpi_status_t status = sort_owners(count);
    look_at_arrays(count);
    for (int to = 0; to < count->transit && status == XMPI_OK; to++)
        status = count_receiver(count, to, member[to], size);
    free(count->owner);
    if (status != XMPI_OK)
        xmpi_transfer_size_free(size);
    return status;
}

xmpi_status_t xmpi_transfer_size(int transit, int olds, const xmpi_block_t *old_block,
                                 const xmpi_block_t *new_block, const bool *member, int arrays,
                                 const xmpi_moved_array_t *array, xmpi_transfer_size_t *size)
{
    count_t count = {.transit = transit,
                     .olds = olds,
                     .old_block = old_block,
                     .new_block = new_block,
                     .arrays = arrays,
                     .array = array};
    *size = (xmpi_transfer_size_t){.transit = transit, .olds = olds};
    return count_all(&count, member, size);
}

void xmpi_transfer_size_free(xmpi_transfer_size_t *size)
{
    free(size->pair);
    memset(size, 0, sizeof *size);
}

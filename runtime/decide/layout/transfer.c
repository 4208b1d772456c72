/* SPDX-License-Identifier: BSD-3-Clause
 * The transfer plan: who sends which rows to whom. */
#include "decide/layout/transfer.h"

#include <stdlib.h>
#include <string.h>

xmpi_block_t xmpi_rows_with_halo(xmpi_block_t block, int64_t halo, int64_t rows)
{
    int64_t first = block.displ, end = block.displ + block.count;
    if (block.count == 0)
        return block;
    first = first > halo ? first - halo : 0;
    end = rows - end > halo ? end + halo : rows;
    return (xmpi_block_t){.count = end - first, .displ = first};
}

static xmpi_status_t transfer_alloc(xmpi_transfer_t *transfer, int n, int me)
{
    memset(transfer, 0, sizeof *transfer);
    transfer->keep.peer = me;
    transfer->send = calloc((size_t)n, sizeof *transfer->send);
    transfer->receive = calloc((size_t)n, sizeof *transfer->receive);
    if (transfer->send != NULL && transfer->receive != NULL)
        return XMPI_OK;
    xmpi_transfer_free(transfer);
    return XMPI_ERR_MEMORY;
}

static void add(xmpi_piece_t *pieces, int *n, int peer, xmpi_block_t rows)
{
    if (rows.count > 0)
        pieces[(*n)++] = (xmpi_piece_t){peer, rows.displ, rows.count};
}

xmpi_status_t xmpi_transfer_blocks(int n, const xmpi_block_t *old_blocks,
                                   const xmpi_block_t *new_blocks, int me,
                                   xmpi_transfer_t *transfer)
{
    xmpi_status_t status = transfer_alloc(transfer, n, me);
    if (status != XMPI_OK)
        return status;
    /* Starting behind oneself spreads the first messages over the peers. */
    for (int step = 1; step < n; step++) {
        int to = (me + step) % n, from = (me - step + n) % n;
        add(transfer->send, &transfer->sends, to, xmpi_blocks_common(old_blocks[me], new_blocks[to]));
        add(transfer->receive, &transfer->receives, from,
            xmpi_blocks_common(old_blocks[from], new_blocks[me]));
    }
    xmpi_block_t kept = xmpi_blocks_common(old_blocks[me], new_blocks[me]);
    transfer->keep.first = kept.displ;
    transfer->keep.rows = kept.count;
    return XMPI_OK;
}

/* Without a product of both: rows may be near the end of their type. */
static int64_t cut(int64_t rows, int part, int parts)
{
    return rows / parts * part + rows % parts * part / parts;
}

xmpi_piece_t xmpi_transfer_part(xmpi_piece_t piece, int part, int parts)
{
    int64_t begin = cut(piece.rows, part, parts), end = cut(piece.rows, part + 1, parts);
    return (xmpi_piece_t){piece.peer, piece.first + begin, end - begin};
}

xmpi_block_t xmpi_transfer_share(int64_t rows, int holders, int holder)
{
    xmpi_piece_t part = xmpi_transfer_part((xmpi_piece_t){holder, 0, rows}, holder, holders);
    return (xmpi_block_t){.count = part.rows, .displ = part.first};
}

xmpi_status_t xmpi_transfer_replicate(int n, int holders, int64_t rows, int me,
                                      xmpi_transfer_t *transfer)
{
    xmpi_status_t status = transfer_alloc(transfer, n, me);
    if (status != XMPI_OK)
        return status;
    if (me < holders) {
        for (int to = holders; to < n; to++)
            add(transfer->send, &transfer->sends, to, xmpi_transfer_share(rows, holders, me));
        transfer->keep.rows = rows;
        return XMPI_OK;
    }
    for (int from = 0; from < holders; from++)
        add(transfer->receive, &transfer->receives, from, xmpi_transfer_share(rows, holders, from));
    return XMPI_OK;
}

int xmpi_transfer_rounds(int64_t reusable)
{
    const int64_t least = (int64_t)4 << 20, most = 8;
    int64_t rounds = reusable / least;
    return rounds < 1 ? 1 : rounds < most ? (int)rounds : (int)most;
}

void xmpi_transfer_free(xmpi_transfer_t *transfer)
{
    free(transfer->send);
    free(transfer->receive);
    memset(transfer, 0, sizeof *transfer);
}

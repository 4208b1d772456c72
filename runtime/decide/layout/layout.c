/* SPDX-License-Identifier: BSD-3-Clause
 * Layout: who computes what. */
#include "decide/layout/layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

xmpi_status_t xmpi_layout_alloc(xmpi_layout_t *layout, int64_t domain, int members)
{
    layout->domain = domain;
    layout->members = members;
    layout->member = calloc((size_t)(members > 0 ? members : 1), sizeof *layout->member);
    return layout->member == NULL ? XMPI_ERR_MEMORY : XMPI_OK;
}

xmpi_status_t xmpi_layout_copy(xmpi_layout_t *to, const xmpi_layout_t *from)
{
    xmpi_status_t status = xmpi_layout_alloc(to, from->domain, from->members);
    if (status == XMPI_OK && from->members > 0)
        memcpy(to->member, from->member, (size_t)from->members * sizeof *to->member);
    return status;
}

void xmpi_layout_free(xmpi_layout_t *layout)
{
    free(layout->member);
    layout->member = NULL;
    layout->members = 0;
}

xmpi_status_t xmpi_layout_widen(xmpi_layout_t *layout, int64_t least, xmpi_error_t *error)
{
    int64_t bound = layout->domain;
    if (least <= 0 || layout->members == 0)
        return XMPI_OK;
    if (layout->domain / least < layout->members)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%d members need %" PRId64 " rows each, the domain has %" PRId64,
                              layout->members, least, layout->domain);
    for (int i = 0; i < layout->members; i++) { /* begins: not before what the ones in front need */
        int64_t *begin = &layout->member[i].block.displ;
        int64_t first = i == 0 ? 0 : layout->member[i - 1].block.displ + least;
        *begin = *begin < first || i == 0 ? first : *begin;
    }
    for (int i = layout->members; i-- > 0;) { /* nor behind what is needed from there on */
        xmpi_block_t *block = &layout->member[i].block;
        block->displ = block->displ > bound - least ? bound - least : block->displ;
        block->count = bound - block->displ;
        bound = block->displ;
    }
    return XMPI_OK;
}

xmpi_status_t xmpi_blocks_check(int64_t domain, int n, const xmpi_block_t *blocks,
                                xmpi_error_t *error)
{
    int64_t next = 0;
    for (int i = 0; i < n; i++) {
        if (blocks[i].count < 0 || blocks[i].displ != next)
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "the block of rank %d is %" PRId64 " rows from row %" PRId64
                                  ", but rows up to %" PRId64 " belong to the ranks before it",
                                  i, blocks[i].count, blocks[i].displ, next);
        next += blocks[i].count;
    }
    if (next != domain)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "the blocks of the %d ranks have %" PRId64
                              " rows together, the domain has %" PRId64,
                              n, next, domain);
    return XMPI_OK;
}

void xmpi_blocks_chain(int n, xmpi_block_t *blocks)
{
    int64_t next = 0;
    for (int i = 0; i < n; i++) {
        blocks[i].displ = next;
        next += blocks[i].count;
    }
}

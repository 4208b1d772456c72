/* SPDX-License-Identifier: BSD-3-Clause
 * Layout: who computes what. */
#include "decide/layout.h"

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

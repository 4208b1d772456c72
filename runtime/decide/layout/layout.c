/* SPDX-License-Identifier: BSD-3-Clause
 * Layout: who computes what. */
#include "decide/layout/layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

xmpi_status_t xmpi_layout_alloc(xmpi_layout_t *layout, int64_t domain, int members)
{
    layout->domain = domain;
    layout->member = calloc((size_t)(members > 0 ? members : 1), sizeof *layout->member);
    layout->members = layout->member != NULL ? members : 0;
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

static int by_displ(const void *one, const void *other)
{
    const xmpi_block_t *a = one, *b = other;
    return (a->displ > b->displ) - (a->displ < b->displ);
}

/* Those that are not empty, in the order of their rows; malloc. -1: a block is out of the question.
 */
static int sort(int64_t domain, int n, const xmpi_block_t *blocks, xmpi_block_t *sorted)
{
    int filled = 0;
    for (int i = 0; i < n; i++) {
        if (blocks[i].count < 0 || blocks[i].displ < 0 || blocks[i].count > domain)
            return -1;
        if (blocks[i].count > 0)
            sorted[filled++] = blocks[i];
    }
    qsort(sorted, (size_t)filled, sizeof *sorted, by_displ);
    return filled;
}

xmpi_status_t xmpi_blocks_cover(int64_t domain, int n, const xmpi_block_t *blocks,
                                xmpi_error_t *error)
{
    int64_t next = 0;
    xmpi_block_t *sorted = calloc((size_t)n + 1, sizeof *sorted);
    if (sorted == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to look at %d blocks", n);
    int filled = sort(domain, n, blocks, sorted);
    for (int i = 0; i < filled && next >= 0; i++)
        next = sorted[i].displ == next ? next + sorted[i].count : -1;
    free(sorted);
    if (filled >= 0 && next == domain)
        return XMPI_OK;
    return xmpi_error_set(
        error, XMPI_ERR_INPUT,
        "the blocks of all members do not cover the %" PRId64 " rows, each of them once", domain);
}

bool xmpi_layout_in_order(const xmpi_layout_t *layout)
{
    int64_t next = 0;
    for (int i = 0; i < layout->members; i++) {
        if (layout->member[i].block.displ != next)
            return false;
        next += layout->member[i].block.count;
    }
    return next == layout->domain;
}

bool xmpi_layout_keeps_blocks(const xmpi_layout_t *one, const xmpi_layout_t *other)
{
    if (one->members != other->members)
        return false;
    for (int i = 0; i < one->members; i++)
        if (one->member[i].block.count != other->member[i].block.count ||
            one->member[i].block.displ != other->member[i].block.displ)
            return false;
    return true;
}

xmpi_block_t xmpi_blocks_common(xmpi_block_t one, xmpi_block_t other)
{
    int64_t first = one.displ > other.displ ? one.displ : other.displ;
    int64_t end_one = one.displ + one.count, end_other = other.displ + other.count;
    int64_t end = end_one < end_other ? end_one : end_other;
    return (xmpi_block_t){.count = end > first ? end - first : 0, .displ = first};
}

void xmpi_blocks_chain(int n, xmpi_block_t *blocks)
{
    int64_t next = 0;
    for (int i = 0; i < n; i++) {
        blocks[i].displ = next;
        next += blocks[i].count;
    }
}

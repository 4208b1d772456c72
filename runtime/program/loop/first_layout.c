/* SPDX-License-Identifier: BSD-3-Clause
 * The first layout of a loop. */
#include "program/loop/first_layout.h"

#include <stdlib.h>

#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "program/loop/pin.h"

static xmpi_block_t own_block(const xmpi_context_t *context)
{
    xmpi_block_t block;
    if (!xmpi_pin_read_block(context, &block))
        xmpi_misuse("%s: the loop has no range", context->loop);
    return block;
}

/* Of the first array of the state. */
static xmpi_block_t told_block(const xmpi_context_t *context)
{
    const xmpi_state_told_t *told = &context->start.now;
    return told->arrays > 0 ? told->array[0].own : (xmpi_block_t){1, xmpi_world.rank};
}

xmpi_block_t *xmpi_first_blocks(const xmpi_context_t *context)
{
    xmpi_block_t mine = context->shared.movable     ? (xmpi_block_t){1, xmpi_world.rank}
                        : context->shared.resizable ? told_block(context)
                                                    : own_block(context);
    int members = context->shared.layout.members;
    xmpi_block_t *blocks = calloc((size_t)members, sizeof *blocks);
    xmpi_error_t error;
    if (blocks == NULL)
        xmpi_misuse("no memory for a list of %d members", members);
    PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, blocks, sizeof mine, MPI_BYTE, xmpi_world.comm);
    xmpi_status_t status =
        context->shared.resizable
            ? xmpi_blocks_cover(context->registry.domain, members, blocks, &error)
            : xmpi_blocks_check(context->registry.domain, members, blocks, &error);
    if (status != XMPI_OK)
        xmpi_misuse("%s: %s", context->loop, error.text);
    return blocks;
}

void xmpi_first_layout(xmpi_context_t *context)
{
    xmpi_layout_t *layout = &context->shared.layout;
    xmpi_block_t *blocks = xmpi_first_blocks(context);
    layout->domain = context->registry.domain;
    for (int i = 0; i < layout->members; i++)
        layout->member[i].block = blocks[i];
    free(blocks);
}

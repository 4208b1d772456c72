/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint of the loop has. */
#define _GNU_SOURCE
#include "program/checkpoint/saved.h"

#include <stdio.h>
#include <string.h>

#include "act/world/world.h"
#include "base/collective.h"

/* Whether a process of a program that starts over has files open: its start would begin them anew.
 */
static bool has_files(const xmpi_context_t *context)
{
    xmpi_file_place_t place;
    const xmpi_restart_t *program = context->start.program;
    int mine = program == NULL || program->files(&place, 1) > 0, any;
    PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, xmpi_world.comm);
    return any != 0;
}

/* Why a checkpoint would not be all that the loop needs; NULL: it is. */
static const char *insufficient(const xmpi_context_t *context)
{
    if (context->pinned)
        return "it keeps its processes and blocks, as not all that it needs is known";
    if (context->shared.movable) /* all that there is */
        return NULL;
    if (context->hand.used)
        return "the program changes its processes by hand";
    if (context->rooted)
        return "rank 0 has something that nobody else has, as an open file or numbers of its own";
    if (context->shared.resizable && context->start.why[0] != '\0')
        return context->start.why;
    if (context->shared.resizable && has_files(context))
        return "the program has files open, which its start would begin anew";
    return NULL;
}

xmpi_status_t xmpi_saved_loop_open(const xmpi_context_t *context, xmpi_saved_loop_t *loop,
                                   xmpi_error_t *why)
{
    const char *lacks = insufficient(context);
    *loop = (xmpi_saved_loop_t){.registry = &context->registry};
    if (lacks != NULL)
        return xmpi_error_set(why, XMPI_ERR_INPUT, "%s", lacks);
    if (!context->shared.resizable) {
        loop->block = context->shared.layout.member[xmpi_world.rank].block;
        return XMPI_OK;
    }
    xmpi_status_t status =
        xmpi_saved_state(&context->start.now, xmpi_world.comm, &loop->state, why);
    if (status == XMPI_OK) {
        xmpi_arguments_read(loop->arguments);
        xmpi_registry_add_live(&loop->state.registry, XMPI_ARGUMENTS, loop->arguments,
                               sizeof loop->arguments);
    }
    loop->registry = &loop->state.registry;
    loop->block = loop->state.block;
    return status;
}

void xmpi_saved_loop_put(const xmpi_context_t *context, const xmpi_saved_loop_t *loop)
{
    if (context->shared.resizable)
        xmpi_saved_state_put(&loop->state, &context->start.now, xmpi_world.rank);
}

void xmpi_saved_loop_close(xmpi_saved_loop_t *loop)
{
    xmpi_saved_state_free(&loop->state);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Why a loop is pinned: it keeps its processes and blocks. */
#include "program/loop/pin.h"

#include <stdio.h>
#include <string.h>

#include "act/world/requests.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "xmpi_gen.h"

bool xmpi_pin_read_block(const xmpi_context_t *context, xmpi_block_t *block)
{
    return xmpi_registry_value(&context->registry, XMPI_GEN_COUNT, &block->count) &&
           xmpi_registry_value(&context->registry, XMPI_GEN_DISPL, &block->displ);
}

enum {
    UNSEEN = 1,
    NO_RANGE = 2,
    MIXED = 4,
    CONNECTED = 8,
    NO_IMAGE = 16,
    NO_STATE = 32,
    DOUBTED = 64
};

/* Of RECORD, which xmpi_gen_relies had. */
static void explain_doubt(const char *record, char *text, size_t room)
{
    const char *where = record + 1, *name = where + strlen(where) + 1;
    const char *why = name + strlen(name) + 1;
    snprintf(text, room, ": %s: %s, of another file, %s", where, name,
             record[0] == '?' ? "may keep something or follow the rank, as nobody has looked into "
                                "it: link the program with xmpicc"
                              : why);
}

/* Why the loop keeps its processes, for people. */
static void explain_pin(const xmpi_context_t *context, int why, char *text, size_t room)
{
    if ((why & NO_IMAGE) != 0)
        snprintf(text, room,
                 ", as the program was not linked to move: link it with xmpicc, as a dynamic "
                 "program without -pie and sanitizers");
    else if ((why & NO_STATE) != 0)
        snprintf(text, room, ": state(...): %s",
                 context->start.why[0] != '\0' ? context->start.why
                                               : "it is wrong on another member");
    else if ((why & NO_RANGE) != 0)
        snprintf(
            text, room,
            ", as it has no range: write #pragma xmpi domain(n) range(count, displ) before the "
            "statement that computes it");
    else if ((why & CONNECTED) != 0)
        snprintf(text, room, ", as %s has connected it to others, which know its present ranks",
                 xmpi_world.connected != NULL ? xmpi_world.connected : "a call of MPI");
    else if ((why & (DOUBTED | UNSEEN | MIXED)) == DOUBTED && context->doubted != NULL)
        explain_doubt(context->doubted, text, room);
    else if ((why & MIXED) != 0)
        snprintf(
            text, room,
            ", as the program has persistent requests of messages and of collective "
            "operations, and MPICH hangs when both are made again: call the collective "
            "operations themselves, or by MPI_Iallreduce and its like, or write #pragma xmpi loop "
            "movable");
    else
        snprintf(text, room,
                 ": %s, of another file, asks for the rank or communicates, so that what it "
                 "computes or keeps may be wrong after a change; write #pragma xmpi setup before "
                 "that statement, which runs it again then, or #pragma xmpi initial if it keeps "
                 "nothing that a change makes wrong; with #pragma xmpi loop movable its processes "
                 "can go elsewhere as they are",
                 context->unseen != NULL ? context->unseen : "a statement");
}

static int reasons(const xmpi_context_t *context)
{
    xmpi_block_t block;
    return (context->unseen != NULL ? UNSEEN : 0) |
           (xmpi_pin_read_block(context, &block) ? 0 : NO_RANGE) |
           (xmpi_requests_mixed() ? MIXED : 0) | (context->doubted != NULL ? DOUBTED : 0);
}

/* The same of a loop whose program moves or starts over. */
static int reasons_to_stay(const xmpi_context_t *context)
{
    bool resizable = context->shared.resizable;
    bool image = context->image != NULL && (!resizable || context->start.first.span != NULL);
    bool state = !resizable || context->start.why[0] == '\0';
    return (image ? 0 : NO_IMAGE) | (state ? 0 : NO_STATE) |
           (resizable && context->doubted != NULL ? DOUBTED : 0);
}

/* What cannot be changed soundly stays as it is, on all members when on one; the text WHY then. */
bool xmpi_pin_reason(const xmpi_context_t *context, char *text, size_t room)
{
    bool image = context->shared.movable || context->shared.resizable;
    int why = (image ? reasons_to_stay(context) : reasons(context)) |
              (xmpi_world.connected != NULL ? CONNECTED : 0);
    PMPI_Allreduce(MPI_IN_PLACE, &why, 1, MPI_INT, MPI_BOR, xmpi_world.comm);
    if (why != 0)
        explain_pin(context, why, text, room);
    if (why != 0 && xmpi_leads() && strcmp(context->shared.settings.policy, "off") != 0)
        fprintf(stderr, "xmpi: %s: the loop keeps its processes%s\n", context->loop, text);
    return why != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/members/out_of_core.h"

#include <stdio.h>
#include <string.h>

#include "act/machine/memory.h"
#include "act/moving/storage/on_disk.h"
#include "act/world/world.h"
#include "base/misuse.h"
#include "observe/faults.h"

static bool has_such(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].outofcore)
            return true;
    return false;
}

static const xmpi_pe_t *own_pe(const xmpi_context_t *context)
{
    const xmpi_shared_t *shared = &context->shared;
    int process = context->process;
    int pe = process >= 0 && process < shared->processes ? shared->process[process].pe : -1;
    return pe >= 0 && pe < shared->resources.pes ? &shared->resources.pe[pe] : NULL;
}

/* Members on the node of PE, the caller included. */
static int sharers_of(const xmpi_context_t *context, const xmpi_pe_t *pe)
{
    const xmpi_layout_t *layout = &context->shared.layout;
    int n = xmpi_layout_rank(layout, context->process) < 0;
    for (int i = 0; i < layout->members; i++)
        n += pe == NULL || strcmp(xmpi_shared_pe(&context->shared, i)->node, pe->node) == 0;
    return n > 0 ? n : 1;
}

/* What is left is looked at once: later the arrays themselves are in it. */
static int64_t left(const xmpi_context_t *context, int sharers)
{
    int64_t memory = context->outofcore.memory;
    return memory > 0 ? memory : xmpi_memory_available() / 2 / sharers;
}

void xmpi_out_of_core_choose(xmpi_context_t *context, xmpi_registry_t *registry)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    if (!has_such(registry) || context->image != NULL)
        return;
    const xmpi_pe_t *pe = own_pe(context);
    int sharers = sharers_of(context, pe);
    int64_t memory = pe != NULL && pe->memory > 0 ? (int64_t)(pe->memory / sharers)
                     : settings->memory > 0       ? settings->memory << 20
                                                  : left(context, sharers);
    xmpi_outofcore_set(&context->outofcore, settings->ooc_dir, memory);
    xmpi_outofcore_read_ahead(&context->outofcore, settings->ooc_ahead != 0);
    registry->waits = settings->ooc_ahead == 0;
    registry->outofcore = &context->outofcore;
}

static void say_once(xmpi_context_t *context, const char *why)
{
    if (!context->said_in_memory)
        fprintf(stderr, "xmpi: rank %d: %s; it stays in memory\n", xmpi_world.rank, why);
    context->said_in_memory = true;
}

void xmpi_out_of_core_follow(xmpi_context_t *context)
{
    xmpi_registry_t *registry = &context->registry;
    xmpi_error_t error;
    if (!has_such(registry) || xmpi_world.state != XMPI_STATE_RUNNING)
        return;
    if (context->image != NULL)
        say_once(context, "an array of a program that can move or start over cannot be on disk");
    xmpi_out_of_core_choose(context, registry);
    for (int i = 0; i < registry->arrays; i++)
        if (xmpi_follow_to_disk(registry, i, &error) != XMPI_OK)
            say_once(context, error.text);
}

void xmpi_out_of_core_check(xmpi_context_t *context)
{
    xmpi_error_t error;
    if (xmpi_outofcore_state(&context->outofcore, &error) != XMPI_OK)
        xmpi_misuse("%s", error.text);
    xmpi_faults_read_by_others(context->outofcore.open);
}

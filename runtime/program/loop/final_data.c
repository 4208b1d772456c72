/* SPDX-License-Identifier: BSD-3-Clause
 * What the data are at the end of a loop, for the trace. */
#include "program/loop/final_data.h"

#include <stdlib.h>
#include <string.h>

#include "act/data/fingerprint.h"
#include "act/data/row_file.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/data/json.h"
#include "base/misuse.h"
#include "trace/trace.h"

/* The sums of all members, at the leader. */
static void add_up(const xmpi_world_t *world, xmpi_fingerprint_t *f)
{
    xmpi_fingerprint_t mine = *f;
    PMPI_Reduce(&mine.bits, &f->bits, 2, MPI_UINT64_T, MPI_SUM, 0, world->comm);
    PMPI_Reduce(&mine.values, &f->values, 2, MPI_INT64_T, MPI_SUM, 0, world->comm);
    PMPI_Reduce(&mine.squares, &f->squares, 1 + XMPI_SKETCHES, MPI_DOUBLE, MPI_SUM, 0, world->comm);
}

static const char *kind_of(const xmpi_array_t *array)
{
    return array->scheme == XMPI_GEN_REPLICATED ? "whole" : "rows";
}

static void tell_arrays(xmpi_context_t *context, cJSON *values)
{
    const xmpi_registry_t *registry = &context->registry;
    const xmpi_block_t *block = &context->shared.layout.member[xmpi_world.rank].block;
    bool leader = xmpi_leads();
    for (int i = 0; i < registry->arrays; i++) {
        xmpi_fingerprint_t f;
        bool comparable = xmpi_fingerprint_array(registry, i, *block, leader, &f);
        add_up(&xmpi_world, &f);
        if (comparable && values != NULL)
            xmpi_trace_add_fingerprint(values, registry->array[i].name,
                                       kind_of(&registry->array[i]), &f);
    }
}

static void tell_lives(const xmpi_context_t *context, cJSON *values)
{
    const xmpi_registry_t *registry = &context->registry;
    for (int i = 0; i < registry->lives && values != NULL; i++) {
        xmpi_fingerprint_t f;
        if (xmpi_fingerprint_live(&registry->live[i], &f))
            xmpi_trace_add_fingerprint(values, registry->live[i].name, "live", &f);
    }
}

static cJSON *names_of(const char *text, int length)
{
    cJSON *names = length > 0 ? cJSON_CreateArray() : NULL;
    for (const char *at = text; at != NULL && at < text + length; at += strlen(at) + 1)
        cJSON_AddItemToArray(names, cJSON_CreateString(at));
    return names;
}

/* The names of files with rows, of all members, for who WRITES; NULL: there are none. */
static cJSON *gather_files(const xmpi_context_t *context, bool writes)
{
    int length, size = xmpi_world.size;
    char *mine = xmpi_row_files_names(&context->registry, &length);
    int *lengths = calloc(2 * (size_t)size, sizeof *lengths);
    if (lengths == NULL)
        xmpi_misuse("no memory for the names of files of %d members", size);
    PMPI_Gather(&length, 1, MPI_INT, lengths, 1, MPI_INT, 0, xmpi_world.comm);
    int all = 0;
    for (int i = 0; xmpi_leads() && i < size; all += lengths[i++])
        lengths[size + i] = all;
    char *text = malloc((size_t)all + 1);
    if (text == NULL)
        xmpi_misuse("no memory for the names of files of %d members", size);
    PMPI_Gatherv(mine, length, MPI_CHAR, text, lengths, lengths + size, MPI_CHAR, 0,
                 xmpi_world.comm);
    cJSON *names = writes ? names_of(text, all) : NULL;
    free(text);
    free(lengths);
    free(mine);
    return names;
}

/* Whether all have registered as many arrays: one that went another way may not. */
static bool all_have(const xmpi_context_t *context)
{
    int mine[2] = {context->registry.arrays, -context->registry.arrays}, most[2];
    PMPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, xmpi_world.comm);
    return most[0] == -most[1];
}

void xmpi_final_data(xmpi_context_t *context)
{
    if (context->shared.settings.fingerprint == 0 || !context->laid_out || context->hand.used ||
        !all_have(context))
        return;
    bool writes = xmpi_leads() && context->trace.file != NULL;
    cJSON *values = writes ? cJSON_CreateArray() : NULL;
    tell_arrays(context, values);
    tell_lives(context, values);
    cJSON *files = gather_files(context, writes);
    if (values != NULL)
        xmpi_trace_data(&context->trace, &context->shared, context->progress.iteration, values,
                        files);
}

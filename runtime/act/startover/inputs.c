/* SPDX-License-Identifier: BSD-3-Clause
 * Compares by digests, so that no process has to know the names of all. */
#include "act/startover/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/collective.h"
#include "base/data/digest.h"
#include "base/misuse.h"

enum { NUMBERS = 2 };

static void *room_for(size_t n, size_t bytes)
{
    void *room = calloc(n + 1, bytes);
    if (room == NULL)
        xmpi_misuse("no memory for a list of files");
    return room;
}

static uint64_t digest_of(const char *path)
{
    return xmpi_digest_bytes(path, strlen(path), 0) | 1; /* (0 is where there is none) */
}

/* Malloc. */
static xmpi_read_t *list_of(const xmpi_restart_t *program, const char *loop, int *n)
{
    xmpi_read_t *list = room_for(XMPI_READS_MAX, sizeof *list);
    *n = (int)program->reads(loop, list, XMPI_READS_MAX);
    return list;
}

xmpi_inputs_t xmpi_inputs_of(const xmpi_restart_t *program, const char *loop)
{
    xmpi_inputs_t inputs = {.n = 0};
    if (program == NULL)
        return inputs;
    xmpi_read_t *list = list_of(program, loop, &inputs.n);
    inputs.input = room_for((size_t)inputs.n, sizeof *inputs.input);
    for (int i = 0; i < inputs.n; i++)
        inputs.input[i] = (xmpi_input_t){digest_of(list[i].path), list[i].print};
    free(list);
    return inputs;
}

void xmpi_inputs_gather(xmpi_inputs_t *inputs, MPI_Comm comm)
{
    int processes = 0, most = inputs->n;
    PMPI_Comm_size(comm, &processes);
    PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm);
    xmpi_input_t *own = room_for((size_t)most, sizeof *own);
    xmpi_input_t *all = room_for((size_t)most * (size_t)processes, sizeof *all);
    if (inputs->n > 0)
        memcpy(own, inputs->input, (size_t)inputs->n * sizeof *own);
    PMPI_Allgather(own, NUMBERS * most, MPI_UINT64_T, all, NUMBERS * most, MPI_UINT64_T, comm);
    free(own);
    free(inputs->input);
    *inputs = (xmpi_inputs_t){all, most * processes};
}

/* Nobody has read it, or all have found it like that. */
static bool is_as_before(const xmpi_inputs_t *before, const xmpi_read_t *now)
{
    const uint64_t path = digest_of(now->path);
    for (int i = 0; i < before->n; i++)
        if (before->input[i].path == path && before->input[i].print != now->print)
            return false;
    return true;
}

bool xmpi_inputs_are(const xmpi_inputs_t *before, const xmpi_restart_t *program, const char *loop,
                     char *why, size_t size)
{
    int n = 0, i = 0;
    xmpi_read_t *list = list_of(program, loop, &n);
    while (i < n && is_as_before(before, &list[i]))
        i++;
    if (i < n)
        snprintf(why, size, "its start reads %.80s, which is not what it was", list[i].path);
    free(list);
    return i == n;
}

void xmpi_inputs_free(xmpi_inputs_t *inputs)
{
    free(inputs->input);
    *inputs = (xmpi_inputs_t){.n = 0};
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Watching a program that has no adaptive loop. */
#define _GNU_SOURCE
#include "program/api/watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/collective.h"
#include "base/misuse.h"
#include "observe/counter/counter.h"
#include "observe/monitor.h"
#include "observe/peers/peers.h"
#include "program/traffic/traffic.h"
#include "trace/matrix.h"
#include "trace/trace.h"

/* What a process tells at the end. Plain data. */
typedef struct {
    char node[XMPI_NAME_MAX];
    xmpi_sample_t sample;
} seen_t;

void xmpi_watch_begin(xmpi_context_t *context)
{
    xmpi_settings_t *settings = &context->shared.settings;
    const char *file = getenv("XMPI_TRACE");
    xmpi_error_t error;
    if (file == NULL || file[0] == '\0')
        return;
    if (xmpi_settings_read(environ, settings, &error) != XMPI_OK ||
        xmpi_counter_open(&xmpi_monitor.counter, settings->counter, &error) != XMPI_OK) {
        fprintf(stderr, "xmpi: %s; the program is not watched\n", error.text);
        return;
    }
    context->counting = context->watching = true;
    context->shared.started = xmpi_trace_clock();
    xmpi_monitor_start(&xmpi_monitor);
}

/* A layout of one member for each process, without rows, each on a PE of its own. */
static bool lay_out(xmpi_shared_t *shared, const seen_t *seen, int size)
{
    xmpi_resources_t *resources = &shared->resources;
    resources->pe = calloc((size_t)size, sizeof *resources->pe);
    shared->process = calloc((size_t)size, sizeof *shared->process);
    if (resources->pe == NULL || shared->process == NULL ||
        xmpi_layout_alloc(&shared->layout, 0, size) != XMPI_OK)
        return false;
    resources->pes = shared->processes = size;
    resources->classes = 1;
    strcpy(resources->class_name[0], "any");
    for (int i = 0; i < size; i++) {
        strcpy(resources->pe[i].node, seen[i].node);
        resources->pe[i].process = i;
        shared->process[i].used = true;
        shared->process[i].pe = i;
        shared->layout.member[i].process = i;
    }
    return true;
}

/* TRAFFIC: NULL: nobody has asked for it. */
static void write_trace(xmpi_context_t *context, const seen_t *seen, int size,
                        const xmpi_traffic_t *traffic)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_sample_t *samples = calloc((size_t)size, sizeof *samples);
    xmpi_error_t error = {"no memory for the trace"};
    for (int i = 0; samples != NULL && i < size; i++)
        samples[i] = seen[i].sample;
    strcpy(shared->settings.policy, "none");
    if (samples == NULL || !lay_out(shared, seen, size) ||
        xmpi_trace_open(&context->trace, shared, true, &error) != XMPI_OK) {
        fprintf(stderr, "xmpi: %s\n", error.text);
    } else {
        double seconds = samples[0].wall;
        xmpi_trace_start(&context->trace, shared, program_invocation_short_name,
                         xmpi_monitor.counter.event, 1, 0);
        xmpi_trace_interval(&context->trace, shared, 0, 1, samples, 0, 0, "", NULL);
        if (traffic != NULL)
            xmpi_trace_matrix(&context->trace, shared, 1, traffic);
        xmpi_trace_end(&context->trace, shared, 0, 1, seconds, 0, 0, 0, 0, NULL);
        xmpi_trace_close(&context->trace);
    }
    free(samples);
}

/* Whether the first process asks for the matrix, and has got it. */
static bool gather_matrix(const xmpi_context_t *context, int rank, xmpi_traffic_t *traffic)
{
    int asks = context->shared.settings.matrix != 0;
    *traffic = (xmpi_traffic_t){0};
    PMPI_Bcast(&asks, 1, MPI_INT, 0, context->part.comm);
    if (!asks)
        return false;
    xmpi_status_t status = xmpi_traffic_gather_over(context->part.comm, traffic);
    traffic->iterations = 1;
    return rank == 0 && status == XMPI_OK &&
           xmpi_traffic_keep(traffic, XMPI_MATRIX_ENTRIES) == XMPI_OK;
}

void xmpi_watch_end(xmpi_context_t *context)
{
    int rank, size;
    seen_t mine = {.node = ""}, *seen = NULL;
    xmpi_traffic_t traffic;
    const char *node = getenv("XMPI_NODE");
    if (!context->watching)
        return;
    context->watching = false;
    xmpi_monitor.on = false;
    xmpi_monitor_sample(&xmpi_monitor, 1, &mine.sample);
    if (node != NULL)
        snprintf(mine.node, sizeof mine.node, "%.60s", node);
    else
        gethostname(mine.node, sizeof mine.node - 1);
    PMPI_Comm_rank(context->part.comm, &rank);
    PMPI_Comm_size(context->part.comm, &size);
    if (rank == 0 && (seen = calloc((size_t)size, sizeof *seen)) == NULL)
        xmpi_misuse("no memory for what %d processes saw", size);
    PMPI_Gather(&mine, sizeof mine, MPI_BYTE, seen, sizeof mine, MPI_BYTE, 0, context->part.comm);
    bool asked = gather_matrix(context, rank, &traffic);
    PMPI_Comm_free(&context->part.comm);
    if (rank == 0)
        write_trace(context, seen, size, asked ? &traffic : NULL);
    xmpi_traffic_free(&traffic);
    free(seen);
    xmpi_counter_close(&xmpi_monitor.counter);
    xmpi_peers_end();
    context->counting = false;
    xmpi_shared_free(&context->shared);
}

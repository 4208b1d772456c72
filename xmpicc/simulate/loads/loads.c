/* SPDX-License-Identifier: BSD-3-Clause
 * Loads of nodes over simulated time. */
#include "simulate/loads/loads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/lines.h"
#include "simulate/loads/load_model.h"
#include "tool/tool.h"

static void out_of_memory(void)
{
    tool_complain("no memory for loads");
    exit(TOOL_FAILED);
}

static void add_change(void *context, double when, int load)
{
    sim_timeline_t *node = context;
    if (node->changes == node->room) {
        int room = node->room > 0 ? 2 * node->room : 16;
        sim_change_t *grown = realloc(node->change, (size_t)room * sizeof *grown);
        if (grown == NULL)
            out_of_memory();
        node->change = grown;
        node->room = room;
    }
    node->change[node->changes++] = (sim_change_t){when, load};
}

/* The same changes as before, and more. */
static void draw(sim_loads_t *loads, double until)
{
    const sim_values_t *v = loads->values;
    const load_run_t run = {.seconds = until, .seed = loads->seed};
    const load_onoff_t onoff = {(int)v->load_sources, v->load_step * v->load_scale, v->load_start,
                                v->load_stop};
    const load_jobs_t jobs = {v->load_between * v->load_scale, v->load_mean * v->load_scale,
                              v->load_share};
    for (int i = 0; i < loads->nodes; i++) {
        loads->node[i].changes = 0;
        if (v->load == SIM_LOAD_ONOFF)
            load_onoff(&run, &onoff, i, add_change, &loads->node[i]);
        else if (load_jobs(&run, &jobs, i, add_change, &loads->node[i]) != 0)
            out_of_memory();
    }
    loads->until = until;
}

static xmpi_status_t read_line(void *context, char *text, int line, xmpi_error_t *error)
{
    sim_loads_t *loads = context;
    const char *path = loads->values->load_file;
    double when;
    int node, load, length = 0;
    if (sscanf(text, " %lfs n%d load=%d %n", &when, &node, &load, &length) != 3 || length == 0 ||
        text[length] != '\0' || !(when >= 0) || load < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%.100s: line %d: expected \"WHENs nNODE load=N\"", path, line);
    if (node < 0 || node >= loads->nodes)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%.100s: line %d: there is no node n%d", path,
                              line, node);
    const sim_timeline_t *known = &loads->node[node];
    if (known->changes > 0 &&
        when * loads->values->load_scale < known->change[known->changes - 1].when)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%.100s: line %d: earlier than the line before", path, line);
    add_change(&loads->node[node], when * loads->values->load_scale, load);
    return XMPI_OK;
}

xmpi_status_t sim_loads_make(sim_loads_t *loads, const sim_values_t *values, uint64_t seed,
                             xmpi_error_t *error)
{
    *loads = (sim_loads_t){.values = values,
                           .seed = seed,
                           .nodes = (int)values->nodes,
                           .until = INFINITY,
                           .node = calloc((size_t)values->nodes, sizeof *loads->node)};
    if (loads->node == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for loads");
    if (values->load == SIM_LOAD_ONOFF || values->load == SIM_LOAD_JOBS)
        loads->until = 0;
    return values->load == SIM_LOAD_FILE
               ? xmpi_lines_each(values->load_file, loads, read_line, error)
               : XMPI_OK;
}

void sim_loads_free(sim_loads_t *loads)
{
    for (int i = 0; i < loads->nodes && loads->node != NULL; i++)
        free(loads->node[i].change);
    free(loads->node);
    memset(loads, 0, sizeof *loads);
}

static void know(sim_loads_t *loads, double until)
{
    enum { ITERATIONS = 16 };
    const sim_values_t *v = loads->values;
    if (until < loads->until)
        return;
    /* At first about as long as the first iterations take. */
    double first = ITERATIONS * v->work / (v->speed * (double)v->active);
    draw(loads, fmax(2 * until, first));
}

/* The load of NODE at WHEN, and until when it stays. */
static int load_at(sim_loads_t *loads, int node, double when, double *until)
{
    know(loads, when);
    sim_timeline_t *t = &loads->node[node];
    if (t->at >= t->changes || (t->at > 0 && t->change[t->at].when > when))
        t->at = 0;
    while (t->at + 1 < t->changes && t->change[t->at + 1].when <= when)
        t->at++;
    bool begun = t->changes > 0 && t->change[t->at].when <= when;
    int next = begun ? t->at + 1 : 0;
    *until = fmin(next < t->changes ? t->change[next].when : INFINITY, loads->until);
    return begun ? t->change[t->at].load : 0;
}

double sim_loads_done(sim_loads_t *loads, int node, double begin, double seconds)
{
    for (;;) {
        double until;
        int share = load_at(loads, node, begin, &until) + 1;
        if (begin + seconds * share <= until)
            return begin + seconds * share;
        seconds -= (until - begin) / share;
        begin = until;
    }
}

int sim_loads_at(sim_loads_t *loads, int node, double now)
{
    double until;
    return load_at(loads, node, now, &until);
}

double sim_loads_busy(sim_loads_t *loads, int node, double begin, double end)
{
    double busy = 0;
    while (begin < end) {
        double until;
        int load = load_at(loads, node, begin, &until);
        until = fmin(until, end);
        busy += load > 0 ? until - begin : 0;
        begin = until;
    }
    return busy;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The world of a simulated run. It is that of a pool: a process lives on each processing element
 * that has one, and those without work are parked. */
#include "simulate/program/world.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/layout/layout.h"
#include "decide/planning/draw.h"
#include "decide/planning/start.h"
#include "decide/policies/catalogue.h"

/* --- the platform ------------------------------------------------------------------------------
 */

/* The speeds that there are, ascending. */
typedef struct {
    int levels;
    double speed[XMPI_CLASSES_MAX];
} speeds_t;

/* Adds SPEED where it is not among them; false: there are too many. */
static bool add_speed(speeds_t *speeds, double speed)
{
    int at = 0;
    while (at < speeds->levels && speeds->speed[at] < speed)
        at++;
    if (at < speeds->levels && speeds->speed[at] == speed)
        return true;
    if (speeds->levels == XMPI_CLASSES_MAX)
        return false;
    memmove(&speeds->speed[at + 1], &speeds->speed[at],
            (size_t)(speeds->levels++ - at) * sizeof speed);
    speeds->speed[at] = speed;
    return true;
}

static xmpi_status_t make_speeds(const sim_values_t *v, speeds_t *speeds, xmpi_error_t *error)
{
    int levels = v->speed_most > v->speed ? (int)v->levels : 1;
    *speeds = (speeds_t){.levels = 0};
    for (int i = 0; v->platform != NULL && i < v->platform->nodes; i++)
        if (!add_speed(speeds, v->platform->speed[i]))
            return xmpi_error_set(error, XMPI_ERR_INPUT, "%.300s: there are more than %d speeds",
                                  v->platform_file, XMPI_CLASSES_MAX);
    if (v->platform != NULL)
        return XMPI_OK;
    speeds->levels = levels;
    speeds->speed[0] = v->speed;
    for (int i = 1; i < levels; i++)
        speeds->speed[i] = v->speed + (v->speed_most - v->speed) * i / (double)(v->levels - 1);
    return XMPI_OK;
}

/* Which of the speeds NODE has. Those that are drawn are of another stream than the loads. */
static int level_of(const sim_values_t *v, const speeds_t *speeds, int node, uint64_t *state)
{
    int level = 0;
    if (v->platform == NULL)
        return speeds->levels > 1 ? xmpi_random_below(state, speeds->levels) : 0;
    while (speeds->speed[level] < v->platform->speed[node])
        level++;
    return level;
}

/* Bytes of the next node. */
static double memory_of(const sim_values_t *v, uint64_t *state)
{
    double most = fmax(v->memory, v->memory_most);
    double at = (double)(xmpi_random_next(state) >> 11) / 9007199254740992.0;
    return v->memory + (most - v->memory) * at;
}

static xmpi_status_t make_pes(sim_run_t *run, xmpi_error_t *error)
{
    const sim_values_t *v = run->values;
    xmpi_resources_t *resources = &run->shared.resources;
    uint64_t state = ~run->seed, other = run->seed ^ 0x6d656d6f7279u;
    speeds_t speeds;
    xmpi_status_t status = make_speeds(v, &speeds, error);
    for (int node = 0; node < v->nodes && status == XMPI_OK; node++) {
        int level = level_of(v, &speeds, node, &state);
        double memory = memory_of(v, &other);
        for (int core = 0; core < v->cores; core++) {
            int i = (int)(node * v->cores + core);
            run->speed[i] = speeds.speed[level];
            resources->pe[i] =
                (xmpi_pe_t){.class_index = level, .process = -1, .cost = v->cost * run->speed[i]};
            snprintf(resources->pe[i].node, XMPI_NAME_MAX, "n%d", node);
            resources->pe[i].memory = memory;
            resources->pe[i].disk_bandwidth = memory > 0 ? v->disk_bandwidth : 0;
            resources->pe[i].disk_latency = memory > 0 ? v->disk_latency : 0;
        }
    }
    resources->classes = speeds.levels;
    for (int i = 0; i < speeds.levels; i++)
        snprintf(resources->class_name[i], XMPI_NAME_MAX, "speed%g", speeds.speed[i]);
    return status;
}

static int node_of(const sim_run_t *run, int pe)
{
    return (int)(pe / run->values->cores);
}

/* --- processes ---------------------------------------------------------------------------------
 */

/* PEs that get a process at the start, the fastest first where that is wanted. */
static void order_pes(sim_run_t *run, int *order, int pes)
{
    double *left = malloc((size_t)pes * sizeof *left);
    for (int i = 0; i < pes; i++)
        order[i] = i;
    if (run->values->start == SIM_START_ORDER || left == NULL) {
        free(left);
        return;
    }
    int best = 0;
    for (int i = 0; i < pes; i++) {
        left[i] = run->speed[i] / (1 + sim_loads_at(&run->loads, node_of(run, i), 0));
        best = left[i] > left[best] ? i : best;
    }
    /* The first process always computes (xmpi_start_choose), so it is on the fastest. */
    order[0] = best;
    order[best] = 0;
    free(left);
}

/* Sets the flags of those of the PES in ORDER that compute at first. */
static xmpi_status_t choose(sim_run_t *run, const int *order, int pes, char *chosen)
{
    int active = (int)run->values->active;
    if (run->values->start == SIM_START_ORDER) {
        memset(chosen, 1, (size_t)active);
        return XMPI_OK;
    }
    xmpi_start_process_t *process = calloc((size_t)pes, sizeof *process);
    if (process == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < pes; i++) {
        int node = node_of(run, order[i]);
        double cores = (double)run->values->cores;
        int load = sim_loads_at(&run->loads, node, 0);
        process[i].node = node;
        process[i].load = (xmpi_load_t){.cores = cores,
                                        .busy = load > 0 ? cores : 0,
                                        .seconds = 1,
                                        .rate = run->speed[order[i]]};
    }
    xmpi_status_t status = xmpi_start_choose(process, pes, (int)run->values->nodes, active, chosen);
    free(process);
    return status;
}

/* A process on each of the PES in ORDER; those that are CHOSEN are the members, with equal blocks.
 */
static xmpi_status_t make_processes(sim_run_t *run, const int *order, int pes, const char *chosen)
{
    const sim_values_t *v = run->values;
    xmpi_shared_t *shared = &run->shared;
    int rank = 0, spares = v->spares < 0 ? pes - (int)v->active : (int)v->spares;
    shared->process = calloc((size_t)pes, sizeof *shared->process);
    if (shared->process == NULL ||
        xmpi_layout_alloc(&shared->layout, v->rows, (int)v->active) != XMPI_OK)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < pes; i++) {
        if (!chosen[i] && spares-- <= 0)
            continue;
        int process = shared->processes++;
        shared->process[process] =
            (xmpi_process_t){.used = true, .initial_rank = process, .pe = order[i]};
        shared->resources.pe[order[i]].process = process;
        shared->resources.pe[order[i]].parked = !chosen[i];
        if (!chosen[i])
            continue;
        int64_t begin = v->rows * rank / v->active, end = v->rows * (rank + 1) / v->active;
        shared->layout.member[rank++] = (xmpi_member_t){process, {end - begin, begin}};
    }
    return XMPI_OK;
}

static xmpi_status_t start_processes(sim_run_t *run)
{
    int pes = run->shared.resources.pes;
    int *order = malloc((size_t)pes * sizeof *order);
    char *chosen = calloc((size_t)pes, 1);
    xmpi_status_t status = order != NULL && chosen != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
    if (status == XMPI_OK) {
        order_pes(run, order, pes);
        status = choose(run, order, pes, chosen);
    }
    if (status == XMPI_OK)
        status = make_processes(run, order, pes, chosen);
    free(order);
    free(chosen);
    return status;
}

/* --- what the leader knows ---------------------------------------------------------------------
 */

/* What xmpi-calibrate would find: messages of the network, and what processes take. */
static void calibrate(const sim_run_t *run, xmpi_calibration_t *calibration)
{
    const sim_values_t *v = run->values;
    const xmpi_link_t link = {v->latency, 1 / v->bandwidth, v->latency, 1 / v->bandwidth, 1e9};
    memset(calibration, 0, sizeof *calibration);
    snprintf(calibration->origin, sizeof calibration->origin, "scenario");
    for (int i = 0; i < XMPI_LINKS; i++)
        calibration->link[i] = link;
    calibration->curve[XMPI_CURVE_WAKE].points = 1;
    calibration->curve[XMPI_CURVE_WAKE].point[0].count = 1;
    calibration->curve[XMPI_CURVE_WAKE].point[0].seconds = v->wake;
    if (run->technique->changes != SIM_CHANGES_FREE)
        return;
    calibration->curve[XMPI_CURVE_WAKE].point[0].seconds = 0;
    for (int i = 0; i < XMPI_LINKS; i++)
        calibration->move_beta[i] = 1e-30;
}

static void make_leader(sim_run_t *run)
{
    const sim_values_t *v = run->values;
    xmpi_shared_t *shared = &run->shared;
    shared->settings = run->technique->settings;
    run->policy = xmpi_policy_find(shared->settings.policy);
    run->array = (xmpi_moved_array_t){.scheme = XMPI_SCHEME_DISTRIBUTED,
                                      .rows = v->rows,
                                      .row_bytes = v->state * (double)v->active / (double)v->rows};
    calibrate(run, &shared->leader.calibration);
    xmpi_leader_begin(&shared->leader);
}

/* --- all of it ---------------------------------------------------------------------------------
 */

static xmpi_status_t make_room(sim_run_t *run, int pes)
{
    xmpi_resources_t *resources = &run->shared.resources;
    *resources = (xmpi_resources_t){.pes = pes,
                                    .pe = calloc((size_t)pes, sizeof *resources->pe),
                                    .max_members = pes,
                                    .anchor = -1};
    if (run->technique->settings.max > 0 && run->technique->settings.max < pes)
        resources->max_members = (int)run->technique->settings.max;
    run->speed = calloc((size_t)pes, sizeof *run->speed);
    run->sharers = calloc((size_t)pes, sizeof *run->sharers);
    run->member = calloc((size_t)pes, sizeof *run->member);
    run->samples = calloc((size_t)pes, sizeof *run->samples);
    run->idle = calloc((size_t)pes, sizeof *run->idle);
    return resources->pe != NULL && run->speed != NULL && run->sharers != NULL &&
                   run->member != NULL && run->samples != NULL && run->idle != NULL
               ? XMPI_OK
               : XMPI_ERR_MEMORY;
}

xmpi_status_t sim_world_make(sim_run_t *run, xmpi_error_t *error)
{
    const sim_values_t *v = run->values;
    xmpi_status_t status = sim_loads_make(&run->loads, v, run->seed, error);
    if (status != XMPI_OK)
        return status;
    status = make_room(run, (int)(v->nodes * v->cores));
    if (status == XMPI_OK && make_pes(run, error) != XMPI_OK)
        return XMPI_ERR_INPUT;
    if (status == XMPI_OK)
        status = start_processes(run);
    if (status != XMPI_OK)
        return xmpi_error_set(error, status, "no memory for the platform");
    make_leader(run);
    return XMPI_OK;
}

void sim_world_free(sim_run_t *run)
{
    xmpi_shared_free(&run->shared);
    sim_loads_free(&run->loads);
    free(run->speed);
    free(run->sharers);
    free(run->member);
    free(run->samples);
    free(run->idle);
}

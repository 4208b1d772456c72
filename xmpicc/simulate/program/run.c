/* SPDX-License-Identifier: BSD-3-Clause
 * A run of a program, simulated. */
#define _GNU_SOURCE
#include "simulate/program/run.h"

#include <stdio.h>

#include "simulate/program/decide.h"
#include "simulate/program/iterate.h"
#include "simulate/program/world.h"

/* --- the loop ----------------------------------------------------------------------------------
 */

static void start(sim_run_t *run)
{
    const sim_values_t *v = run->values;
    int started = run->technique->spares_start ? run->shared.processes : (int)v->active;
    run->now = v->startup * started;
    run->communication = -1;
    run->looked = run->now;
    run->interval = run->shared.settings.interval > 0 ? run->shared.settings.interval : 1;
    xmpi_trace_simulate(run->now);
    xmpi_trace_start(&run->trace, &run->shared, run->technique->name, "simulated",
                     run->shared.settings.interval, v->iterations);
}

static xmpi_status_t iterate(sim_run_t *run, xmpi_error_t *error)
{
    xmpi_status_t status = sim_iterate(run, error);
    sim_settle(run);
    return status;
}

static xmpi_status_t loop(sim_run_t *run, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    int64_t iterations = run->values->iterations;
    while (status == XMPI_OK && run->iteration < iterations) {
        sim_begin_interval(run);
        int64_t end = run->iteration + run->interval;
        while (status == XMPI_OK && run->iteration < iterations && run->iteration < end)
            status = iterate(run, error);
        if (status == XMPI_OK && run->iteration < iterations)
            status = sim_end_interval(run, error);
    }
    return status;
}

static void finish(sim_run_t *run)
{
    sim_result_t *result = &run->result;
    result->cost += sim_cost_per_second(run) * (run->now - run->interval_began);
    result->seconds = run->now;
    result->members = run->shared.layout.members;
    xmpi_trace_simulate(run->now);
    xmpi_trace_end(&run->trace, &run->shared, 0, run->iteration, result->seconds, result->changes,
                   result->still, result->cost, 0, NULL);
}

static xmpi_status_t open_trace(sim_run_t *run, const char *trace, xmpi_error_t *error)
{
    if (trace == NULL)
        return XMPI_OK;
    snprintf(run->shared.settings.trace, sizeof run->shared.settings.trace, "%s", trace);
    return xmpi_trace_open(&run->trace, &run->shared, true, error);
}

xmpi_status_t sim_run(const sim_values_t *values, const sim_technique_t *technique, uint64_t seed,
                      const char *trace, sim_result_t *result, xmpi_error_t *error)
{
    sim_run_t run = {.values = values, .technique = technique, .seed = seed};
    const sim_network_t network = {.file = values->platform_file,
                                   .kind = values->network,
                                   .nodes = (int)values->nodes,
                                   .bandwidth = values->bandwidth,
                                   .latency = values->latency};
    xmpi_status_t status = sim_world_make(&run, error);
    if (status == XMPI_OK)
        status = sim_network_open(&network, error);
    if (status == XMPI_OK)
        status = open_trace(&run, trace, error);
    if (status == XMPI_OK) {
        start(&run);
        status = loop(&run, error);
        finish(&run);
    }
    *result = run.result;
    xmpi_trace_close(&run.trace);
    sim_world_free(&run);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The machine of a workload. */
#include "simulate/workload/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/workload/make.h"

xmpi_status_t sim_machine_make(sim_machine_t *machine, const sim_values_t *values,
                               const sim_technique_t *technique, uint64_t seed, xmpi_error_t *error)
{
    const sim_network_t network = {.kind = values->network,
                                   .nodes = (int)(values->nodes * values->cores),
                                   .bandwidth = values->bandwidth,
                                   .latency = values->latency};
    *machine = (sim_machine_t){.values = values,
                               .technique = technique,
                               .pes = (int)(values->nodes * values->cores),
                               .free = (int)(values->nodes * values->cores)};
    xmpi_status_t status = sim_jobs_make(&machine->jobs, values, seed, error);
    if (status == XMPI_OK && technique->shares)
        status = sim_network_open(&network, error);
    if (status != XMPI_OK)
        return status;
    size_t jobs = (size_t)machine->jobs.jobs;
    machine->place = calloc(jobs, sizeof *machine->place);
    machine->queue = calloc(jobs, sizeof *machine->queue);
    machine->running = calloc(jobs, sizeof *machine->running);
    return machine->place != NULL && machine->queue != NULL && machine->running != NULL
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the jobs");
}

void sim_machine_free(sim_machine_t *machine)
{
    for (int i = 0; i < machine->jobs.jobs && machine->place != NULL; i++)
        sim_malleable_free(machine->place[i].program);
    free(machine->place);
    free(machine->queue);
    free(machine->running);
    sim_jobs_free(&machine->jobs);
}

bool sim_machine_shares(const sim_machine_t *machine, int job)
{
    return machine->technique->shares && machine->jobs.job[job].kind == SIM_MALLEABLE;
}

/* Adds up what JOB has had until now. */
static void account(sim_machine_t *machine, int job)
{
    sim_place_t *place = &machine->place[job];
    machine->jobs.job[job].held += place->pes * (machine->now - place->since);
    place->since = machine->now;
}

static void take_from(int *list, int *length, int position)
{
    (*length)--;
    memmove(&list[position], &list[position + 1], (size_t)(*length - position) * sizeof *list);
}

xmpi_status_t sim_machine_start(sim_machine_t *machine, int position, int pes, xmpi_error_t *error)
{
    int index = machine->queue[position];
    sim_job_t *job = &machine->jobs.job[index];
    sim_place_t *place = &machine->place[index];
    double seconds = sim_job_seconds(machine->values, job, pes);
    *place = (sim_place_t){.pes = pes,
                           .next_pes = pes,
                           .event = machine->now + seconds,
                           .since = machine->now,
                           .planned = machine->now + seconds * (job->requested / job->seconds)};
    if (sim_machine_shares(machine, index)) {
        place->program =
            sim_malleable_start(machine->values, machine->technique, job, pes, machine->now, error);
        if (place->program == NULL)
            return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the program of a job");
        place->event = sim_malleable_ends(place->program);
    }
    job->started = machine->now;
    machine->free -= pes;
    take_from(machine->queue, &machine->queued, position);
    machine->running[machine->runs++] = index;
    return XMPI_OK;
}

xmpi_status_t sim_machine_resize(sim_machine_t *machine, int index, int pes, xmpi_error_t *error)
{
    const sim_job_t *job = &machine->jobs.job[index];
    sim_place_t *place = &machine->place[index];
    sim_malleable_t *program = place->program;
    xmpi_status_t status = sim_malleable_resize(program, machine->now, pes, error);
    if (status != XMPI_OK)
        return status;
    place->changing = true;
    place->event = sim_malleable_done(program);
    place->ends = sim_malleable_ends(program) <= place->event;
    if (place->ends)
        return XMPI_OK;
    account(machine, index);
    place->next_pes = sim_malleable_members(program);
    machine->result.changes += place->next_pes != place->pes; /* its leader may have kept them */
    if (place->next_pes > place->pes) {
        machine->free -= place->next_pes - place->pes;
        place->pes = place->next_pes;
    }
    double left = sim_malleable_ends(program) - machine->now;
    place->planned = machine->now + left * (job->requested / job->seconds);
    return XMPI_OK;
}

void sim_machine_settle(sim_machine_t *machine, int position)
{
    int index = machine->running[position];
    sim_place_t *place = &machine->place[index];
    account(machine, index);
    if (place->changing && !place->ends) {
        machine->free += place->pes - place->next_pes;
        place->pes = place->next_pes;
        place->changing = false;
        place->event = sim_malleable_ends(place->program);
        return;
    }
    machine->jobs.job[index].ended = machine->now;
    machine->free += place->pes;
    if (place->program != NULL)
        machine->result.bytes += place->program->run.result.bytes;
    if (place->program != NULL)
        machine->result.still += place->program->run.result.still;
    sim_malleable_free(place->program);
    place->program = NULL;
    place->pes = 0;
    take_from(machine->running, &machine->runs, position);
}

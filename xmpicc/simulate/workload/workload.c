/* SPDX-License-Identifier: BSD-3-Clause
 * A workload: events, one after the other. */
#include "simulate/workload/workload.h"

#include <math.h>

#include "simulate/workload/machine.h"
#include "simulate/workload/queue.h"
#include "simulate/workload/swf.h"

/* When something happens next to the jobs that run: one ends, has changed, or has iterated so that
 * its leader can say something. */
static double next_of_running(const sim_machine_t *machine)
{
    double next = INFINITY;
    for (int i = 0; i < machine->runs; i++) {
        const sim_place_t *place = &machine->place[machine->running[i]];
        next = fmin(next, place->event);
        if (place->program != NULL && !place->changing && place->program->worths == 0)
            next = fmin(next, fmax(machine->now, sim_malleable_next(place->program)));
    }
    return next;
}

static void settle_all(sim_machine_t *machine)
{
    for (int i = 0; i < machine->runs;) {
        int before = machine->runs;
        if (machine->place[machine->running[i]].event <= machine->now)
            sim_machine_settle(machine, i);
        i += machine->runs == before;
    }
}

static xmpi_status_t run_all(sim_machine_t *machine, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    int submitted = 0, jobs = machine->jobs.jobs;
    while (status == XMPI_OK && (submitted < jobs || machine->queued > 0 || machine->runs > 0)) {
        double next = next_of_running(machine);
        if (submitted < jobs)
            next = fmin(next, machine->jobs.job[submitted].submitted);
        if (!isfinite(next))
            return xmpi_error_set(error, XMPI_ERR_INTERNAL, "jobs wait, and none runs");
        machine->now = next;
        settle_all(machine);
        while (submitted < jobs && machine->jobs.job[submitted].submitted <= machine->now)
            machine->queue[machine->queued++] = submitted++;
        status = sim_queue_pass(machine, error);
        if (status == XMPI_OK && machine->free < 0)
            status = xmpi_error_set(error, XMPI_ERR_INTERNAL,
                                    "jobs have more processing elements than there are");
    }
    return status;
}

/* --- what came of it ---------------------------------------------------------------------------
 */

/* Feitelson et al. 1997: jobs of less than so many seconds do not count as less. */
static const double bounded = 10;

static void sum_up(sim_machine_t *machine)
{
    sim_result_t *result = &machine->result;
    double held = 0, asked = 0, first = machine->jobs.job[0].submitted, last = first;
    for (int i = 0; i < machine->jobs.jobs; i++) {
        const sim_job_t *job = &machine->jobs.job[i];
        double turnaround = job->ended - job->submitted;
        result->seconds += turnaround / machine->jobs.jobs;
        result->slowdown += fmax(1, turnaround / fmax(job->seconds, bounded)) / machine->jobs.jobs;
        result->late += job->ended > job->due;
        held += job->held;
        asked += job->pes * job->seconds;
        last = fmax(last, job->ended);
    }
    result->makespan = last - first;
    double all = machine->pes * result->makespan;
    result->utilisation = held / all;
    result->useful = asked / all;
    result->joules =
        machine->values->power_busy * held + machine->values->power_idle * (all - held);
}

xmpi_status_t sim_workload_run(const sim_values_t *values, const sim_technique_t *technique,
                               uint64_t seed, FILE *schedule, sim_result_t *result,
                               xmpi_error_t *error)
{
    sim_machine_t machine;
    xmpi_status_t status = sim_machine_make(&machine, values, technique, seed, error);
    if (status == XMPI_OK)
        status = run_all(&machine, error);
    if (status == XMPI_OK) {
        sum_up(&machine);
        if (schedule != NULL)
            sim_swf_write(&machine.jobs, machine.pes, schedule);
    }
    *result = machine.result;
    sim_machine_free(&machine);
    return status;
}

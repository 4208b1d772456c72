/* SPDX-License-Identifier: BSD-3-Clause
 * Who starts. */
#include "simulate/workload/queue.h"

#include <math.h>
#include <stdlib.h>

#include "simulate/workload/easy.h"
#include "simulate/workload/share.h"

/* The fewest with which a malleable job that waits is in time, as its user says; its least where it
 * is not with any, or that is not the aim. */
static int fewest_of(const sim_machine_t *machine, const sim_job_t *job)
{
    double left = (job->due - machine->now) / (job->requested / job->seconds);
    if (machine->technique->aim != XMPI_SHARE_FEWEST_LATE)
        return job->least;
    for (int pes = job->least; pes <= job->pes; pes++)
        if (sim_job_seconds(machine->values, job, pes) <= left)
            return pes;
    return job->least;
}

/* What a job waits for. */
static int need_of(const sim_machine_t *machine, int index)
{
    const sim_job_t *job = &machine->jobs.job[index];
    return sim_machine_shares(machine, index) ? fewest_of(machine, job) : job->pes;
}

/* What JOB would start with now; 0: it has to wait. */
static int size_now(const sim_machine_t *machine, int index)
{
    const sim_job_t *job = &machine->jobs.job[index];
    int least = job->kind == SIM_MOLDABLE ? job->least : need_of(machine, index);
    return machine->free >= job->pes ? job->pes : machine->free >= least ? machine->free : 0;
}

/* --- the reservation ---------------------------------------------------------------------------
 */

/* When processing elements become free, as users say. Of malleable jobs that is the least that they
 * have: the others can be had. */
static int releases_of(const sim_machine_t *machine, sim_release_t *release)
{
    int releases = 0;
    for (int i = 0; i < machine->runs; i++) {
        int index = machine->running[i];
        const sim_place_t *place = &machine->place[index];
        if (place->changing && !place->ends)
            release[releases++] = (sim_release_t){place->event, place->pes - place->next_pes};
        release[releases++] = (sim_release_t){
            place->ends ? place->event : place->planned,
            place->changing ? place->next_pes : place->pes - sim_share_reclaimable(machine, index)};
    }
    return releases;
}

/* For PES, where LESS of what is free or can be had have been promised to others. */
static xmpi_status_t reserve(const sim_machine_t *machine, int pes, int less,
                             sim_reservation_t *reservation, xmpi_error_t *error)
{
    int free_now = machine->free - less;
    sim_release_t *release = malloc((size_t)(2 * machine->runs + 1) * sizeof *release);
    if (release == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a reservation");
    for (int i = 0; i < machine->runs; i++)
        free_now += sim_share_reclaimable(machine, machine->running[i]);
    *reservation =
        sim_easy_reserve(release, releases_of(machine, release), machine->now, free_now, pes);
    free(release);
    return XMPI_OK;
}

/* A moldable job waits for what it asks for where it is done sooner then. */
static xmpi_status_t mold(const sim_machine_t *machine, int index, int *pes, xmpi_error_t *error)
{
    const sim_job_t *job = &machine->jobs.job[index];
    sim_reservation_t reservation;
    if (job->kind != SIM_MOLDABLE || *pes == 0 || *pes == job->pes)
        return XMPI_OK;
    double now = machine->now + sim_job_seconds(machine->values, job, *pes);
    xmpi_status_t status = reserve(machine, job->pes, 0, &reservation, error);
    if (status == XMPI_OK && reservation.when + job->seconds < now)
        *pes = 0;
    return status;
}

/* --- who starts --------------------------------------------------------------------------------
 */

static xmpi_status_t start_first_ones(sim_machine_t *machine, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    while (machine->queued > 0 && status == XMPI_OK) {
        int pes = size_now(machine, machine->queue[0]);
        status = mold(machine, machine->queue[0], &pes, error);
        if (status != XMPI_OK || pes == 0)
            return status;
        status = sim_machine_start(machine, 0, pes, error);
    }
    return status;
}

/* What the job at POSITION would start with now without delaying whom the reservation is for; 0: it
 * has to wait. */
static int size_behind(const sim_machine_t *machine, int position,
                       const sim_reservation_t *reservation)
{
    int index = machine->queue[position];
    const sim_job_t *job = &machine->jobs.job[index];
    const int size[] = {size_now(machine, index), need_of(machine, index)};
    for (int i = 0; i < 2; i++) {
        double seconds = size[i] > 0 ? sim_job_seconds(machine->values, job, size[i]) : 0;
        if (size[i] > 0 && size[i] <= machine->free &&
            sim_easy_fits(reservation, machine->now, seconds * (job->requested / job->seconds),
                          size[i]))
            return size[i];
    }
    return 0;
}

static xmpi_status_t backfill(sim_machine_t *machine, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    for (int i = 1; i < machine->queued && machine->free > 0 && status == XMPI_OK;) {
        sim_reservation_t reservation;
        status = reserve(machine, need_of(machine, machine->queue[0]), 0, &reservation, error);
        int pes = status == XMPI_OK ? size_behind(machine, i, &reservation) : 0;
        if (pes > 0)
            status = sim_machine_start(machine, i, pes, error);
        else
            i++;
    }
    return status;
}

/* Processing elements that can be had soon, when others give them. */
static int soon(const sim_machine_t *machine, int *coming)
{
    int all = machine->free;
    *coming = 0;
    for (int i = 0; i < machine->runs; i++) {
        const sim_place_t *place = &machine->place[machine->running[i]];
        all += sim_share_reclaimable(machine, machine->running[i]);
        if (place->changing)
            *coming += place->ends ? place->pes : place->pes - place->next_pes;
    }
    return all + *coming;
}

/* Of those, what jobs that wait are to have: the first ones, and others behind the first for which
 * there are not enough, where they do not delay it. */
static xmpi_status_t promise(const sim_machine_t *machine, int *promised, xmpi_error_t *error)
{
    sim_reservation_t reservation;
    xmpi_status_t status = XMPI_OK;
    bool blocked = false;
    int coming, all = soon(machine, &coming), wanted = 0;
    for (int i = 0; i < machine->queued && wanted < all && status == XMPI_OK; i++) {
        const sim_job_t *job = &machine->jobs.job[machine->queue[i]];
        int need = need_of(machine, machine->queue[i]);
        double seconds =
            sim_job_seconds(machine->values, job, need) * (job->requested / job->seconds);
        bool fits = wanted + need <= all;
        if (!blocked && !fits) {
            blocked = true;
            status = reserve(machine, need, wanted, &reservation, error);
        } else if (fits && (!blocked || sim_easy_fits(&reservation, machine->now, seconds, need))) {
            wanted += need;
            if (blocked && machine->now + seconds > reservation.when)
                reservation.extra -= need;
        }
    }
    *promised = wanted > coming ? wanted - coming : 0;
    return status;
}

xmpi_status_t sim_queue_pass(sim_machine_t *machine, xmpi_error_t *error)
{
    int promised = 0;
    xmpi_status_t status = sim_share_ask(machine, error);
    if (status == XMPI_OK)
        status = start_first_ones(machine, error);
    if (status == XMPI_OK)
        status = backfill(machine, error);
    if (status == XMPI_OK && machine->technique->shares)
        status = promise(machine, &promised, error);
    if (status == XMPI_OK)
        status = sim_share_out(machine, promised, error);
    return status;
}

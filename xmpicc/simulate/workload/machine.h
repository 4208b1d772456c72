/* SPDX-License-Identifier: BSD-3-Clause
 * The machine of a workload: who has how many of its processing elements. They are alike, and the
 * network is switched, so it does not matter which. */
#ifndef XMPI_SIMULATE_WORKLOAD_MACHINE_H
#define XMPI_SIMULATE_WORKLOAD_MACHINE_H

#include "simulate/scenario/result.h"
#include "simulate/workload/malleable.h"

/* A job on the machine. */
typedef struct {
    int pes;        /* that it has */
    int next_pes;   /* that it has when the change is done that is under way; else the same */
    double event;   /* when it has changed, or ends */
    double since;   /* when it was last looked at what it has */
    double planned; /* when it ends as its user says */
    bool changing;  /* the event is the end of a change */
    bool ends;      /* it has come to its end at the event, and does not change any more */
    sim_malleable_t *program; /* NULL: of a job that has the same PEs as long as it runs */
} sim_place_t;

typedef struct {
    const sim_values_t *values;
    const sim_technique_t *technique;
    sim_jobs_t jobs;
    sim_place_t *place; /* of each job */
    int pes, free;
    double now;
    int queued, *queue; /* jobs that wait, the first one first */
    int runs, *running; /* jobs that run, in the order in which they were started */
    sim_result_t result;
} sim_machine_t;

/* XMPI_ERR_INPUT, XMPI_ERR_MEMORY; to be freed all the same. */
xmpi_status_t sim_machine_make(sim_machine_t *machine, const sim_values_t *values,
                               const sim_technique_t *technique, uint64_t seed,
                               xmpi_error_t *error);
void sim_machine_free(sim_machine_t *machine);

/* The job at POSITION of the queue begins with PES that are free. XMPI_ERR_MEMORY. */
xmpi_status_t sim_machine_start(sim_machine_t *machine, int position, int pes, xmpi_error_t *error);

/* A job that runs, and does not change now, changes to PES; more of them are free. Those that it
 * gives are free when it has changed. XMPI_ERR_MEMORY, XMPI_ERR_INTERNAL. */
xmpi_status_t sim_machine_resize(sim_machine_t *machine, int job, int pes, xmpi_error_t *error);

/* The event of the job at POSITION of those that run is now: it has changed, or has ended. */
void sim_machine_settle(sim_machine_t *machine, int position);

/* Whether JOB gives and takes. */
bool sim_machine_shares(const sim_machine_t *machine, int job);

#endif

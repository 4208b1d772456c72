/* SPDX-License-Identifier: BSD-3-Clause
 * The jobs of a workload: what users ask for, and what came of it. */
#ifndef XMPI_SIMULATE_WORKLOAD_JOBS_H
#define XMPI_SIMULATE_WORKLOAD_JOBS_H

#include "simulate/scenario/values.h"

/* Feitelson & Rudolph 1996: who says how many processing elements a job has. */
typedef enum {
    SIM_RIGID,     /* its user */
    SIM_MOLDABLE,  /* the scheduler, when it starts */
    SIM_MALLEABLE, /* the same, and as it goes on: its program is XMPI's */
} sim_job_kind_t;

/* Plain data. Seconds are from the begin of the workload. */
typedef struct {
    int64_t number; /* of the file; those that are generated count from 1 */
    double submitted;
    double seconds;   /* that it takes on the PES that it asks for */
    double requested; /* seconds, no less than those */
    int pes;
    sim_job_kind_t kind;
    int least, most; /* PEs; of a rigid one those that it asks for */
    double due;
    double started, ended; /* filled in by the simulation */
    double held;           /* seconds of processing elements, the same */
} sim_job_t;

typedef struct {
    int jobs, room;
    sim_job_t *job; /* malloc, in the order in which they are submitted */
} sim_jobs_t;

void sim_jobs_free(sim_jobs_t *jobs);

/* One more, with all 0; NULL without memory. */
sim_job_t *sim_jobs_add(sim_jobs_t *jobs);

/* Seconds of a job with PES processing elements, as the model of moldable jobs has it: a share of
 * an iteration does not become shorter (sim_values_t.jobs_communication). */
double sim_job_seconds(const sim_values_t *values, const sim_job_t *job, int pes);

#endif

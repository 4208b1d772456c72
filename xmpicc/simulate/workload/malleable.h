/* SPDX-License-Identifier: BSD-3-Clause
 * The program of a malleable job: a loop with a leader of its own, which says what processing
 * elements are worth and plans how the members change. It is not run iteration by iteration: those
 * with the same members are alike. */
#ifndef XMPI_SIMULATE_WORKLOAD_MALLEABLE_H
#define XMPI_SIMULATE_WORKLOAD_MALLEABLE_H

#include "simulate/program/state.h"
#include "simulate/workload/jobs.h"

typedef struct {
    sim_values_t values;
    sim_run_t run;       /* its clock is at the end of an iteration */
    double iteration;    /* seconds of the next ones */
    int worths;          /* as of the last one; 0: nothing is known yet */
    xmpi_worth_t *worth; /* malloc: of those numbers of members that the job can have */
} sim_malleable_t;

/* The program of JOB, which begins NOW with MEMBERS members. NULL without memory. TECHNIQUE must
 * stay. */
sim_malleable_t *sim_malleable_start(const sim_values_t *values, const sim_technique_t *technique,
                                     const sim_job_t *job, int members, double now,
                                     xmpi_error_t *error);
void sim_malleable_free(sim_malleable_t *program);

/* When it will end, as it is, and when the iteration is over that is under way; INFINITY: that is
 * the last one. */
double sim_malleable_ends(const sim_malleable_t *program);
double sim_malleable_next(const sim_malleable_t *program);

int sim_malleable_members(const sim_malleable_t *program);

/* Goes on until NOW, and asks the leader what members are worth. XMPI_ERR_MEMORY. */
xmpi_status_t sim_malleable_ask(sim_malleable_t *program, const sim_job_t *job, double now,
                                xmpi_error_t *error);

/* At the end of the iteration that is under way, it changes to MEMBERS, unless the loop ends then.
 * From sim_malleable_done on it goes on with those that it has. XMPI_ERR_MEMORY,
 * XMPI_ERR_INTERNAL. */
xmpi_status_t sim_malleable_resize(sim_malleable_t *program, double now, int members,
                                   xmpi_error_t *error);
double sim_malleable_done(const sim_malleable_t *program);

#endif

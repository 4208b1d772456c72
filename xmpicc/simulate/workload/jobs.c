/* SPDX-License-Identifier: BSD-3-Clause
 * The jobs of a workload. */
#include "simulate/workload/jobs.h"

#include <stdlib.h>
#include <string.h>

sim_job_t *sim_jobs_add(sim_jobs_t *jobs)
{
    if (jobs->jobs == jobs->room) {
        int room = jobs->room > 0 ? 2 * jobs->room : 256;
        sim_job_t *grown = realloc(jobs->job, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        jobs->job = grown;
        jobs->room = room;
    }
    sim_job_t *job = &jobs->job[jobs->jobs++];
    memset(job, 0, sizeof *job);
    return job;
}

void sim_jobs_free(sim_jobs_t *jobs)
{
    free(jobs->job);
    memset(jobs, 0, sizeof *jobs);
}

double sim_job_seconds(const sim_values_t *values, const sim_job_t *job, int pes)
{
    double fixed = values->jobs_communication;
    return pes == job->pes ? job->seconds
                           : job->seconds * (fixed + (1 - fixed) * job->pes / (double)pes);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The jobs that a scenario says. */
#include "simulate/workload/make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/planning/draw.h"
#include "simulate/workload/lublin.h"
#include "simulate/workload/swf.h"

/* In the order in which they are submitted; those of the same moment as they are in the file. */
static int earlier(const void *a, const void *b)
{
    const sim_job_t *x = a, *y = b;
    if (x->submitted != y->submitted)
        return x->submitted < y->submitted ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Makes the times between jobs longer or shorter, until their work is LOAD of what PES could do
 * from the first to the last. */
static void scale(sim_jobs_t *jobs, double load, double pes)
{
    double first = jobs->job[0].submitted, work = 0;
    double span = jobs->job[jobs->jobs - 1].submitted - first;
    for (int i = 0; i < jobs->jobs; i++)
        work += jobs->job[i].seconds * jobs->job[i].pes;
    for (int i = 0; i < jobs->jobs; i++) {
        double since = jobs->job[i].submitted - first;
        jobs->job[i].submitted = span > 0 ? since * (work / (load * pes)) / span : 0;
    }
}

/* A job with a number is always the same one of a seed. */
static double drawn(uint64_t seed, int index)
{
    uint64_t state = seed ^ 0x6a6f6273u;
    state = xmpi_random_next(&state) + (uint64_t)index;
    return (double)(xmpi_random_next(&state) >> 11) / 9007199254740992.0;
}

static void choose_kinds(sim_jobs_t *jobs, const sim_values_t *v, uint64_t seed)
{
    double pes = (double)(v->nodes * v->cores);
    for (int i = 0; i < jobs->jobs; i++) {
        sim_job_t *job = &jobs->job[i];
        double at = drawn(seed, i);
        job->kind = at < v->jobs_malleable       ? SIM_MALLEABLE
                    : at >= 1 - v->jobs_moldable ? SIM_MOLDABLE
                                                 : SIM_RIGID;
        job->least = job->most = job->pes;
        job->due = job->submitted + v->jobs_due * job->seconds + v->jobs_grace;
        if (job->kind == SIM_RIGID)
            continue;
        job->least = (int)fmax(1, ceil(v->jobs_least * job->pes));
        job->most = (int)fmin(pes, fmax(job->pes, floor(v->jobs_most * job->pes)));
    }
}

static xmpi_status_t check(const sim_jobs_t *jobs, const sim_values_t *v, xmpi_error_t *error)
{
    double pes = (double)(v->nodes * v->cores);
    if (jobs->jobs == 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "there are no jobs that ran");
    for (int i = 0; i < jobs->jobs; i++)
        if (jobs->job[i].pes > pes)
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "job %lld asks for %d processing elements, and there are %g",
                                  (long long)jobs->job[i].number, jobs->job[i].pes, pes);
    return XMPI_OK;
}

xmpi_status_t sim_jobs_make(sim_jobs_t *jobs, const sim_values_t *v, uint64_t seed,
                            xmpi_error_t *error)
{
    memset(jobs, 0, sizeof *jobs);
    xmpi_status_t status = v->jobs_file[0] != '\0'
                               ? sim_swf_read(jobs, v->jobs_file, v->jobs, error)
                               : sim_lublin(jobs, (int)v->jobs, (int)(v->nodes * v->cores), seed);
    if (status == XMPI_ERR_MEMORY)
        return xmpi_error_set(error, status, "no memory for the jobs");
    if (status == XMPI_OK)
        status = check(jobs, v, error);
    if (status != XMPI_OK)
        return status;
    qsort(jobs->job, (size_t)jobs->jobs, sizeof *jobs->job, earlier);
    for (int i = 0; i < jobs->jobs; i++)
        if (jobs->job[i].requested <= 0)
            jobs->job[i].requested = v->jobs_estimate * jobs->job[i].seconds;
    if (v->jobs_load > 0)
        scale(jobs, v->jobs_load, (double)(v->nodes * v->cores));
    choose_kinds(jobs, v, seed);
    return XMPI_OK;
}

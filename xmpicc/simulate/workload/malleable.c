/* SPDX-License-Identifier: BSD-3-Clause
 * The program of a malleable job. */
#include "simulate/workload/malleable.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "simulate/program/decide.h"
#include "simulate/program/iterate.h"
#include "simulate/program/world.h"

/* --- a job as a program ------------------------------------------------------------------------
 */

/* Rows that its processing elements can share evenly, and others nearly so. */
static int64_t rows_of(const sim_job_t *job)
{
    enum { ROWS = 1000, ROWS_OF_MEMBER = 16 };
    double rows = fmax(ROWS, ROWS_OF_MEMBER * (double)job->most);
    return job->pes * (int64_t)ceil(rows / job->pes);
}

/* Bytes that messages to neighbours have for them to take SECONDS: those to both share a link. */
static double bytes_of(const sim_values_t *values, const sim_job_t *job, double seconds)
{
    int together = job->pes == 2 ? 1 : 2;
    return fmax(0, floor((seconds - values->latency) * values->bandwidth / together));
}

/* With the processing elements that it asks for it takes what it says. */
static void describe(const sim_values_t *values, const sim_job_t *job, int members,
                     sim_values_t *of)
{
    double iterations = fmax(1, round(job->seconds / values->jobs_iteration));
    double iteration = job->seconds / iterations;
    double bytes = bytes_of(values, job, values->jobs_communication * iteration);
    double messages = job->pes > 1 && bytes > 0 ? values->jobs_communication * iteration : 0;
    sim_values_standard(of);
    of->nodes = job->most;
    of->speed = values->speed;
    of->network = SIM_NETWORK_SWITCHED;
    of->bandwidth = values->bandwidth;
    of->latency = values->latency;
    of->wake = values->wake;
    of->active = members;
    of->start = SIM_START_ORDER;
    of->iterations = (int64_t)iterations;
    of->rows = rows_of(job);
    of->pattern = SIM_PATTERN_HALO;
    of->bytes = bytes;
    of->work = (iteration - messages) * job->pes * values->speed;
    of->state = values->state * job->pes / members;
}

sim_malleable_t *sim_malleable_start(const sim_values_t *values, const sim_technique_t *technique,
                                     const sim_job_t *job, int members, double now,
                                     xmpi_error_t *error)
{
    sim_malleable_t *program = calloc(1, sizeof *program);
    if (program == NULL)
        return NULL;
    describe(values, job, members, &program->values);
    program->run = (sim_run_t){.values = &program->values,
                               .technique = technique,
                               .communication = -1,
                               .now = now,
                               .looked = now};
    program->worth = calloc((size_t)job->most, sizeof *program->worth);
    if (program->worth == NULL || sim_world_make(&program->run, error) != XMPI_OK ||
        sim_iteration_seconds(&program->run, &program->iteration, error) != XMPI_OK) {
        sim_malleable_free(program);
        return NULL;
    }
    program->run.now = now;
    sim_begin_interval(&program->run);
    return program;
}

void sim_malleable_free(sim_malleable_t *program)
{
    if (program == NULL)
        return;
    sim_world_free(&program->run);
    free(program->worth);
    free(program);
}

/* --- time --------------------------------------------------------------------------------------
 */

double sim_malleable_ends(const sim_malleable_t *program)
{
    int64_t left = program->values.iterations - program->run.iteration;
    return program->run.now + (double)left * program->iteration;
}

double sim_malleable_next(const sim_malleable_t *program)
{
    bool last = program->run.iteration + 1 >= program->values.iterations;
    return last ? INFINITY : program->run.now + program->iteration;
}

double sim_malleable_done(const sim_malleable_t *program)
{
    return program->run.now;
}

int sim_malleable_members(const sim_malleable_t *program)
{
    return program->run.shared.layout.members;
}

/* The iterations that are over NOW; one of the last interval is always left for the end. */
static xmpi_status_t go_on(sim_malleable_t *program, double now, xmpi_error_t *error)
{
    double over = floor((now - program->run.now) / program->iteration + 1e-6);
    int64_t left = program->values.iterations - program->run.iteration - 1;
    int64_t count = over < (double)left ? (int64_t)over : left;
    return count > 0 ? sim_iterate_alike(&program->run, count, error) : XMPI_OK;
}

/* --- what it is asked and told -----------------------------------------------------------------
 */

/* Leaves out what the job cannot have. */
static void keep_possible(sim_malleable_t *program, const sim_job_t *job)
{
    int kept = 0;
    for (int i = 0; i < program->worths; i++)
        if (program->worth[i].members >= job->least)
            program->worth[kept++] = program->worth[i];
    program->worths = kept;
}

xmpi_status_t sim_malleable_ask(sim_malleable_t *program, const sim_job_t *job, double now,
                                xmpi_error_t *error)
{
    xmpi_status_t status = go_on(program, now, error);
    if (status != XMPI_OK || program->run.iteration == program->run.interval_start)
        return status;
    status = sim_ask_worth(&program->run, job->most, program->worth, &program->worths, error);
    sim_begin_interval(&program->run);
    keep_possible(program, job);
    return status;
}

/* Who is to leave is told that its processing element is withdrawn, and so is everybody of those
 * that it could go to. */
static void withdraw(sim_run_t *run, int members, bool withdrawn)
{
    xmpi_resources_t *resources = &run->shared.resources;
    for (int i = 0; i < resources->pes; i++)
        resources->pe[i].withdrawn = withdrawn;
    for (int i = 0; i < members && withdrawn; i++)
        resources->pe[run->shared.process[run->shared.layout.member[i].process].pe].withdrawn =
            false;
}

xmpi_status_t sim_malleable_resize(sim_malleable_t *program, double now, int members,
                                   xmpi_error_t *error)
{
    sim_run_t *run = &program->run;
    xmpi_status_t status = go_on(program, now, error);
    if (status == XMPI_OK)
        status = sim_iterate_alike(run, 1, error);
    if (status != XMPI_OK || run->iteration == program->values.iterations)
        return status;
    int more = members - sim_malleable_members(program);
    run->wanted = more > 0 ? more : 0;
    if (more < 0)
        withdraw(run, members, true);
    status = sim_end_interval(run, error);
    withdraw(run, 0, false);
    run->wanted = 0;
    sim_begin_interval(run);
    program->worths = 0;
    if (status == XMPI_OK)
        status = sim_iteration_seconds(run, &program->iteration, error);
    return status;
}

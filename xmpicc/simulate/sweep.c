/* SPDX-License-Identifier: BSD-3-Clause
 * All runs of a scenario. Each is a process of its own, as SimGrid has one clock and one platform
 * in a process: so nothing of a run depends on which others there are, or on when they are made. */
#define _GNU_SOURCE
#include "simulate/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simulate/gang/gang.h"
#include "simulate/program/run.h"
#include "simulate/workload/workload.h"

/* What a run says: one write, which a pipe takes whole. */
typedef struct {
    xmpi_status_t status;
    sim_result_t result;
    char error[256];
} answer_t;

/* A run that is under way. */
typedef struct {
    pid_t process; /* 0: none */
    int pipe, number;
} job_t;

static int runs_of(const sim_sweep_t *sweep)
{
    return sweep->scenario->points * sweep->scenario->techniques * sweep->seeds;
}

const sim_result_t *sim_sweep_result(const sim_sweep_t *sweep, int point, int technique, int seed)
{
    return &sweep->result[(point * sweep->scenario->techniques + technique) * sweep->seeds + seed];
}

/* Run NUMBER, in this process. */
static void make_run(const sim_sweep_t *sweep, int number, answer_t *answer)
{
    const sim_scenario_t *scenario = sweep->scenario;
    int seed = number % sweep->seeds, technique = number / sweep->seeds % scenario->techniques,
        point = number / sweep->seeds / scenario->techniques;
    sim_values_t values;
    xmpi_error_t error = {""};
    memset(answer, 0, sizeof *answer);
    answer->status = sim_scenario_at(scenario, point, &values, &error);
    const sim_technique_t *with = &scenario->technique[technique];
    uint64_t from = sweep->first_seed + (uint64_t)seed;
    if (answer->status == XMPI_OK)
        answer->status = sim_values_have_gangs(&values)
                             ? sim_gang_run(&values, with, from, &answer->result, &error)
                         : sim_values_have_jobs(&values)
                             ? sim_workload_run(&values, with, from, NULL, &answer->result, &error)
                             : sim_run(&values, with, from, NULL, &answer->result, &error);
    snprintf(answer->error, sizeof answer->error, "%.250s", error.text);
}

static xmpi_status_t begin(const sim_sweep_t *sweep, int number, job_t *job, xmpi_error_t *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "pipe: %s", strerror(errno));
    *job = (job_t){.process = fork(), .pipe = ends[0], .number = number};
    if (job->process == 0) {
        answer_t answer;
        make_run(sweep, number, &answer);
        _exit(write(ends[1], &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 1);
    }
    close(ends[1]);
    if (job->process > 0)
        return XMPI_OK;
    job->process = 0;
    close(ends[0]);
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "fork: %s", strerror(errno));
}

/* Takes in what has come of JOB, whose process has ended. */
static xmpi_status_t end(sim_sweep_t *sweep, job_t *job, xmpi_error_t *error)
{
    answer_t answer;
    bool answers = read(job->pipe, &answer, sizeof answer) == (ssize_t)sizeof answer;
    close(job->pipe);
    job->process = 0;
    if (!answers)
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "a simulation has ended before its time");
    sweep->result[job->number] = answer.result;
    return answer.status == XMPI_OK ? XMPI_OK
                                    : xmpi_error_set(error, answer.status, "%s", answer.error);
}

static void show(const sim_sweep_t *sweep, int done, int runs)
{
    enum { WIDTH = 40 };
    char bar[WIDTH + 1];
    int full = (int)((int64_t)WIDTH * done / runs);
    if (!sweep->progress)
        return;
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)full);
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %d/%d%s", bar, done, runs, done == runs ? "\n" : "");
    fflush(stderr);
}

/* Ends the jobs that are still there, after an error. */
static void give_up(job_t *job, int jobs)
{
    for (int i = 0; i < jobs; i++)
        if (job[i].process > 0) {
            kill(job[i].process, SIGKILL);
            waitpid(job[i].process, NULL, 0);
            close(job[i].pipe);
        }
}

/* Waits until one of the jobs has ended. */
static xmpi_status_t wait_for_one(sim_sweep_t *sweep, job_t *job, xmpi_error_t *error)
{
    pid_t ended;
    while ((ended = waitpid(-1, NULL, 0)) < 0 && errno == EINTR)
        ;
    for (int i = 0; i < sweep->jobs; i++)
        if (ended > 0 && job[i].process == ended)
            return end(sweep, &job[i], error);
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "waitpid: %s", strerror(errno));
}

static job_t *free_job(job_t *job, int jobs)
{
    for (int i = 0; i < jobs; i++)
        if (job[i].process == 0)
            return &job[i];
    return NULL;
}

static xmpi_status_t make_all(sim_sweep_t *sweep, job_t *job, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    int runs = runs_of(sweep), begun = 0, done = 0;
    show(sweep, done, runs);
    while (done < runs && status == XMPI_OK) {
        job_t *next = begun < runs ? free_job(job, sweep->jobs) : NULL;
        if (next != NULL) {
            status = begin(sweep, begun++, next, error);
            continue;
        }
        status = wait_for_one(sweep, job, error);
        show(sweep, ++done, runs);
    }
    return status;
}

xmpi_status_t sim_sweep(sim_sweep_t *sweep, xmpi_error_t *error)
{
    job_t *job = calloc((size_t)sweep->jobs, sizeof *job);
    sweep->result = calloc((size_t)runs_of(sweep), sizeof *sweep->result);
    if (job == NULL || sweep->result == NULL) {
        free(job);
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for %d runs", runs_of(sweep));
    }
    xmpi_status_t status = make_all(sweep, job, error);
    give_up(job, sweep->jobs);
    free(job);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The Standard Workload Format. */
#include "simulate/workload/swf.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "files/lines.h"

/* Fields, from 0. */
enum { NUMBER, SUBMITTED, SECONDS = 3, USED, ASKED = 7, REQUESTED, STATUS = 10, FIELDS = 18 };

/* Of a job that was swapped out or checkpointed there is a line for all of it and, with these
 * statuses, one for each part, which the format says are not to be counted as well. */
enum { TO_BE_CONTINUED = 2, LAST_PART_FAILED = 4 };

typedef struct {
    const char *path;
    sim_jobs_t *jobs;
    int64_t most;
} reading_t;

static int read_fields(const char *text, double *field)
{
    int fields = 0;
    for (const char *at = text; fields < FIELDS; fields++) {
        char *end;
        field[fields] = strtod(at, &end);
        if (end == at || !isfinite(field[fields]))
            break;
        at = end;
        if (fields == FIELDS - 1 && at[strspn(at, " \t\r")] != '\0')
            return FIELDS + 1;
    }
    return fields;
}

/* Whether the line is of a job that ran. What is not known is negative. */
static bool is_job(const double *field, double pes)
{
    bool part = field[STATUS] >= TO_BE_CONTINUED && field[STATUS] <= LAST_PART_FAILED;
    return pes > 0 && field[SECONDS] > 0 && !part;
}

static xmpi_status_t read_line(void *context, char *text, int line, xmpi_error_t *error)
{
    reading_t *reading = context;
    double field[FIELDS];
    if (text[strspn(text, " \t\r")] == ';' ||
        (reading->most > 0 && reading->jobs->jobs >= reading->most))
        return XMPI_OK;
    if (read_fields(text, field) != FIELDS)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%.100s: line %d: expected the 18 numbers of a job", reading->path,
                              line);
    double pes = field[ASKED] > 0 ? field[ASKED] : field[USED];
    if (!is_job(field, pes))
        return XMPI_OK;
    if (pes != floor(pes) || pes > INT_MAX || field[SUBMITTED] < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%.100s: line %d: a time before the first, or no whole number of "
                              "processors",
                              reading->path, line);
    sim_job_t *job = sim_jobs_add(reading->jobs);
    if (job == NULL)
        return XMPI_ERR_MEMORY;
    *job =
        (sim_job_t){.number = (int64_t)field[NUMBER],
                    .submitted = field[SUBMITTED],
                    .seconds = field[SECONDS],
                    .requested = field[REQUESTED] > 0 ? fmax(field[REQUESTED], field[SECONDS]) : 0,
                    .pes = (int)pes};
    return XMPI_OK;
}

xmpi_status_t sim_swf_read(sim_jobs_t *jobs, const char *path, int64_t most, xmpi_error_t *error)
{
    reading_t reading = {path, jobs, most};
    return xmpi_lines_each(path, &reading, read_line, error);
}

void sim_swf_write(const sim_jobs_t *jobs, int pes, FILE *file)
{
    fprintf(file, "; Version: 2.2\n; Computer: simulated\n; MaxJobs: %d\n; MaxProcs: %d\n",
            jobs->jobs, pes);
    for (int i = 0; i < jobs->jobs; i++) {
        const sim_job_t *job = &jobs->job[i];
        double ran = job->ended - job->started;
        fprintf(file,
                "%" PRId64 " %.10g %.10g %.10g %.10g -1 -1 %d %.10g -1 1 -1 -1 -1 -1 -1 -1 -1\n",
                job->number, job->submitted, job->started - job->submitted, ran,
                ran > 0 ? job->held / ran : job->pes, job->pes, job->requested);
    }
}

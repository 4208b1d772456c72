/* SPDX-License-Identifier: BSD-3-Clause
 * Gang scheduling. */
#include "simulate/gang/gang.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "decide/planning/draw.h"

/* --- jobs --------------------------------------------------------------------------------------
 */

static double uniform(uint64_t *state, double from, double to)
{
    return from + (to - from) * (double)(xmpi_random_next(state) >> 11) / 9007199254740992.0;
}

/* Table 3.2: the critical number is uniform, and rounded up to a power of two. */
static sim_gang_job_t draw_job(const sim_values_t *v, uint64_t *state)
{
    double most = v->gang_critical * (double)(v->nodes * v->cores);
    double parallel = uniform(state, v->gang_parallel, v->gang_parallel_most);
    double critical = uniform(state, 1, fmax(1, most));
    return (sim_gang_job_t){.parallel = parallel, .critical = (int)exp2(ceil(log2(critical)))};
}

static double computation(const sim_gang_job_t *job, int size, double seconds)
{
    return (1 - job->parallel + job->parallel / size) * seconds;
}

/* Twice as many for as long as that makes it 1.2 times as fast, as a user might find out. */
static int by_speedup(const sim_gang_job_t *job, int processors, double seconds)
{
    static const double worth_it = 1.2;
    int size = 1;
    while (2 * size <= processors &&
           computation(job, size, seconds) >= worth_it * computation(job, 2 * size, seconds))
        size *= 2;
    return size;
}

int sim_gang_size(const sim_gang_job_t *job, sim_gang_size_t policy, int processors, double seconds)
{
    int size = by_speedup(job, processors, seconds);
    switch (policy) {
    case SIM_GANG_C: /* Eq. 3.5 */
        return job->critical < processors ? job->critical : processors;
    case SIM_GANG_P:
        return size;
    case SIM_GANG_CP:
        return size < job->critical ? processors : size;
    case SIM_GANG_NONE:
    case SIM_GANG_A:
    default:
        return processors;
    }
}

double sim_gang_seconds(const sim_values_t *v, const sim_gang_job_t *job, int size)
{
    double reads =
        size >= job->critical ? 1 : ceil((double)job->critical * (double)v->gang_iterations / size);
    return computation(job, size, v->gang_seconds) + reads * v->gang_read;
}

/* --- the trace matrix --------------------------------------------------------------------------
 */

typedef struct {
    int free;       /* processors */
    int jobs, *job; /* malloc: as many as there can be */
} row_t;

typedef struct {
    const sim_values_t *values;
    int processors, jobs, rows, room;
    row_t *row;     /* malloc */
    double *left;   /* of each job: seconds for which it has yet to run; malloc */
    double *ended;  /* when it did; 0: not yet; malloc */
    bool *many;     /* whether it is in several rows; malloc */
    int64_t *ran;   /* the last slice that it had; NEVER; malloc */
    int64_t slices; /* that are over */
} matrix_t;

static xmpi_status_t add_row(matrix_t *matrix)
{
    if (matrix->rows == matrix->room) {
        int room = matrix->room > 0 ? 2 * matrix->room : 64;
        row_t *grown = realloc(matrix->row, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return XMPI_ERR_MEMORY;
        matrix->row = grown;
        matrix->room = room;
    }
    int room = matrix->processors < matrix->jobs ? matrix->processors : matrix->jobs;
    int *job = calloc((size_t)room, sizeof *job);
    if (job == NULL)
        return XMPI_ERR_MEMORY;
    matrix->row[matrix->rows++] = (row_t){.free = matrix->processors, .job = job};
    return XMPI_OK;
}

enum { NEVER = -2 }; /* which no slice comes right behind */

/* JOB goes into the first WANTED rows that have SIZE processors free, or into new ones. */
static xmpi_status_t put(matrix_t *matrix, int job, int size, int wanted)
{
    for (int i = 0; wanted > 0; i++) {
        if (i == matrix->rows && add_row(matrix) != XMPI_OK)
            return XMPI_ERR_MEMORY;
        row_t *row = &matrix->row[i];
        if (row->free < size)
            continue;
        row->free -= size;
        row->job[row->jobs++] = job;
        wanted--;
    }
    return XMPI_OK;
}

/* In the enhanced mode a job is in as many rows as have all processors together (Eq. 3.4, where
 * its size is its critical number). */
static xmpi_status_t fill(matrix_t *matrix, const sim_technique_t *technique, uint64_t seed)
{
    const sim_values_t *v = matrix->values;
    uint64_t state = seed ^ 0x67616e67u;
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < matrix->jobs && status == XMPI_OK; i++) {
        sim_gang_job_t job = draw_job(v, &state);
        int size = sim_gang_size(&job, technique->gang, matrix->processors, v->gang_seconds);
        int rows = technique->many_rows ? (matrix->processors + size - 1) / size : 1;
        matrix->left[i] = sim_gang_seconds(v, &job, size);
        matrix->many[i] = rows > 1;
        matrix->ran[i] = NEVER;
        status = put(matrix, i, size, rows);
    }
    return status;
}

static void remove_row(matrix_t *matrix, int index)
{
    free(matrix->row[index].job);
    matrix->rows--;
    for (int i = index; i < matrix->rows; i++)
        matrix->row[i] = matrix->row[i + 1];
}

/* Seconds of its slice that JOB loses: who is in several rows and did not run just before restores
 * its state and loads what it needs, as others had its processors (T_c of section 3.2.4, which only
 * these have). */
static double lost_of(const matrix_t *matrix, int job)
{
    bool restores = matrix->many[job] && matrix->ran[job] != matrix->slices - 1;
    return matrix->values->gang_switch + (restores ? matrix->values->gang_reload : 0);
}

/* The jobs of the row run from NOW on for a slice; those that have ended leave it. Whether it had
 * any. */
static bool run_slice(matrix_t *matrix, row_t *row, double now)
{
    double slice = matrix->values->gang_slice;
    int kept = 0;
    for (int i = 0; i < row->jobs; i++)
        if (matrix->ended[row->job[i]] <= 0)
            row->job[kept++] = row->job[i];
    row->jobs = kept;
    for (int i = 0; i < row->jobs; i++) {
        int job = row->job[i];
        double lost = lost_of(matrix, job);
        if (matrix->left[job] <= slice - lost)
            matrix->ended[job] = now + lost + matrix->left[job];
        matrix->left[job] -= slice - lost;
        matrix->ran[job] = matrix->slices;
    }
    matrix->slices += kept > 0;
    return kept > 0;
}

/* Row after row, until all jobs have ended; a row without jobs is taken out. */
static void run_all(matrix_t *matrix)
{
    double now = 0;
    for (int i = 0; matrix->rows > 0;) {
        if (run_slice(matrix, &matrix->row[i], now)) {
            now += matrix->values->gang_slice;
            i++;
        } else {
            remove_row(matrix, i);
        }
        i = i < matrix->rows ? i : 0;
    }
}

static void free_matrix(matrix_t *matrix)
{
    while (matrix->rows > 0)
        remove_row(matrix, matrix->rows - 1);
    free(matrix->row);
    free(matrix->left);
    free(matrix->ended);
    free(matrix->many);
    free(matrix->ran);
}

xmpi_status_t sim_gang_run(const sim_values_t *values, const sim_technique_t *technique,
                           uint64_t seed, sim_result_t *result, xmpi_error_t *error)
{
    size_t jobs = (size_t)values->gang_jobs;
    matrix_t matrix = {.values = values,
                       .processors = (int)(values->nodes * values->cores),
                       .jobs = (int)values->gang_jobs,
                       .left = calloc(jobs, sizeof(double)),
                       .ended = calloc(jobs, sizeof(double)),
                       .many = calloc(jobs, sizeof(bool)),
                       .ran = calloc(jobs, sizeof(int64_t))};
    bool room =
        matrix.left != NULL && matrix.ended != NULL && matrix.many != NULL && matrix.ran != NULL;
    xmpi_status_t status = room ? XMPI_OK : XMPI_ERR_MEMORY;
    *result = (sim_result_t){0};
    if (status == XMPI_OK)
        status = fill(&matrix, technique, seed);
    if (status == XMPI_OK)
        run_all(&matrix);
    for (int i = 0; i < matrix.jobs && status == XMPI_OK; i++) {
        result->seconds += matrix.ended[i] / matrix.jobs;
        result->makespan = fmax(result->makespan, matrix.ended[i]);
    }
    free_matrix(&matrix);
    return status == XMPI_OK ? status
                             : xmpi_error_set(error, status, "no memory for the trace matrix");
}

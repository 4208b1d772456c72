/* SPDX-License-Identifier: BSD-3-Clause
 * How much of a move of a constant matrix is hidden behind iterations.
 *
 * Usage: move_background MEGABYTES ROUNDS BUSY PERIOD. In an iteration each member computes for
 * BUSY microseconds of CPU time (measured beforehand as an amount of work) and then waits until
 * PERIOD microseconds are over, as if its processor had something left for a second thread; with
 * BUSY = PERIOD it has not. Prints lines of "move", the seconds of a move in the foreground, and
 * "extra": what the iterations from the begin to the switch of a move in the background took longer
 * than as many of those before it, standing still at both ends included. */
#include <time.h>

#include "moving.h"

typedef struct {
    int64_t steps; /* of computation in an iteration */
    double period; /* seconds */
    volatile double sum;
} work_t;

/* Without touching memory. */
static void compute(work_t *work)
{
    double x = work->sum;
    for (int64_t i = 0; i < work->steps; i++)
        x = x * 0.999999 + 1e-6;
    work->sum = x;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Steps that take SECONDS of CPU time. */
static void calibrate(work_t *work, double seconds)
{
    work->steps = 20000000;
    double start = cpu_seconds();
    compute(work);
    work->steps = (int64_t)((double)work->steps * seconds / (cpu_seconds() - start));
}

/* An iteration in which members wait for one another, as solvers do. */
static void iterate(work_t *work)
{
    double until = MPI_Wtime() + work->period, left, largest;
    compute(work);
    double mine = work->sum;
    MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    while ((left = until - MPI_Wtime()) > 0) {
        struct timespec rest = {.tv_nsec = (long)(left * 1e9)};
        nanosleep(&rest, NULL);
    }
}

enum { BEFORE = 30, MOST = 10000 };

/* Seconds of an iteration while nothing moves. */
static double measure_alone(work_t *work)
{
    double start = begin();
    for (int i = 0; i < BEFORE; i++)
        iterate(work);
    return (begin() - start) / BEFORE;
}

/* Whether all have everything. */
static int all_arrived(xmpi_redistribution_t *r)
{
    int mine = xmpi_redistribute_test(r), all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

static void measure_background(state_t *state, work_t *work, xmpi_block_t *next)
{
    xmpi_redistribution_t r;
    const xmpi_change_t *change = change_to(state, next);
    double alone = measure_alone(work), start = begin(), began, arrived;
    int n = 0;
    agree(xmpi_redistribute_prepare(&state->registry, change, state->rank, XMPI_ARRAYS_CONSTANT,
                                    &r) == XMPI_OK,
          "a redistribution cannot be prepared");
    must(xmpi_redistribute_start(&state->registry, MPI_COMM_WORLD, &r) == XMPI_OK,
         "a redistribution failed");
    began = MPI_Wtime();
    do {
        iterate(work);
        must(++n < MOST, "the move does not come to an end");
    } while (!all_arrived(&r));
    arrived = MPI_Wtime();
    xmpi_redistribute_settle(&r);
    xmpi_redistribute_commit(&state->registry, change, state->rank, &r);
    end(state, "extra", start + n * alone);
    end(state, "still", start + arrived - began);
    memcpy(state->block, next, sizeof state->block);
    check(state);
}

int main(int argc, char **argv)
{
    state_t state = {.rank = 0};
    work_t work = {.steps = 0};
    xmpi_block_t next[MEMBERS_MAX];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &state.size);
    must(argc == 5 && state.size > 1 && state.size <= MEMBERS_MAX,
         "usage: move_background MEGABYTES ROUNDS BUSY PERIOD");
    state.rows = (int64_t)((size_t)atoi(argv[1]) * 1000000 / bytes_of(1));
    equal_blocks(&state, 0, state.block);
    fill(&state);
    describe(&state)->constant = true;
    work.period = 1e-6 * atof(argv[4]);
    calibrate(&work, 1e-6 * atof(argv[3]));
    for (int i = 0; i < atoi(argv[2]); i++) {
        next_blocks(&state, next);
        redistribute(&state, "move", next);
        check(&state);
        next_blocks(&state, next);
        measure_background(&state, &work, next);
    }
    free(state.matrix);
    xmpi_registry_free(&state.registry);
    MPI_Finalize();
    return 0;
}

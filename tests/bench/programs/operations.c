/* SPDX-License-Identifier: BSD-3-Clause
 * Times MPI operations as a plain MPI program: prints "OPERATION BYTES SECONDS" lines, the median
 * of ROUNDS calls, from the time all begin until the last one is done.
 *
 * Usage: operations ROUNDS */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS_MAX = 100, MOST = 1 << 20 };

/* Seconds until all processes know when to begin. */
static const double ahead = 0.25;

static const int sizes[] = {8, 8192, 65536, 524288};

typedef struct {
    const char *name;
    void (*call)(int rank, int size, int bytes);
} operation_t;

static char *in, *out;

static void send(int rank, int size, int bytes)
{
    if (rank == 0)
        MPI_Send(in, bytes, MPI_BYTE, size - 1, 0, MPI_COMM_WORLD);
    else if (rank == size - 1)
        MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void bcast(int rank, int size, int bytes)
{
    (void)rank, (void)size;
    MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather(int rank, int size, int bytes)
{
    (void)rank, (void)size;
    MPI_Gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void allreduce(int rank, int size, int bytes)
{
    (void)rank, (void)size;
    MPI_Allreduce(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
}

/* All processes are on one machine and have one clock: they begin at the same time, and the last
 * one to be done counts. */
static double once(const operation_t *operation, int rank, int size, int bytes)
{
    double start = now() + ahead, end;
    MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    sleep_until(start);
    operation->call(rank, size, bytes);
    end = now();
    MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return end - start;
}

static void measure(const operation_t *operation, int rank, int size, int bytes, int rounds)
{
    double seconds[ROUNDS_MAX];
    once(operation, rank, size, bytes); /* connects */
    for (int i = 0; i < rounds; i++)
        seconds[i] = once(operation, rank, size, bytes);
    qsort(seconds, (size_t)rounds, sizeof *seconds, compare);
    if (rank == 0)
        printf("%s %d %.9f\n", operation->name, bytes, seconds[rounds / 2]);
}

int main(int argc, char **argv)
{
    static const operation_t operations[] = {
        {"send", send}, {"bcast", bcast}, {"gather", gather}, {"allreduce", allreduce}};
    int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in = calloc(1, MOST);
    out = calloc((size_t)size, MOST);
    if (in == NULL || out == NULL || rounds < 1 || rounds > ROUNDS_MAX)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            measure(&operations[i], rank, size, sizes[k], rounds);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}

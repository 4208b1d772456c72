/* SPDX-License-Identifier: BSD-3-Clause
 * Growing by 8 and shrinking one by one as a plain MPI program does it, the measure for XMPI.
 *
 * Usage: bare CYCLES. Prints "grow SECONDS" for each MPI_Comm_spawn of 8 with the merge, and
 * "shrink SECONDS" for each split into those that stay and the last, with the disconnect. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { JOINERS = 8, PAUSE_MS = 10 };

/* As in steady.c, what has just happened is over before the next measurement. */
static void settle(MPI_Comm world)
{
    struct timespec t = {.tv_nsec = PAUSE_MS * 1000000L};
    nanosleep(&t, NULL);
    MPI_Barrier(world);
}

static void report(MPI_Comm world, const char *what, double seconds)
{
    int rank;
    MPI_Comm_rank(world, &rank);
    if (rank == 0)
        printf("%s %.9f\n", what, seconds);
}

static MPI_Comm grow(MPI_Comm world, char *program)
{
    MPI_Comm children, merged;
    settle(world);
    double start = MPI_Wtime();
    MPI_Comm_spawn(program, MPI_ARGV_NULL, JOINERS, MPI_INFO_NULL, 0, world, &children,
                   MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(children, 0, &merged);
    report(merged, "grow", MPI_Wtime() - start);
    MPI_Comm_disconnect(&children);
    MPI_Comm_disconnect(&world);
    return merged;
}

static MPI_Comm join(MPI_Comm parents)
{
    MPI_Comm merged;
    MPI_Intercomm_merge(parents, 1, &merged);
    MPI_Comm_disconnect(&parents);
    return merged;
}

/* The last member leaves and has MPI_COMM_NULL then. */
static MPI_Comm shrink(MPI_Comm world)
{
    int rank, size;
    MPI_Comm next;
    settle(world);
    double start = MPI_Wtime();
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    MPI_Comm_split(world, rank == size - 1 ? MPI_UNDEFINED : 0, rank, &next);
    MPI_Comm_disconnect(&world);
    double seconds = MPI_Wtime() - start;
    if (next != MPI_COMM_NULL)
        report(next, "shrink", seconds);
    return next;
}

static MPI_Comm shrink_all(MPI_Comm world)
{
    for (int i = 0; i < JOINERS && world != MPI_COMM_NULL; i++)
        world = shrink(world);
    return world;
}

int main(int argc, char **argv)
{
    MPI_Comm parents, world;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL) {
        shrink_all(join(parents));
    } else {
        int cycles = argc > 1 ? atoi(argv[1]) : 1;
        MPI_Comm_dup(MPI_COMM_WORLD, &world);
        for (int i = 0; i < cycles; i++)
            world = shrink_all(grow(world, argv[0]));
        MPI_Comm_disconnect(&world);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The point of the loops here; without XMPI (-DPLAIN) it is nothing. */
#ifndef XMPI_TESTS_MOVABLE_POINT_H
#define XMPI_TESTS_MOVABLE_POINT_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PLAIN
#define XMPI_Point() MPI_SUCCESS
#else
#include "xmpi.h"
#endif

/* All bits of what a rank has computed, mixed into one number. */
static inline unsigned long mix(unsigned long sum, double value)
{
    unsigned long bits;
    memcpy(&bits, &value, sizeof bits);
    return (sum ^ bits) * 1099511628211u;
}

/* Whether there is another STEP: there are N, or, where that is 0, as many as there are until there
 * is a file "stop". */
static inline int goes_on(int step, int n)
{
    int on = access("stop", F_OK) != 0;
    if (n > 0)
        return step < n;
    MPI_Bcast(&on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return on;
}

/* How many there were, where nobody has said so before. */
static inline void say_steps(int step, int n)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (n == 0 && rank == 0)
        printf("steps %d\n", step);
}

/* Each rank's line, in the order of the ranks. */
static inline void say(const char *what, unsigned long sum)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned long *all = malloc((size_t)size * sizeof *all);
    MPI_Gather(&sum, 1, MPI_UNSIGNED_LONG, all, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    for (int i = 0; i < size && rank == 0; i++)
        printf("%s %d %016lx\n", what, i, all[i]);
    free(all);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The point of the loops here; without XMPI (-DPLAIN) it is nothing. */
#ifndef XMPI_TESTS_MOVABLE_POINT_H
#define XMPI_TESTS_MOVABLE_POINT_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

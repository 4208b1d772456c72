/* SPDX-License-Identifier: BSD-3-Clause
 * Ghost rows that are exchanged before the loop and at the end of each iteration. */
#include "ladder.h"

static int rank, size, up, down;

static void exchange(double *u, int count)
{
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, up, 0, &u[count + 1], 1, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, down, 1, &u[0], 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
    for (int i = 1; i <= count; i++)
        u[i] = sin(first + i);
    exchange(u, count);
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        for (int i = 1; i <= count; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
        for (int i = 1; i <= count; i++)
            u[i] = v[i];
        exchange(u, count);
    }
    tell(u + 1, count);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 3

static inline int place(int i, int j)
{
    return i * COLUMNS + j;
}

/* Where the element is does not follow the largest one so far, though it is asked only then. */
int main(int argc, char **argv)
{
    int rank, size, n = 40;
    double t = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count * COLUMNS, sizeof *u);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < COLUMNS; j++)
            u[place(i, j)] = sin(displ + i + j);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double most = 0, least = 1, largest, smallest;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < COLUMNS; j++) {
                most = u[place(i, j)] > most ? u[place(i, j)] : most;
                if (u[place(i, j)] < least)
                    least = u[place(i, j)];
            }
        MPI_Allreduce(&most, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(&least, &smallest, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < COLUMNS; j++)
                u[place(i, j)] = 0.8 * u[place(i, j)] + 0.1 * largest + 0.05 * smallest +
                                 0.01 * ((displ + i + j + k) % 7);
    }
    for (int i = 0; i < count; i++)
        t += u[place(i, 1)] * (displ + i);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define STEPS 12
int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *u = malloc(count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 5;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        double s = 0, t;
        if (rank == 0)
            s = u[0];
        MPI_Allreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * t;
    }
    double own = 0, all;
    for (int i = 0; i < count; i++)
        own += u[i] * (first + i + 1);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}

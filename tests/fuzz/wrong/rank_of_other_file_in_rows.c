/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef OTHER_FILE
#include <mpi.h>
void elsewhere(double *u, int n, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < n; i++)
        u[i] += 1e-3 * rank;
}
#else
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define STEPS 12
void elsewhere(double *u, int n, MPI_Comm comm);
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
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01;
        elsewhere(u, count, MPI_COMM_WORLD);
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
#endif

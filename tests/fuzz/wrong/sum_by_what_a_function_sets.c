/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double kept;
static void keep(double x)
{
    kept = x;
}
struct data {
    double carried;
};
static void stage(int k, struct data *d, int first, int count)
{
    for (int g = first; g < first + count; g++) {
        keep(g - first);
        d->carried += kept;
    }
}
int main(int argc, char **argv)
{
    int rank, size, n = 25;
    struct data d = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *u = malloc(count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < 13; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + k;
    d.carried = 0;
    stage(12, &d, first, count);
    double all = 0;
    MPI_Reduce(&d.carried, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}

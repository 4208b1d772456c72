/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 96;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int q = n / (2 * size), mine = 2 * q, low = rank * q, high = n - (rank + 1) * q;
    double *x = malloc((size_t)mine * sizeof *x), *v = calloc((size_t)mine, sizeof *v), mean = 0;
    for (int i = 0; i < mine; i++)
        x[i] = sin(0.3 * (i < q ? low + i : high + i - q));
#pragma xmpi loop
    for (int t = 0; t < 30; t++) {
        double s = 0;
        for (int i = 0; i < mine; i++)
            s += x[i];
        MPI_Allreduce(&s, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mean /= n;
        for (int i = 0; i < mine; i++) {
            v[i] += 0.05 * (-sin(x[i]) + 0.5 * (mean - x[i]));
            x[i] += 0.05 * v[i];
        }
    }
    double weighted = 0, all = 0;
    for (int i = 0; i < mine; i++)
        weighted += x[i] * (i < q ? low + i : high + i - q);
    MPI_Reduce(&weighted, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g %.9g\n", mean, all);
    MPI_Finalize();
    return 0;
}

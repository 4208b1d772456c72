/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* P the partner row */

int main(int argc, char **argv)
{
    int rank, size, n = 48, m = 6;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double t = 0, all = 0;
    double *u = calloc((size_t)count * m, sizeof *u);
    double *v = calloc((size_t)count * m, sizeof *v);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < m; j++)
            u[i * m + j] = 1 + 0.1 * ((displ + i + 2 * j) % 7);

#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            for (int j = 0; j < m; j++)
                v[i * m + j] = 0.6 * u[i * m + j] + 0.3 * u[(((displ + i) ^ 1) - displ) * m + j] +
                               0.01 * ((displ + i + j + k) % 5);
        for (int i = 0; i < count * m; i++)
            u[i] = v[i];
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < m; j++)
            t += (1 + (displ + i + j) % 5) * u[i * m + j];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}

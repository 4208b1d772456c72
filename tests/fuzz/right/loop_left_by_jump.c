/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, n = 48;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
    double most = 10;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int j = 0; j < 3; j++)
            if (most < 3 - j)
                goto done;
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * k;
        double own_most = 0;
        for (int i = 0; i < count; i++)
            own_most = fmax(own_most, u[i]);
        MPI_Allreduce(&own_most, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
done:;
    double own = 0, sum = 0;
    for (int i = 0; i < count; i++)
        own += u[i] * (displ + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", sum);
    free(u);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double t = 0, all = 0;
    double *u = calloc((size_t)count, sizeof *u);
    for (int i = 0; i < count; i++) {
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    }

#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int c = 0; c < 3; c++)
            for (int i = (3 - displ % 3 + c) % 3; i < count; i += 3)
                u[i] = 0.9 * u[i] + 0.01 * c;
    }
    for (int i = 0; i < count; i++) {
        t += (1 + (displ + i) % 5) * u[i];
    }
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}

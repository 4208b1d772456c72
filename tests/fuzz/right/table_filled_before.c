/* SPDX-License-Identifier: BSD-3-Clause */
/* Not divisible: a joining process has the table of another turn. Its state is found, so that it
 * starts over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    for (int step = 0; step < 5; step++) {
        double *weights = malloc(3 * sizeof *weights);
        for (int j = 0; j < 3; j++)
            weights[j] = j + step;
#pragma xmpi loop
        for (int k = 0; k < 10; k++) {
            for (int i = 0; i < count; i++)
                u[i] += 0.01 * weights[k % 3];
            for (int i = 0; i < count; i++)
                u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
        }
        free(weights);
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * A history has room for the larger of two numbers, of which one is of the program itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 48, steps = argc > 1 ? atoi(argv[1]) : 700, many = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    double *history = malloc((steps < 500 ? 500 : steps) * sizeof *history);
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            u[i] = 0.999 * u[i] + 0.001 * (displ + i);
            sum += u[i];
        }
        MPI_Allreduce(&sum, &history[many++], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    for (int k = 0; rank == 0 && k < many; k += 50)
        printf("%.9g\n", history[k]);
    MPI_Finalize();
    return 0;
}

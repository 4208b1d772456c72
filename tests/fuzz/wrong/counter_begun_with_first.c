/* SPDX-License-Identifier: BSD-3-Clause
 * The loop begins its counter with the first own row, and rows get what it is. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS 5

int main(int argc, char **argv)
{
    int rank, size, n = 29, j;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = malloc((size_t)count * COLUMNS * sizeof *u), t = 0, all = 0, norm[21];
    for (int i = 0; i < count; i++)
        for (j = 0; j < COLUMNS; j++)
            u[i * COLUMNS + j] = 1 + 0.1 * ((displ + i + j) % 7);
    norm[0] = 1;
#pragma xmpi loop
    for (j = displ; j < displ + 20; j++) {
        double own = 0;
        for (int i = 0; i < count; i++)
            for (int k = 0; k < COLUMNS; k++) {
                u[i * COLUMNS + k] += 0.01 * j / norm[j - displ];
                own += u[i * COLUMNS + k];
            }
        MPI_Allreduce(&own, &norm[j - displ + 1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i * COLUMNS];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g %.10g\n", all, norm[20]);
    MPI_Finalize();
    return 0;
}

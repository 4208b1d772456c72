/* SPDX-License-Identifier: BSD-3-Clause
 * Entries of compressed rows have a factor by their places among all that the process has. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 29, many = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int *start = malloc((size_t)(count + 1) * sizeof *start);
    double *value = malloc((size_t)(3 * count) * sizeof *value + 1);
    double *u = calloc((size_t)count, sizeof *u), sum = 0, all = 0;
    start[0] = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= (displ + i) % 3; j++)
            value[many++] = 0.01 * (displ + i + j);
        start[i + 1] = many;
    }

#pragma xmpi loop
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < count; i++) {
            double s = 0;
            for (int e = start[i]; e < start[i + 1]; e++)
                s += value[e] * (e % 2);
            u[i] += s / 4;
        }

    for (int i = 0; i < count; i++)
        sum += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}

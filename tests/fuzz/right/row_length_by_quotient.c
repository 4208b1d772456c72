/* SPDX-License-Identifier: BSD-3-Clause
 * Rows have as much room as a quotient says, in a variable. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 1200, m = argc > 2 ? atoi(argv[2]) : 600;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = n, wide = (m + 511) / 512 * 512;
    int displ = rank * rows / size, count = (rank + 1) * rows / size - displ;
    double *u = calloc((size_t)count * wide, sizeof *u);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < m; j++)
            u[i * wide + j] = displ + i + j % 7;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double sum = 0, all;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < m; j++) {
                u[i * wide + j] *= 0.99;
                sum += u[i * wide + j] * (displ + i);
            }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%.9g\n", all);
    }
    MPI_Finalize();
    return 0;
}

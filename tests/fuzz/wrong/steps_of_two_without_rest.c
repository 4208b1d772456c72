/* SPDX-License-Identifier: BSD-3-Clause
 * Rows are treated two at a time, as each process has an even number of them at first. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * (n / 2) / size * 2, count = (rank + 1) * (n / 2) / size * 2 - first;
    double *u = malloc((size_t)count * sizeof *u), s = 0, sum;
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i += 2) {
            u[i] *= 0.97;
            u[i + 1] *= 0.97;
        }
    for (int i = 0; i < count; i++)
        s += u[i] * (first + i);
    MPI_Reduce(&s, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", sum);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
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
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * (displ + i);
    }
    for (int r = 0; r < size; r++) {
        if (r == rank)
            for (int i = 0; i < count; i++)
                printf("row %d: %.9g\n", displ + i, u[i]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (displ <= 17 && 17 < displ + count)
        printf("row 17 is %.9g\n", u[17 - displ]);
    if (rank == 0)
        printf("first %.9g\n", u[0]);
    if (rank == size - 1)
        printf("last %.9g\n", u[count - 1]);
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
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
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 4, sizeof *u), t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i + 2] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        MPI_Sendrecv(&u[2], 2, MPI_DOUBLE, left, 0, &u[count + 2], 2, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 2, MPI_DOUBLE, right, 1, &u[0], 2, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++) {
            if ((displ + i) % 3 == 1)
                u[i + 2] = 0.4 * u[i + 2] + 0.2 * (u[i + 1] + u[i + 3]) + 0.1 * (u[i] + u[i + 4]);
        }
        for (int i = 0; i < count; i++)
            u[i + 2] += 0.01 * ((displ + i + k) % 3);
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i + 2];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}

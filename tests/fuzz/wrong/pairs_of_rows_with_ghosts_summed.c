/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 38;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
    for (int i = 1; i <= count; i++)
        u[i] = (displ + i) * 7 % 11;
    for (int step = 0; step < 3; step++) {
#pragma xmpi loop
        for (int k = 0; k < 5; k++) {
            MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[count + 1], 1, MPI_DOUBLE, right, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 1; i <= count; i++)
                v[i] = 0.5 * u[i] + 0.2 * (u[i - 1] + u[i + 1]) + 0.1 * ((displ + i + k) % 5);
            double *swap = u;
            u = v;
            v = swap;
        }
        double pairs = 0, of_all = 0;
        for (int i = 0; i + 1 < count; i += 2)
            pairs += fabs(u[i + 1] - u[i + 2]);
        MPI_Reduce(&pairs, &of_all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("pairs %.9g\n", of_all);
    }
    MPI_Finalize();
    return 0;
}

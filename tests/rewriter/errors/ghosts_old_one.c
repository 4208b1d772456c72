/* SPDX-License-Identifier: BSD-3-Clause
 * Only the row before is read, which is older than the own ones. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc(count + 2, sizeof *u), *x = calloc(count + 2, sizeof *x),
           *v = calloc(count + 2, sizeof *v);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i <= count + 1; i++) {
        u[i] = (first + i - 1) * 37 % 101;
        v[i] = (first + i - 1) * 17 % 51;
    }
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[count + 1], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&v[1], 1, MPI_DOUBLE, left, 0, &v[count + 1], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&v[count], 1, MPI_DOUBLE, right, 1, &v[0], 1, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            v[i] = 0.9 * v[i] + 0.01 * u[i];
        for (int i = 1; i <= count; i++)
            x[i] = 0.01 * (first + i + k) + 0.3 * (u[i - 1] + u[i + 1]) + 0.1 * v[i - 1];
        for (int i = 1; i <= count; i++)
            u[i] = x[i];
    }
    double sum = 0, total;
    for (int i = 1; i <= count; i++)
        sum += u[i] * (1 + (first + i - 1) % 13);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", total);
    MPI_Finalize();
    return 0;
}

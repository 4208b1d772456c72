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
    double *u = calloc((size_t)count + 2, sizeof *u);
    double *v = calloc((size_t)count + 2, sizeof *v);
    double t = 0, all = 0;
    for (int i = 1; i <= count; i++)
        u[i] = v[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        /* what the one before has set, and the one behind has not yet */
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            u[i] = 0.4 * u[i] + 0.2 * u[i - 1];
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, right, 1, &u[count + 1], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        /* in one direction each */
        MPI_Sendrecv(&v[1], 1, MPI_DOUBLE, left, 2, &v[count + 1], 1, MPI_DOUBLE, right, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(NULL, 0, MPI_DOUBLE, MPI_PROC_NULL, 3, &v[0], 1, MPI_DOUBLE, left, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            v[i] = 0.4 * v[i] + 0.2 * (v[i - 1] + v[i + 1]);
        MPI_Sendrecv(&v[count], 1, MPI_DOUBLE, right, 3, NULL, 0, MPI_DOUBLE, MPI_PROC_NULL, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 1; i <= count; i++)
        t += (1 + (displ + i) % 5) * (u[i] + v[i]);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}

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
    double *w = calloc((size_t)count + 2, sizeof *w);
    double t = 0, all = 0;
    for (int i = 1; i <= count; i++)
        u[i] = v[i] = w[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        /* one process after another */
        MPI_Recv(&u[0], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            u[i] = 0.6 * u[i] + 0.3 * u[i - 1];
        MPI_Send(&u[count], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
        MPI_Sendrecv(&v[1], 1, MPI_DOUBLE, left, 0, &v[count + 1], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&v[count], 1, MPI_DOUBLE, right, 1, &v[0], 1, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = count; i >= 1; i--) /* what is not set yet */
            v[i] -= 0.3 * (v[i] - v[i - 1]);
        MPI_Sendrecv(&w[1], 1, MPI_DOUBLE, left, 0, &w[count + 1], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&w[count], 1, MPI_DOUBLE, right, 1, &w[0], 1, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            if ((displ + i) % 2 == 0)
                w[i] = 0.5 * (w[i - 1] + w[i + 1]);
        MPI_Sendrecv(&w[1], 1, MPI_DOUBLE, left, 0, &w[count + 1], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&w[count], 1, MPI_DOUBLE, right, 1, &w[0], 1, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            if ((displ + i) % 2 == 1)
                w[i] = 0.5 * (w[i - 1] + w[i + 1]);
    }
    for (int i = 1; i <= count; i++)
        t += (1 + (displ + i) % 5) * (u[i] + v[i] + w[i]);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}

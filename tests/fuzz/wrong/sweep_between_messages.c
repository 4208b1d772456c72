/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void exchange(double *u, int count, int left, int right)
{
    MPI_Request all[4];
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(&u[count + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &all[1]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &all[2]);
    MPI_Isend(&u[count], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &all[3]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u), t = 0, all = 0;
    for (int i = 1; i <= count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        exchange(u, count, left, right);
        for (int i = 1; i <= count; i++)
            u[i] = 0.4 * u[i] + 0.3 * (u[i - 1] + u[i + 1]);
        exchange(u, count, left, right);
        for (int i = 1; i <= count; i++)
            u[i] += 0.01 * ((displ + i + k) % 3);
    }
    for (int i = 1; i <= count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 60, steps = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc(count + 2, sizeof *u), *v = calloc(count + 2, sizeof *v);
    MPI_Request q[4];
    for (int i = 1; i <= count; i++)
        u[i] = cos(first + i);
#pragma xmpi loop
    for (int t = 0; t < steps; t++) {
        MPI_Send_init(u + 1, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, q);
        MPI_Send_init(u + count, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, q + 1);
        MPI_Recv_init(u, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, q + 2);
        MPI_Recv_init(u + count + 1, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, q + 3);
        MPI_Startall(4, q);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
        for (int i = 1; i <= count; i++)
            v[i] = u[i] + 0.3 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        for (int i = 1; i <= count; i++)
            u[i] = v[i];
        for (int k = 0; k < 4; k++)
            MPI_Request_free(&q[k]);
    }
    double s = 0, all;
    for (int i = 1; i <= count; i++)
        s += u[i] * (first + i);
    MPI_Reduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", all);
    MPI_Finalize();
    return 0;
}

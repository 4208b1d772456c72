/* SPDX-License-Identifier: BSD-3-Clause
 * The inside rows begin one too late: the second row of each block stays as it is. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void update(const double *u, double *v, int m, int from, int to)
{
    int i, j;
    for (i = from; i <= to; i++)
        for (j = 1; j < m - 1; j++)
            v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] +
                                   u[i * m + j + 1]);
}

int main(int argc, char **argv)
{
    int rank, size, n = 29, m = 6;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)(count + 2) * m, sizeof *u), t = 0, all = 0;
    double *v = calloc((size_t)(count + 2) * m, sizeof *v);
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < m; j++)
            u[i * m + j] = v[i * m + j] = 1 + 0.1 * ((displ + i + j) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        MPI_Request request[4];
        MPI_Irecv(u, m, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(u + (count + 1) * m, m, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Isend(u + m, m, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &request[2]);
        MPI_Isend(u + count * m, m, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &request[3]);
        update(u, v, m, 3, count - 1);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        update(u, v, m, 1, 1);
        update(u, v, m, count, count);
        double *w = u;
        u = v;
        v = w;
    }
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < m; j++)
            t += (1 + (displ + i) % 5) * u[i * m + j];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}

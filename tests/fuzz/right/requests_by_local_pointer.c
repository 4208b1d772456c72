/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent requests of two time levels, whose buffers setup names by a pointer of its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, n = 24, count, displ, up, down;
static double *level[2];
static MPI_Request requests[2][4];

static void make_requests(void)
{
    for (int k = 0; k < 2; k++) {
        double *rows = level[k];
        MPI_Recv_init(rows, n, MPI_DOUBLE, up, 7, MPI_COMM_WORLD, &requests[k][0]);
        MPI_Recv_init(rows + (count + 1) * n, n, MPI_DOUBLE, down, 8, MPI_COMM_WORLD,
                      &requests[k][1]);
        MPI_Send_init(rows + n, n, MPI_DOUBLE, up, 8, MPI_COMM_WORLD, &requests[k][2]);
        MPI_Send_init(rows + count * n, n, MPI_DOUBLE, down, 7, MPI_COMM_WORLD, &requests[k][3]);
    }
}

static void relax(const double *from, double *to)
{
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] = 0.3 * (from[i * n + j] + from[(i - 1) * n + j] + from[(i + 1) * n + j]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count = n / size + (rank < n % size);
    displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    up = rank == 0 ? MPI_PROC_NULL : rank - 1;
    down = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    for (int k = 0; k < 2; k++)
        level[k] = calloc((size_t)(count + 2) * (size_t)n, sizeof(double));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < n; j++)
            level[0][(i + 1) * n + j] = 1 + 0.1 * ((displ + i) % 7) + 0.01 * j;
    make_requests();
#pragma xmpi loop
    for (int s = 0; s < 20; s++) {
        int now = s & 1;
        MPI_Startall(4, requests[now]);
        MPI_Waitall(4, requests[now], MPI_STATUSES_IGNORE);
        relax(level[now], level[1 - now]);
    }
    double sum = 0, all = 0;
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < n; j++)
            sum += level[0][i * n + j] * (j + 1);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 4; i++)
            MPI_Request_free(&requests[k][i]);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent requests that the first iteration makes. */
/* None: no state(...) can keep 'q', which an iteration makes for those that follow */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60, steps = argc > 2 ? atoi(argv[2]) : 120;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    int lf = rank ? rank - 1 : MPI_PROC_NULL, rt = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    double *u = calloc(count + 2, sizeof *u);
    double *v = calloc(count + 2, sizeof *v);
    MPI_Request q[4];
    MPI_Comm c = MPI_COMM_NULL;
    for (int i = 1; i <= count; i++)
        u[i] = cos(first + i);
    int t = 0;
#pragma xmpi loop
    while (t < steps) {
        if (t == 0) {
            MPI_Comm_dup(MPI_COMM_WORLD, &c);
            MPI_Send_init(u + 1, 1, MPI_DOUBLE, lf, 0, c, q);
            MPI_Send_init(u + count, 1, MPI_DOUBLE, rt, 1, c, q + 1);
            MPI_Recv_init(u, 1, MPI_DOUBLE, lf, 1, c, q + 2);
            MPI_Recv_init(u + count + 1, 1, MPI_DOUBLE, rt, 0, c, q + 3);
        }
        MPI_Startall(4, q);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
        for (int i = 1; i <= count; i++)
            v[i] = u[i] + 0.3 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        memcpy(u + 1, v + 1, count * sizeof *u);
        t++;
    }
    double s = 0, tot;
    for (int i = 1; i <= count; i++)
        s += u[i] * (first + i);
    MPI_Reduce(&s, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", tot);
    for (int k = 0; k < 4; k++)
        MPI_Request_free(&q[k]);
    MPI_Comm_free(&c);
    MPI_Finalize();
}

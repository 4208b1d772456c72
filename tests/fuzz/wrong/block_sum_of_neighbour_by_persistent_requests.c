/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 29, count, displ;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    double s = 0, g = 0;
    MPI_Request rq[2];
    MPI_Send_init(&s, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &rq[0]);
    MPI_Recv_init(&g, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &rq[1]);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        s = 0;
        for (int i = 0; i < count; i++)
            s += u[i];
        MPI_Startall(2, rq);
        MPI_Waitall(2, rq, MPI_STATUSES_IGNORE);
        s = g;
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + 1e-3 * s;
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Request_free(&rq[0]);
    MPI_Request_free(&rq[1]);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { STEPS = 14 };

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = malloc(sizeof *u * (size_t)count);
    for (int i = 0; i < count; i++)
        u[i] = 1 + (displ + i) % 7;
    double in = 0, out = 0;
    MPI_Request requests[2];
    MPI_Send_init(&out, 1, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&in, 1, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);

#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        double before = in;
        out = u[0];
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * before;
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);

    double own = 0, all = 0;
    for (int i = 0; i < count; i++)
        own += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}

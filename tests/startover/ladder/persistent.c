/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent requests of both time levels. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, now = 0;
    double *t[2];
    MPI_Request request[2][4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int l = 0; l < 2; l++) {
        t[l] = calloc((size_t)count + 2, sizeof(double));
        MPI_Send_init(&t[l][1], 1, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &request[l][0]);
        MPI_Send_init(&t[l][count], 1, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &request[l][1]);
        MPI_Recv_init(&t[l][count + 1], 1, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &request[l][2]);
        MPI_Recv_init(&t[l][0], 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &request[l][3]);
    }
    for (int i = 1; i <= count; i++)
        t[0][i] = cos(first + i);
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        MPI_Startall(4, request[now]);
        MPI_Waitall(4, request[now], MPI_STATUSES_IGNORE);
        for (int i = 1; i <= count; i++)
            t[1 - now][i] = 0.5 * t[now][i] + 0.25 * (t[now][i - 1] + t[now][i + 1]);
        now = 1 - now;
    }
    tell(t[now] + 1, count);
    for (int l = 0; l < 8; l++)
        MPI_Request_free(&request[l / 4][l % 4]);
    MPI_Finalize();
    return 0;
}

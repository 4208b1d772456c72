/* SPDX-License-Identifier: BSD-3-Clause
 * Rows, tables, buffers and requests in arrays of variable length. */
#include "ladder.h"

static void relax(int rows, int m, double now[rows + 2][m], double next[rows + 2][m])
{
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < m; j++)
            next[i][j] = 0.6 * now[i][j] + 0.2 * (now[i - 1][j] + now[i + 1][j]);
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < m; j++)
            now[i][j] = next[i][j];
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, m = 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int counts[size], firsts[size];
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size);
        firsts[r] = r > 0 ? firsts[r - 1] + counts[r - 1] : 0;
    }
    int rows = counts[rank], first = firsts[rank];
    double now[rows + 2][m], next[rows + 2][m];
    for (int i = 0; i < rows + 2; i++)
        for (int j = 0; j < m; j++)
            now[i][j] = i > 0 && i <= rows ? (first + i) * 0.5 + j : 0;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Request requests[2 * size];
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        double out[m];
        memcpy(out, now[1], sizeof out);
        MPI_Isend(out, m, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(now[rows], m, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Recv(now[rows + 1], m, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(now[0], m, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        relax(rows, m, now, next);
    }
    double mine[rows * m + 1];
    for (int i = 0; i < rows; i++)
        memcpy(mine + i * m, now[i + 1], m * sizeof *mine);
    tell(mine, rows * m);
    MPI_Finalize();
    return 0;
}

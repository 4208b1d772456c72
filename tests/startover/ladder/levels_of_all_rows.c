/* SPDX-License-Identifier: BSD-3-Clause
 * A plate at two levels of time, u[2][ROWS][COLUMNS], all of which each process has: its own rows
 * lie at their numbers, and those of the plate's edge stay as they are. */
#include "ladder.h"

#define ROWS 400
#define COLUMNS 12

static float u[2][ROWS][COLUMNS];

static void fill(int rows)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            u[0][i][j] = u[1][i][j] = (float)(i * (rows - i - 1) * j * (COLUMNS - j - 1));
}

static void update(int start, int end, float (*now)[COLUMNS], float (*next)[COLUMNS])
{
    for (int i = start; i <= end; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            next[i][j] = now[i][j] + 0.1f * (now[i + 1][j] + now[i - 1][j] - 2 * now[i][j]) +
                         0.1f * (now[i][j + 1] + now[i][j - 1] - 2 * now[i][j]);
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60, iz = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int average = n / size, extra = n % size, rows = average + (rank < extra);
    int offset = rank * average + (rank < extra ? rank : extra);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    int start = offset == 0 ? 1 : offset;
    int end = offset + rows == n ? n - 2 : offset + rows - 1;
    fill(n);
#pragma xmpi loop
    for (int it = 0; it < 20; it++) {
        if (left != MPI_PROC_NULL) {
            MPI_Send(u[iz][offset], COLUMNS, MPI_FLOAT, left, 0, MPI_COMM_WORLD);
            MPI_Recv(u[iz][offset - 1], COLUMNS, MPI_FLOAT, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
        if (right != MPI_PROC_NULL) {
            MPI_Send(u[iz][offset + rows - 1], COLUMNS, MPI_FLOAT, right, 1, MPI_COMM_WORLD);
            MPI_Recv(u[iz][offset + rows], COLUMNS, MPI_FLOAT, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
        update(start, end, u[iz], u[1 - iz]);
        iz = 1 - iz;
    }
    double *own = malloc(sizeof(double) * (size_t)(rows * COLUMNS + 1));
    for (int i = 0; i < rows * COLUMNS; i++)
        own[i] = u[iz][offset + i / COLUMNS][i % COLUMNS];
    tell(own, rows * COLUMNS);
    free(own);
    MPI_Finalize();
    return 0;
}

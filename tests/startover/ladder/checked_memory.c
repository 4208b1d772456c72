/* SPDX-License-Identifier: BSD-3-Clause
 * Rows behind pointers; the function that makes them gives back what it has got where memory runs
 * out. */
#include "ladder.h"

static float **grid_new(int rows, int width)
{
    float **grid = malloc(rows * sizeof *grid);
    if (!grid)
        return NULL;
    if ((grid[0] = calloc((size_t)rows * width, sizeof **grid)) == NULL) {
        free(grid);
        return NULL;
    }
    for (int i = 1; i < rows; i++)
        grid[i] = grid[i - 1] + width;
    return grid;
}

static void sweep(float **to, float **from, int count, int width)
{
    for (int i = 1; i <= count; i++)
        for (int j = 1; j < width - 1; j++)
            to[i][j] = 0.25f * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, width = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size, first = rank * count;
    if (rank == size - 1)
        count = n - first;
    float **now = grid_new(count + 2, width), **next = grid_new(count + 2, width);
    if (now == NULL || next == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < width; j++)
            now[i][j] = next[i][j] = (first + i) % 5 + 0.5f * j;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#pragma xmpi loop
    for (int k = 0; k < 25; k++) {
        MPI_Sendrecv(now[1], width, MPI_FLOAT, up, 1, now[count + 1], width, MPI_FLOAT, down, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(now[count], width, MPI_FLOAT, down, 2, now[0], width, MPI_FLOAT, up, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        sweep(next, now, count, width);
        float **t = now;
        now = next;
        next = t;
    }
    double *sums = calloc(count + 1, sizeof *sums);
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < width; j++)
            sums[i - 1] += now[i][j];
    tell(sums, count);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Game of life on a torus: each row has memory of its own, and a function that is handed the rows counts
 * who lives around a cell. */
#include "ladder.h"

static char **make(int rows, int width)
{
    char **row = malloc(rows * sizeof(char *));
    for (int i = 0; i < rows; i++)
        row[i] = calloc(width, 1);
    return row;
}

static int neighbours(char **row, int i, int j, int width)
{
    int left = (j + width - 1) % width, right = (j + 1) % width;
    return row[i - 1][left] + row[i - 1][j] + row[i - 1][right] + row[i][left] + row[i][right] +
           row[i + 1][left] + row[i + 1][j] + row[i + 1][right];
}

int main(int argc, char **argv)
{
    int rank, size, height = argc > 1 ? atoi(argv[1]) : 40, width = 18, generations = 30;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = height / size, start = rank * rows;
    if (rank < height % size) {
        rows++;
        start += rank;
    } else
        start += height % size;
    char **now = make(rows + 2, width), **next = make(rows + 2, width);
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < width; j++)
            now[i][j] = ((start + i) * 7 + j * 3) % 5 < 2;
    int up = (rank + size - 1) % size, down = (rank + 1) % size;
#pragma xmpi loop
    for (int k = 0; k < generations; k++) {
        MPI_Sendrecv(now[1], width, MPI_CHAR, up, 0, now[rows + 1], width, MPI_CHAR, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(now[rows], width, MPI_CHAR, down, 1, now[0], width, MPI_CHAR, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++)
            for (int j = 0; j < width; j++) {
                int around = neighbours(now, i, j, width);
                next[i][j] = around == 3 || (around == 2 && now[i][j]);
            }
        char **held = now;
        now = next;
        next = held;
    }
    double *mine = malloc((rows + 1) * sizeof *mine);
    for (int i = 0; i < rows; i++) {
        mine[i] = 0;
        for (int j = 0; j < width; j++)
            mine[i] += now[i + 1][j] * (j + 1);
    }
    tell(mine, rows);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * A topology that a function makes, which the loop's messages go by; what they lead to changes
 * places. */
/* None: number stays: state(...) names rows, not the parts of a grid */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int m;
    double **cells;
};

struct sides {
    int up, down, left, right;
};

static void find_sides(struct sides *sides, int size)
{
    int extents[2] = {0}, periods[2] = {1, 1}, dimensions = 2;
    MPI_Comm grid;
    MPI_Dims_create(size, dimensions, extents);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, extents, periods, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &sides->up, &sides->down);
    MPI_Cart_shift(grid, 1, 1, &sides->left, &sides->right);
    MPI_Comm_free(&grid);
}

static struct part *make(int m)
{
    struct part *p = malloc(sizeof *p);
    p->m = m;
    p->cells = malloc((m + 2) * sizeof *p->cells);
    for (int i = 0; i < m + 2; i++)
        p->cells[i] = calloc(m + 2, sizeof **p->cells);
    return p;
}

int main(int argc, char **argv)
{
    int rank, size;
    struct sides sides;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    find_sides(&sides, size);
    struct part *now = make(32 / size), *next = make(32 / size);
    for (int i = 1; i <= now->m; i++)
        now->cells[i][1 + i % 3] = rank + i;
#pragma xmpi loop
    for (int t = 0; t < 50; t++) {
        MPI_Sendrecv(now->cells[1], now->m + 2, MPI_DOUBLE, sides.up, 1, now->cells[now->m + 1],
                     now->m + 2, MPI_DOUBLE, sides.down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= now->m; i++)
            for (int j = 1; j <= now->m; j++)
                next->cells[i][j] = (now->cells[i + 1][j] + now->cells[i][j - 1]) / 2;
        struct part *other = now;
        now = next, next = other;
    }
    double sum = 0, all = 0;
    for (int i = 1; i <= now->m; i++)
        for (int j = 1; j <= now->m; j++)
            sum += now->cells[i][j];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", all);
    MPI_Finalize();
    return 0;
}

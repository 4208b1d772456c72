/* SPDX-License-Identifier: BSD-3-Clause
 * Cannon's product of matrices on a square grid of processes (those that are too many for a square
 * only count along), again and again; sums over the rows and columns of the grid. */
#include "point.h"

enum { BLOCK = 6 };

static MPI_Comm grid = MPI_COMM_NULL, row = MPI_COMM_NULL, column = MPI_COMM_NULL;
static int side, me[2];

static void make_grid(int size)
{
    int rank, round[2] = {1, 1}, keep_row[2] = {0, 1}, keep_column[2] = {1, 0};
    while ((side + 1) * (side + 1) <= size)
        side++;
    int dims[2] = {side, side};
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, round, 0, &grid);
    if (grid == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, me);
    MPI_Cart_sub(grid, keep_row, &row);
    MPI_Cart_sub(grid, keep_column, &column);
}

static void shift(double *block, int dimension, int by)
{
    int from, to;
    MPI_Cart_shift(grid, dimension, -by, &from, &to);
    MPI_Sendrecv_replace(block, BLOCK * BLOCK, MPI_DOUBLE, to, 1, from, 1, grid, MPI_STATUS_IGNORE);
}

static void add_product(const double *a, const double *b, double *c)
{
    for (int i = 0; i < BLOCK; i++)
        for (int k = 0; k < BLOCK; k++)
            for (int j = 0; j < BLOCK; j++)
                c[i * BLOCK + j] += a[i * BLOCK + k] * b[k * BLOCK + j];
}

/* C = A B, and A becomes a part of it. One shift of each goes to each iteration of the loop. */
static void turn(double *a, double *b, double *c, int step)
{
    if (step % side == 0) {
        memset(c, 0, BLOCK * BLOCK * sizeof *c);
        shift(a, 1, me[0]);
        shift(b, 0, me[1]);
    }
    add_product(a, b, c);
    shift(a, 1, 1);
    shift(b, 0, 1);
    if (step % side != side - 1)
        return;
    double most = 0, all[2];
    for (int i = 0; i < BLOCK * BLOCK; i++)
        most += c[i] * c[i];
    MPI_Allreduce(&most, &all[0], 1, MPI_DOUBLE, MPI_SUM, row);
    MPI_Allreduce(&all[0], &all[1], 1, MPI_DOUBLE, MPI_SUM, column);
    for (int i = 0; i < BLOCK * BLOCK; i++)
        a[i] = c[i] / (1 + all[0] + all[1]) + i % 5;
}

int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_grid(size);
    double *a = malloc(3 * sizeof(double) * BLOCK * BLOCK), *b = a + BLOCK * BLOCK;
    double *c = b + BLOCK * BLOCK;
    for (int i = 0; i < 2 * BLOCK * BLOCK; i++)
        a[i] = (i * 31 + rank * 17) % 23 / 7.0;
    unsigned long sum = (unsigned long)rank;
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        if (grid != MPI_COMM_NULL)
            turn(a, b, c, step);
        sum = mix(sum, grid != MPI_COMM_NULL ? c[step % (BLOCK * BLOCK)] : step);
    }
    say("cannon", sum);
    free(a);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * A matrix, the rows of which are no whole pages, sways between two layouts of which all
 * blocks but the first begin elsewhere, and is treated as what malloc gave in the end. Every
 * element is checked each time.
 *
 * Usage: swaying TIMES. Prints "swaying: ok", and whether rows that stayed were ever where they had
 * been ("in place"), or were copied each time ("copied"). */
#include <malloc.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpi.h"

enum { ROWS = 240, COLUMNS = 5002 };

static int rank, size;

static void must(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "swaying: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* The first row of block R in layout K. */
static int first(int k, int r)
{
    int equal = ROWS * r / size;
    return k == 0 || r == 0 || r == size ? equal : equal - ROWS / size / 4;
}

static int rows(int k)
{
    return first(k, rank + 1) - first(k, rank);
}

static double value(int row, int column)
{
    return row * 10000.0 + column;
}

static void check(const double *block, int k)
{
    for (int i = 0; i < rows(k); i++)
        for (int j = 0; j < COLUMNS; j++)
            must(block[i * COLUMNS + j] == value(first(k, rank) + i, j), "an element is wrong");
}

static double *make(void)
{
    double *block = malloc((size_t)(rows(0) * COLUMNS) * sizeof *block);
    must(block != NULL, "there is no memory");
    for (int i = 0; i < rows(0); i++)
        for (int j = 0; j < COLUMNS; j++)
            block[i * COLUMNS + j] = value(first(0, rank) + i, j);
    return block;
}

/* Whether a row that both layouts have is where it was. */
static int sway(double **block, int from)
{
    int to = 1 - from;
    uintptr_t before =
        (uintptr_t)*block - (uintptr_t)(first(from, rank) * COLUMNS) * sizeof(double);
    must(XMPI_Redistribute_data(rows(from), first(from, rank), rows(to), first(to, rank)) ==
             MPI_SUCCESS,
         "the data are not moved");
    check(*block, to);
    return before == (uintptr_t)*block - (uintptr_t)(first(to, rank) * COLUMNS) * sizeof(double);
}

int main(int argc, char **argv)
{
    int times = argc > 1 ? atoi(argv[1]) : 6, in_place = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *block = make();
    const XMPI_Matrix matrix = {.rows = ROWS, .columns = COLUMNS};
    must(XMPI_Register_matrix(&block, &matrix, MPI_DOUBLE, XMPI_DISTRIBUTED) == MPI_SUCCESS,
         "the matrix is not registered");
    for (int i = 0; i < times; i++)
        in_place += sway(&block, i % 2);
    in_place = rank > 0 && in_place > 0;
    MPI_Reduce(&in_place, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);

    XMPI_Deregister(&block);

    size_t bytes = (size_t)(rows(times % 2) * COLUMNS) * sizeof *block;
    must(malloc_usable_size(block) >= bytes, "a block has less than it needs");
    block = realloc(block, bytes + 100000);
    must(block != NULL, "there is no memory");
    check(block, times % 2);
    memset(block, 0, bytes + 100000);
    free(block);
    if (rank == 0)
        printf("swaying: ok, %s\n", all == 0 ? "copied" : all == size - 1 ? "in place" : "mixed");
    MPI_Finalize();
    return 0;
}

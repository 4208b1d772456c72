/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it, whose data are registered by hand: a sparse matrix, a matrix
 * with a halo and a replicated vector of which everybody keeps its own rows only. In every
 * iteration it checks each element; the halo is right after a reconfiguration without a message of
 * its own.
 *
 * Usage: evolve_registered ROWS ITERATIONS [constant [registering]]: prints "evolve: ok
 * ITERATIONS". The sparse matrix can be declared constant; then the registrations can be tried to
 * be changed in every iteration, and "refused N" tells in how many the first member was not let. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmpi.h>

#include "xmpi_gen.h"

enum { COLUMNS = 3, HALO = 2 };

static int rank, size, rows, count, displ, it;

static void fail(const char *what, long row)
{
    fprintf(stderr, "evolve_registered: iteration %d, rank %d: %s is wrong at row %ld\n", it, rank,
            what, row);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static int length(int row)
{
    return row * 5 % 7 * (row % 3 != 1);
}

static int entries(int first, int end)
{
    int n = 0;
    for (int row = first; row < end; row++)
        n += length(row);
    return n;
}

static int halo_begin(void)
{
    return count == 0 ? displ : displ < HALO ? 0 : displ - HALO;
}

static int halo_end(void)
{
    return count == 0 ? displ : displ + count + HALO > rows ? rows : displ + count + HALO;
}

static double value(int row, int column)
{
    return row * 10. + column + it / 1024.;
}

static void check_sparse(const long *ia, const int *ja, const double *a)
{
    for (int i = 0, at = 0; i < count; i++) {
        if (ia[i] != 1 + entries(0, displ) + at)
            fail("a row pointer", displ + i);
        for (int k = 0; k < length(displ + i); k++, at++)
            if (ja[at] != k || a[at] != displ + i)
                fail("a nonzero", displ + i);
        if (ia[i + 1] != 1 + entries(0, displ) + at)
            fail("the next row pointer", displ + i);
    }
}

static void check_dense(const double *u, const double *x, int moved)
{
    for (int row = halo_begin(); row < halo_end(); row++)
        for (int j = 0; j < COLUMNS; j++)
            if ((moved || (row >= displ && row < displ + count)) &&
                u[(row - halo_begin()) * COLUMNS + j] != value(row, j))
                fail("the matrix with a halo", row);
    for (int row = 0; row < rows; row++)
        if ((moved || (row >= displ && row < displ + count)) && x[row] != value(row, 9))
            fail("the replicated vector", row);
}

/* The own rows only: all others are out of date until the next reconfiguration. */
static void advance(double *u, double *x)
{
    for (int row = displ; row < displ + count; row++) {
        for (int j = 0; j < COLUMNS; j++)
            u[(row - halo_begin()) * COLUMNS + j] += 1 / 1024.;
        x[row] += 1 / 1024.;
    }
}

/* While data move, nothing that is registered can change; whether that was so. */
static int try_to_register(int **ja, double **x)
{
    int code = XMPI_Declare_constant(ja);
    if (code == MPI_SUCCESS)
        return 0;
    if (code != MPI_ERR_OTHER || XMPI_Deregister(x) != MPI_ERR_OTHER ||
        XMPI_Register_vector(x, rows, MPI_DOUBLE, XMPI_REPLICATED) != MPI_ERR_OTHER)
        fail("a registration while data move", -1);
    return 1;
}

int main(int argc, char **argv)
{
    int refused = 0;
    int iterations = argc > 2 ? atoi(argv[2]) : 10;
    rows = argc > 1 ? atoi(argv[1]) : 100;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    count = rows / size + (rank < rows % size);
    displ = rank * (rows / size) + (rank < rows % size ? rank : rows % size);
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    int nnz = entries(displ, displ + count), at = 0;
    long *ia = malloc(((size_t)count + 1) * sizeof *ia);
    int *ja = malloc((size_t)nnz * sizeof *ja + 1);
    double *a = malloc((size_t)nnz * sizeof *a + 1);
    double *u = calloc((size_t)(count + 2 * HALO) * COLUMNS, sizeof *u);
    double *x = calloc((size_t)rows + 1, sizeof *x);
    if (xmpi_gen_initial()) {
        ia[0] = 1 + entries(0, displ);
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < length(displ + i); k++, at++) {
                ja[at] = k;
                a[at] = displ + i;
            }
            ia[i + 1] = ia[0] + at;
            x[displ + i] = value(displ + i, 9);
            for (int j = 0; j < COLUMNS; j++)
                u[(displ + i - halo_begin()) * COLUMNS + j] = value(displ + i, j);
        }
    }
    XMPI_Compressed sparse = {
        .size = rows, .pointers = MPI_LONG, .indices = MPI_INT, .base = 1, .global = 1};
    XMPI_Matrix halo = {.rows = rows, .columns = COLUMNS, .halo = HALO};
    if (XMPI_Register_compressed(&ia, &ja, &a, &sparse, MPI_DOUBLE, XMPI_DISTRIBUTED) ||
        XMPI_Register_matrix(&u, &halo, MPI_DOUBLE, XMPI_DISTRIBUTED) ||
        XMPI_Register_vector(&x, rows, MPI_DOUBLE, XMPI_REPLICATED))
        fail("a registration", -1);
    if (argc > 3 && XMPI_Declare_constant(&ja))
        fail("a declaration", -1);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("evolve_registered.c", 0);
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        int moved = xmpi_gen_point();
        check_sparse(ia, ja, a);
        check_dense(u, x, moved);
        if (it == 5 && XMPI_Redistribute_data(count, displ, count, displ) != MPI_ERR_OTHER)
            fail("a redistribution inside the loop", -1);
        if (argc > 4)
            refused += try_to_register(&ja, &x);
        advance(u, x);
    }
    xmpi_gen_loop_end();
    if (rank == 0)
        printf("evolve: ok %d\n", it);
    if (rank == 0 && argc > 4)
        printf("refused %d\n", refused);
    free(ia);
    free(ja);
    free(a);
    free(u);
    free(x);
    MPI_Finalize();
    return 0;
}

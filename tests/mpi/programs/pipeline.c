/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it: in each iteration rows are gone through in TILES tiles, each
 * of which a member computes when the one before has sent its last value, and then all meet.
 *
 * Usage: pipeline ROWS TILES ITERATIONS: prints "pipeline: SUM", the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "xmpi_gen.h"

/* The rows of this member from the value of the row above on. */
static double tile(const double *a, int count, double above)
{
    for (int i = 0; i < count; i++)
        above = 0.5 * above + a[i];
    return above;
}

static double pass(const double *a, int count, int rank, int size, int tiles)
{
    double value = 0;
    for (int t = 0; t < tiles; t++) {
        value = t;
        if (rank > 0)
            MPI_Recv(&value, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = tile(a, count, value);
        if (rank < size - 1)
            MPI_Send(&value, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
    }
    return rank == size - 1 ? value : 0;
}

int main(int argc, char **argv)
{
    int rank, size, it = 0, rows = argc > 1 ? atoi(argv[1]) : 1000;
    int tiles = argc > 2 ? atoi(argv[2]) : 8, iterations = argc > 3 ? atoi(argv[3]) : 10;
    double sum = 0;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * rows / size, count = (rank + 1) * rows / size - displ;
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    double *a = malloc((size_t)count * sizeof *a + 1);
    xmpi_gen_data("a", (void *)&a, sizeof *a, XMPI_GEN_DISTRIBUTED, rows, 1);
    if (xmpi_gen_initial())
        for (int i = 0; i < count; i++)
            a[i] = displ + i;
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_live("sum", &sum, sizeof sum);
    xmpi_gen_loop_begin("pipeline.c", 0);
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        xmpi_gen_point();
        double own = pass(a, count, rank, size, tiles), all;
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
    }
    xmpi_gen_loop_end();
    if (rank == 0)
        printf("pipeline: %.17g\n", sum);
    free(a);
    MPI_Finalize();
    return 0;
}

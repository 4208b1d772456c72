/* SPDX-License-Identifier: BSD-3-Clause
 * A program with a floating-point environment of its own, as the rewriter leaves it: it traps, it
 * rounds upwards, and it looks at the flags. Nothing of it may be changed by the runtime, nor be in
 * its way.
 *
 * Usage: floating ROWS ITERATIONS: prints "floating: ok ITERATIONS". */
#define _GNU_SOURCE
#include <fenv.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "xmpi_gen.h"

static const int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW;

static void set_own(void)
{
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(traps);
}

static void check(const char *where)
{
    if (fetestexcept(FE_ALL_EXCEPT) == 0 && fegetround() == FE_UPWARD && fegetexcept() == traps)
        return;
    fprintf(stderr, "floating: %s: flags %x, rounding %x, traps %x\n", where,
            (unsigned)fetestexcept(FE_ALL_EXCEPT), (unsigned)fegetround(), (unsigned)fegetexcept());
    MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
    int rank, size, count, displ, it = 0;
    int rows = argc > 1 ? atoi(argv[1]) : 100, iterations = argc > 2 ? atoi(argv[2]) : 10;

    xmpi_gen_program(1);
    set_own();
    MPI_Init(&argc, &argv);
    feclearexcept(FE_INEXACT); /* of MPI itself */
    check("MPI_Init");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    count = rows / size + (rank < rows % size);
    displ = rank * (rows / size) + (rank < rows % size ? rank : rows % size);
    double *x = malloc((size_t)count * sizeof *x + 1);
    for (int i = 0; i < count; i++)
        x[i] = displ + i;
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_DISTRIBUTED, rows, 1);
    xmpi_gen_live("it", &it, sizeof it);
    feclearexcept(FE_ALL_EXCEPT); /* of the calls of MPI, too, whose times are added up */
    xmpi_gen_loop_begin("floating.c", 0);
    check("the begin of the loop");
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        feclearexcept(FE_ALL_EXCEPT);
        xmpi_gen_point();
        check("the point");
        double sum = 0, all = 0;
        for (int i = 0; i < count; i++)
            sum += x[i];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (all != (double)rows * (rows - 1) / 2)
            MPI_Abort(MPI_COMM_WORLD, 4);
    }
    feclearexcept(FE_ALL_EXCEPT);
    xmpi_gen_loop_end();
    check("the end of the loop");
    if (rank == 0)
        printf("floating: ok %d\n", it);
    free(x);
    MPI_Finalize();
    feclearexcept(FE_INEXACT);
    check("MPI_Finalize");
    return 0;
}

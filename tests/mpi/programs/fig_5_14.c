/* SPDX-License-Identifier: BSD-3-Clause
 * The program of thesis Fig. 5.14, with a computation that can be checked: every row of A and every
 * element of x counts the iterations. It is malleable by hand, with the high-level calls.
 *
 * Usage: fig_5_14 SIZE ITERATIONS: prints "ok ITERATIONS MEMBERS" */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xmpi.h"

static int rank, size;

static void fail(const char *what, long it, long row)
{
    fprintf(stderr, "fig_5_14: rank %d of %d, iteration %ld: %s is wrong in row %ld\n", rank, size,
            it, what, row);
    MPI_Abort(XMPI_COMM_WORLD, 3);
}

static void load_data(double *A, double *x, int64_t dsize, int64_t count, int64_t displ)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < dsize; j++)
            A[i * dsize + j] = (double)(displ + i);
    for (int64_t i = 0; i < dsize; i++)
        x[i] = -(double)i;
}

static void compute(double *A, const double *x, int64_t dsize, int64_t count, int64_t displ,
                    long it)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < dsize; j++) {
            if (A[i * dsize + j] != (double)(displ + i + it))
                fail("A", it, (long)(displ + i));
            A[i * dsize + j] += 1 + (x[i + displ] + (double)(i + displ - it));
        }
    usleep(200 + (useconds_t)count * 20);
}

int main(int argc, char *argv[])
{
    int64_t dsize = argc > 1 ? atol(argv[1]) : 100, maxit = argc > 2 ? atol(argv[2]) : 100;
    int64_t count, displ, it = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(XMPI_COMM_WORLD, &rank);
    MPI_Comm_size(XMPI_COMM_WORLD, &size);

    if (XMPI_Get_wsize(rank, &count, &displ) != MPI_SUCCESS) { /* there is no division yet */
        displ = dsize * rank / size;
        count = dsize * (rank + 1) / size - displ;
    }
    double *A = malloc((size_t)(dsize * count) * sizeof *A + 1);
    double *x = calloc((size_t)dsize, sizeof *x);
    double *x_rcv = malloc((size_t)dsize * sizeof *x_rcv);

    XMPI_Register_vector(&x, dsize, MPI_DOUBLE, XMPI_IDENTICAL);
    XMPI_Register_dense(&A, dsize, MPI_DOUBLE, XMPI_DISTRIBUTED);

    if (XMPI_Get_process_status() == XMPI_NEWLY_SPAWNED)
        XMPI_Get_data(&it);
    else
        load_data(A, x, dsize, count, displ);
    if (XMPI_Get_wsize(rank, &count, &displ) != MPI_SUCCESS && it > 0)
        fail("the block", (long)it, -1);

    for (; it < maxit; it++) {
        XMPI_Monitor_si_init();
        compute(A, x, dsize, count, displ, (long)it);
        for (int64_t i = 0; i < dsize; i++)
            x[i] += 1;
        MPI_Allreduce(x, x_rcv, (int)dsize, MPI_DOUBLE, MPI_MAX, XMPI_COMM_WORLD);
        memcpy(x, x_rcv, (size_t)dsize * sizeof *x);

        if (XMPI_Eval_reconfig(rank, size, it, maxit, &count, &displ, NULL, argv, argv[0]) !=
            MPI_SUCCESS)
            fail("the evaluation", (long)it, -1);
        if (XMPI_Get_process_status() == XMPI_REMOVED)
            break;
        MPI_Comm_rank(XMPI_COMM_WORLD, &rank);
        MPI_Comm_size(XMPI_COMM_WORLD, &size);
    }
    if (XMPI_Get_process_status() != XMPI_REMOVED && rank == 0)
        printf("ok %ld %d\n", (long)it, size);
    free(A);
    free(x);
    free(x_rcv);
    MPI_Finalize();
    return 0;
}

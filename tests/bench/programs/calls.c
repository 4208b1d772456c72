/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it, which makes a call that does next to nothing through
 * the wrapper and through PMPI in turns, in an adaptive loop, where the wrapper measures.
 *
 * Usage: calls BATCHES. Prints "wrapper SECONDS" for each batch: what a wrapped call takes longer.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "xmpi_gen.h"

enum { CALLS = 2000 };

static double seconds_wrapped(void)
{
    double start = MPI_Wtime();
    for (int i = 0; i < CALLS; i++) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return MPI_Wtime() - start;
}

static double seconds_bare(void)
{
    double start = MPI_Wtime();
    for (int i = 0; i < CALLS; i++) {
        MPI_Request request = MPI_REQUEST_NULL;
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return MPI_Wtime() - start;
}

int main(int argc, char **argv)
{
    int rank, size, count = 100, displ = 0, it = 0, batches = argc > 1 ? atoi(argv[1]) : 100;

    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    xmpi_gen_domain(count);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("calls.c", 0);
    for (it = 0; xmpi_gen_joining() || it < batches; it++) {
        xmpi_gen_point();
        printf("wrapper %.12f\n", (seconds_wrapped() - seconds_bare()) / CALLS);
    }
    xmpi_gen_loop_end();
    MPI_Finalize();
    return 0;
}

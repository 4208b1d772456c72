/* SPDX-License-Identifier: BSD-3-Clause
 * Data that are registered in a variable of a function that returns: dead_variable [lives]. With an
 * argument the variable is the caller's. */
#include <stdio.h>
#include <stdlib.h>

#include "xmpi.h"

enum { ROWS = 40 };

static double *enlist(double **holder)
{
    double *data = calloc(ROWS, sizeof *data);
    *holder = data;
    XMPI_Register_vector(holder, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED);
    return data;
}

__attribute__((noinline)) static double *enlist_own(void)
{
    double *own[100]; /* well below what the caller itself puts on the stack later */
    return enlist(&own[0]);
}

int main(int argc, char *argv[])
{
    int rank, size;
    int64_t count, displ;
    double *caller = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(XMPI_COMM_WORLD, &rank);
    MPI_Comm_size(XMPI_COMM_WORLD, &size);
    displ = ROWS * rank / size;
    count = ROWS * (rank + 1) / size - displ;
    double *data = argc > 1 ? enlist(&caller) : enlist_own();
    for (int64_t it = 0; it < 3; it++) {
        XMPI_Monitor_si_init();
        XMPI_Eval_reconfig(rank, size, it, 3, &count, &displ, NULL, argv, argv[0]);
    }
    if (rank == 0)
        printf("ended\n");
    free(argc > 1 ? caller : data);
    MPI_Finalize();
    return 0;
}

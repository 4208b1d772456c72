/* SPDX-License-Identifier: BSD-3-Clause
 * Errors of MPI calls without a communicator go to the handler of MPI_COMM_WORLD (MPI 3) or
 * MPI_COMM_SELF (MPI 4), the program's. Between these two calls they are returned.
 *
 * By default they end the job. That handler cannot be taken away for a time without a trace: to
 * MPICH, one that was never set is another one than MPI_ERRORS_ARE_FATAL that was set, as
 * communicators that were made of the world before follow what the program sets for the world
 * later. So it stays, unless it must not. */
#ifndef XMPI_BASE_QUIET_H
#define XMPI_BASE_QUIET_H

#include <mpi.h>
#include <stdbool.h>

typedef struct {
    MPI_Errhandler handler[2];
} xmpi_quiet_t;

/* From here to the end errors are returned; those that would end the job only where ALL are. */
xmpi_quiet_t xmpi_quiet_begin(bool all);

/* The program's handlers are as before. */
void xmpi_quiet_end(xmpi_quiet_t *quiet);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Errors of MPI calls without a communicator go to the handler of MPI_COMM_WORLD (MPI 3) or
 * MPI_COMM_SELF (MPI 4), the program's, which by default ends the job. Between these two calls they
 * are returned. */
#ifndef XMPI_QUIET_H
#define XMPI_QUIET_H

#include <mpi.h>

typedef struct {
    MPI_Errhandler handler[2];
} xmpi_quiet_t;

/* From here to the end errors are returned. */
xmpi_quiet_t xmpi_quiet_begin(void);

/* The program's handlers are as before. */
void xmpi_quiet_end(xmpi_quiet_t *quiet);

#endif

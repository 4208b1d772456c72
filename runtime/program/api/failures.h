/* SPDX-License-Identifier: BSD-3-Clause
 * What collective calls of the API return where a member has failed. */
#ifndef XMPI_PROGRAM_API_FAILURES_H
#define XMPI_PROGRAM_API_FAILURES_H

#include <mpi.h>

#include "base/status.h"

/* The code of MPI's for STATUS. */
int xmpi_failure_code(xmpi_status_t status);

/* One line of CALL's on stderr. */
void xmpi_failure_say(const char *call, int rank, const char *text);

/* Collective over COMM: the first member whose CODE is not MPI_SUCCESS says TEXT, as one line of
 * CALL's, and all return its code. */
int xmpi_first_failure(const char *call, MPI_Comm comm, int code, const char *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * One line, and one code, for all. */
#include "program/api/failures.h"

#include <stdio.h>

#include "base/collective.h"

int xmpi_failure_code(xmpi_status_t status)
{
    return status == XMPI_OK            ? MPI_SUCCESS
           : status == XMPI_ERR_MEMORY  ? MPI_ERR_NO_MEM
           : status == XMPI_ERR_PROCESS ? MPI_ERR_OTHER
                                        : MPI_ERR_BUFFER;
}

void xmpi_failure_say(const char *call, int rank, const char *text)
{
    fprintf(stderr, "xmpi: rank %d: %s: %s\n", rank, call, text);
}

int xmpi_first_failure(const char *call, MPI_Comm comm, int code, const char *text)
{
    struct {
        int good, rank;
    } mine = {code == MPI_SUCCESS, 0}, first;
    PMPI_Comm_rank(comm, &mine.rank);
    PMPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, comm);
    if (first.good)
        return MPI_SUCCESS;
    PMPI_Bcast(&code, 1, MPI_INT, first.rank, comm);
    if (first.rank == mine.rank)
        xmpi_failure_say(call, mine.rank, text);
    return code;
}

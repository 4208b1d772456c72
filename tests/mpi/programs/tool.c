/* SPDX-License-Identifier: BSD-3-Clause
 * A tool as there are many, to be loaded before all other libraries: counts calls and goes on with
 * PMPI. With -DSTART it wraps the start and the end of MPI, else a collective operation. */
#include <mpi.h>
#include <stdio.h>

#ifdef START
int MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}

int MPI_Finalize(void)
{
    return PMPI_Finalize();
}
#else
static int calls;

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    calls++;
    return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

static void __attribute__((destructor)) report(void)
{
    if (calls > 0)
        fprintf(stderr, "tool: %d calls\n", calls);
}
#endif

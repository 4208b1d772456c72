/* SPDX-License-Identifier: BSD-3-Clause
 * Collective operations of the runtime's own. A member that makes one more than the others waits
 * for ever, and so do all: with XMPI_DEBUG they are numbered and named by where they stand, and
 * compared before each is made. Whoever makes one includes this. */
#ifndef XMPI_BASE_COLLECTIVE_H
#define XMPI_BASE_COLLECTIVE_H

#include <mpi.h>
#include <stdbool.h>

/* Whether they are compared: the same on all that take part. */
extern bool xmpi_collective_compared;

/* The caller is about to make WHAT over COMM: ends the job when another one makes something else.
 * Collective over COMM. */
void xmpi_collective_compare(MPI_Comm comm, const char *what);

#define XMPI_COLLECTIVE_TEXT(x) #x
#define XMPI_COLLECTIVE_LINE(x) XMPI_COLLECTIVE_TEXT(x)
#define XMPI_COMPARED(comm, name)                                                                  \
    (xmpi_collective_compared                                                                      \
         ? xmpi_collective_compare(comm, name " of " __FILE__ ":" XMPI_COLLECTIVE_LINE(__LINE__))  \
         : (void)0)

#ifndef XMPI_COLLECTIVE_PLAIN
#define PMPI_Barrier(comm) (XMPI_COMPARED(comm, "Barrier"), PMPI_Barrier(comm))
#define PMPI_Bcast(buffer, n, type, root, comm)                                                    \
    (XMPI_COMPARED(comm, "Bcast"), PMPI_Bcast(buffer, n, type, root, comm))
#define PMPI_Reduce(in, out, n, type, op, root, comm)                                              \
    (XMPI_COMPARED(comm, "Reduce"), PMPI_Reduce(in, out, n, type, op, root, comm))
#define PMPI_Allreduce(in, out, n, type, op, comm)                                                 \
    (XMPI_COMPARED(comm, "Allreduce"), PMPI_Allreduce(in, out, n, type, op, comm))
#define PMPI_Gather(in, n, type, out, m, to, root, comm)                                           \
    (XMPI_COMPARED(comm, "Gather"), PMPI_Gather(in, n, type, out, m, to, root, comm))
#define PMPI_Gatherv(in, n, type, out, counts, displs, to, root, comm)                             \
    (XMPI_COMPARED(comm, "Gatherv"), PMPI_Gatherv(in, n, type, out, counts, displs, to, root, comm))
#define PMPI_Scatter(in, n, type, out, m, to, root, comm)                                          \
    (XMPI_COMPARED(comm, "Scatter"), PMPI_Scatter(in, n, type, out, m, to, root, comm))
#define PMPI_Allgather(in, n, type, out, m, to, comm)                                              \
    (XMPI_COMPARED(comm, "Allgather"), PMPI_Allgather(in, n, type, out, m, to, comm))
#define PMPI_Alltoallv(in, n, at, type, out, m, to, other, comm)                                   \
    (XMPI_COMPARED(comm, "Alltoallv"), PMPI_Alltoallv(in, n, at, type, out, m, to, other, comm))
#define PMPI_Comm_dup(comm, made) (XMPI_COMPARED(comm, "Comm_dup"), PMPI_Comm_dup(comm, made))
#define PMPI_Comm_split(comm, color, key, made)                                                    \
    (XMPI_COMPARED(comm, "Comm_split"), PMPI_Comm_split(comm, color, key, made))
#define PMPI_Comm_create(comm, group, made)                                                        \
    (XMPI_COMPARED(comm, "Comm_create"), PMPI_Comm_create(comm, group, made))
#endif

#endif

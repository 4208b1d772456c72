/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators that the program has made of its world. Each holds connections of the processes
 * that were in it: some of those that part from the old world (MPI_Comm_disconnect) would wait for
 * others that still have it, for ever. So a change of members frees all of them, and setup makes
 * them again. */
#ifndef XMPI_ACT_WORLD_DERIVED_H
#define XMPI_ACT_WORLD_DERIVED_H

#include <mpi.h>
#include <stdbool.h>

/* The program has made *COMM, with members of PARENT (MPI_COMM_NULL: of none of its communicators).
 * Ends the job where there is no memory to know it. */
void xmpi_derived_made(MPI_Comm parent, const MPI_Comm *comm);

/* The parent of one with members of both: who leads a side alone, in a communicator of its own,
 * finds the other side in PEER. */
MPI_Comm xmpi_derived_parent(MPI_Comm local, MPI_Comm peer);

/* What stands for the parent of one that is made of GROUP alone: the world where others are in it.
 */
MPI_Comm xmpi_derived_parent_of(MPI_Group group);

/* The program is about to free *COMM. True: a change has done it, *COMM is MPI_COMM_NULL. */
bool xmpi_derived_left(MPI_Comm *comm);

/* At a change, while all members of the old world are there. MEMBERS: others come, or some go. Else
 * the world stays, and each is freed when setup makes it again. */
void xmpi_derived_change(bool members);

/* How many a change has freed that nothing has made again. */
extern int xmpi_derived_gone;

/* CALL uses COMM. Ends the job when a change has freed it and nothing has made it again. */
void xmpi_derived_used(MPI_Comm comm, const char *call);

/* Forgets all of them. */
void xmpi_derived_close(void);

#endif

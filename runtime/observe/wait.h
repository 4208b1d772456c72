/* SPDX-License-Identifier: BSD-3-Clause
 * Waiting mode. Most MPIs spin while they wait, which is best where every member has a core, and
 * ruins everything where members share cores: who waits takes the CPU from who computes. In the
 * sleeping mode blocking calls are made of non-blocking ones that are tested now and then. */
#ifndef XMPI_OBSERVE_WAIT_H
#define XMPI_OBSERVE_WAIT_H

#include <mpi.h>
#include <stdbool.h>

#include "settings/settings.h"

/* Chooses whether the members of the world COMM sleep; all decide alike, as a collective that sleeps
 * is another one than one that does not. Collective over COMM, unless that is chosen already: a
 * joiner always takes part (ANEW), the others when a change gave them another world, which are the
 * same changes. */
void xmpi_wait_choose(xmpi_wait_t setting, MPI_Comm comm, bool anew);

/* Whether this process sleeps while it waits. */
bool xmpi_wait_sleeps(void);

/* Like the MPI calls, asleep; not for requests of observe/opaque.h. */
int xmpi_wait_request(MPI_Request *request, MPI_Status *status);
int xmpi_wait_all(int count, MPI_Request *request, MPI_Status *statuses);
int xmpi_wait_any(int count, MPI_Request *request, int *index, MPI_Status *status);
int xmpi_wait_some(int count, MPI_Request *request, int *done, int *indices, MPI_Status *statuses);
int xmpi_wait_probe(int source, int tag, MPI_Comm comm, MPI_Status *status);
int xmpi_wait_mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status);

/* For a receive and a send, in this order, both persistent and not started yet; STATUS is that of
 * the first. Frees the second. */
int xmpi_wait_sendrecv(MPI_Request *request, MPI_Status *status);

/* Waits until all are there. */
int xmpi_wait_barrier(MPI_Comm comm);

/* Before a reduction (with a ROOT where it is ROOTED; ALIASED: its two buffers are one), which is
 * made by the blocking call, so that it adds up in the same order in both modes: waits until all
 * are there. A call that fails by its arguments is made at once, as nobody else may take part in
 * it. */
int xmpi_wait_reduction(bool aliased, MPI_Datatype datatype, MPI_Op op, int root, bool rooted,
                        MPI_Comm comm);

/* From here on this process sleeps whatever was chosen, and calls LOOK, which may not return, again
 * and again while it waits; NULL: as before. All members of the world have to. */
void xmpi_wait_watch(void (*look)(void));

#endif

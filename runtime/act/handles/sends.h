/* SPDX-License-Identifier: BSD-3-Clause
 * Whom a program that can move has sent messages to, ever: a process that is to find all that was
 * sent to it waits for a word of those alone, so that a change does not connect all with all. What
 * MPI's collective operations send is received by them. All calls are known, as nobody else can
 * tell what the program's handles are. */
#ifndef XMPI_ACT_HANDLES_SENDS_H
#define XMPI_ACT_HANDLES_SENDS_H

#include <mpi.h>
#include <stdbool.h>

#include "base/data/pack.h"

/* The program is about to send to the rank DEST of COMM, by its own handle, now or by persistent
 * requests. */
void xmpi_sends_note(int dest, MPI_Comm comm);

/* They go where the program goes: its ranks stay. */
void xmpi_sends_put(xmpi_pack_t *pack);
void xmpi_sends_get(xmpi_pack_t *pack);

void xmpi_sends_free(void);

/* Collective over WORLD, that of the program: behind it all that was sent to this process is there.
 * In OURS, in which its members have the same ranks, the program has sent nothing. Messages: one in
 * OURS for each pair that is noted, and those of a reduction to rank 0 and of a scatter. Ends the
 * job where there is no memory. */
void xmpi_sends_arrive(MPI_Comm world, MPI_Comm ours);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI's objects of a program that can move: what the executor does with them. Communicators,
 * groups, datatypes, operations, error handlers, infos, keyvals and requests that the program has
 * in its memory are handles of ours from the start (act/handles/table/table.h). When processes go
 * on in others, everything is made again that is another one then; the handles stay.
 *
 *     hold?  →  put (who leaves)  →  get (who takes over)  →  make (in the new world)  →  all have
 *     →  switch, or cancel  →  leave (who is left without a program)
 *
 * A process may put what it has and get what another one has put in the same change. */
#ifndef XMPI_ACT_HANDLES_HANDLES_H
#define XMPI_ACT_HANDLES_HANDLES_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/data/pack.h"

/* From here on the program is given handles of ours. Behind PMPI_Init, before the program goes on.
 */
void xmpi_handles_begin(void);

typedef enum {
    XMPI_HOLDS_NOTHING,
    XMPI_HOLDS_THIS, /* this process has to stay */
    XMPI_HOLDS_ALL,  /* all members have to, as others are concerned */
} xmpi_holds_t;

/* Whether something of the MPI's is open that cannot be made again: what it is, and where it was
 * opened, into WHY. */
xmpi_holds_t xmpi_handles_hold(char *why, size_t size);

/* Whether messages were sent to this process that it has not received, which would be lost; also
 * those that are still under way. Collective over WORLD, that of the program. OURS: a communicator
 * that the program does not know, in which its members have the same ranks; others may be in it. */
bool xmpi_handles_unreceived(MPI_Comm world, MPI_Comm ours, char *why, size_t size);

/* All that the program has here, for who takes over. */
void xmpi_handles_put(xmpi_pack_t *pack);

/* The same there, beside what the process has itself. Communicators come with the world. */
xmpi_status_t xmpi_handles_get(const xmpi_pack_t *pack);

/* Both at once, over TRANSIT: to who takes over from this process, from whom it takes over; -1:
 * nobody. */
xmpi_status_t xmpi_handles_move(MPI_Comm transit, int to, int from);

/* Makes what is in need of it in WORLD, the one to come, with the members in the same ranks; MOVED:
 * which of them are other processes than before, NULL: all. What there was is still in effect.
 * Collective over WORLD. */
xmpi_status_t xmpi_handles_make(MPI_Comm world, const bool *moved);

/* Behind it, when it is done on all: what was made is in effect, what was before is freed; no
 * function of the program is called. Or it was in vain, and is freed. */
void xmpi_handles_switch(void);
void xmpi_handles_cancel(void);

/* The program has gone on elsewhere: all that it has had here is freed, in the same way. */
void xmpi_handles_leave(void);

/* The buffer that the program has attached for MPI_Bsend, if any: what has been sent from it keeps
 * communicators until it is detached, and MPI's notes in it are those of one process. */
void xmpi_handles_detach(void);
void xmpi_handles_attach(void);

/* The program starts over in WORLD, which it knows nothing of: what it has had is put aside. When
 * it is where it was, that is freed, without a call of the program's functions; or it comes back,
 * and what the start has made is freed. */
void xmpi_handles_set_aside(MPI_Comm world);
void xmpi_handles_drop_aside(void);
void xmpi_handles_take_back(void);

/* At the end: what is still bound to the world is freed. */
void xmpi_handles_close(void);

#endif

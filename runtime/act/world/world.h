/* SPDX-License-Identifier: BSD-3-Clause
 * World: the communicator that MPI_COMM_WORLD stands for. */
#ifndef XMPI_ACT_WORLD_WORLD_H
#define XMPI_ACT_WORLD_WORLD_H

#include <mpi.h>
#include <stdbool.h>

#include "base/data/pack.h"

typedef enum {
    XMPI_STATE_PLAIN,   /* no adaptation: the program is left alone */
    XMPI_STATE_RUNNING, /* a member */
    XMPI_STATE_JOINING, /* called in, not a member yet */
    XMPI_STATE_REMOVED, /* no member any more, by XMPI_Remove: on its way to MPI_Finalize */
} xmpi_state_t;

typedef struct {
    xmpi_state_t state; /* of this process in it */
    MPI_Comm comm;      /* MPI_COMM_WORLD until the first change of members */
    int rank;
    int size;
    MPI_Comm moves;   /* duplicate for data that moves within the world; made when first needed */
    MPI_Comm initial; /* private duplicate of the world that mpiexec started, or of one's own */
    MPI_Comm self;    /* private MPI_COMM_SELF whose errors are returned */
    const char *connected; /* the call that has connected the program to others; NULL: none */
    int asked; /* calls since the rewritten program last set it to 0: for rank or size, or that
                  communicate */
} xmpi_world_t;

/* That of this process: calls of MPI reach the wrappers without an argument for it. */
extern xmpi_world_t xmpi_world;

/* Whether this process is the leader of the members. */
bool xmpi_leads(void);

/* COMM, or the current world for MPI_COMM_WORLD. CALL communicates: ends the job when a joiner,
 * which has no world yet, makes it. */
MPI_Comm xmpi_world_of(MPI_Comm comm, const char *call);

/* The same for calls that do not communicate. */
MPI_Comm xmpi_world_local(MPI_Comm comm);

/* CALL has connected the program to OTHER processes (MPI_COMM_NULL: none), which know its own by
 * their present ranks. */
void xmpi_world_connected(MPI_Comm other, const char *call);

/* The private communicators. Collective over what was started together. */
void xmpi_world_open(xmpi_world_t *world);

/* The communicator for moves within the world. Collective over the world. */
MPI_Comm xmpi_world_moves(xmpi_world_t *world);

/* What the first rank of COMM has in PACK, to all others, whose packs are empty. XMPI_ERR_MEMORY
 * where there is none for it, and where the first rank had none. Collective. */
xmpi_status_t xmpi_world_tell(MPI_Comm comm, int rank, xmpi_pack_t *pack);

/* What the leader's world has been given by the program, error handler and name, for a joiner's. */
void xmpi_world_put_marks(xmpi_pack_t *pack, const xmpi_world_t *world);
void xmpi_world_get_marks(xmpi_pack_t *pack, const xmpi_world_t *world);

/* Makes COMM the world (taken over), with the error handler and name of the old one, which is
 * disconnected. Collective over the old world. COMM may be MPI_COMM_NULL for members that leave. */
void xmpi_world_replace(xmpi_world_t *world, MPI_Comm comm);

/* COMM is the world for a program that starts over, which has given nothing to it yet
 * (MPI_COMM_NULL: the caller is in none); BEFORE is what it was, and is to be returned to or left.
 */
void xmpi_world_enter(xmpi_world_t *world, MPI_Comm comm, xmpi_world_t *before);

/* To what it was BEFORE; COMM, that has been entered, is freed. */
void xmpi_world_return(xmpi_world_t *world, const xmpi_world_t *before);

/* What it was BEFORE is disconnected. Collective over that world. */
void xmpi_world_leave(xmpi_world_t *before);

/* Disconnects whatever the runtime made. */
void xmpi_world_close(xmpi_world_t *world);

#endif

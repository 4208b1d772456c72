/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators and groups of the program: who is in them by ranks of the world, and all else that
 * makes them what they are. */
#ifndef XMPI_ACT_HANDLES_COMMS_H
#define XMPI_ACT_HANDLES_COMMS_H

#include "act/handles/table/table.h"
#include "base/data/pack.h"

/* Which ranks of the world are other processes than before, and what is to be made in it. */
typedef struct {
    MPI_Comm world;
    const bool *moved; /* by rank; NULL: all */
    bool taken;        /* this process takes over what another one had */
} xmpi_next_world_t;

/* The ranks in the world that the members of GROUP have, MPI_UNDEFINED outside (malloc); NULL: no
 * memory. */
int *xmpi_group_ranks(MPI_Group group, int *n);

void xmpi_comms_put(xmpi_pack_t *pack);

/* Makes the communicators, each by its members, in an order that is the same on all, and the groups
 * in which a process is that has moved. */
void xmpi_comms_get(xmpi_pack_t *pack, const xmpi_next_world_t *next);

#endif

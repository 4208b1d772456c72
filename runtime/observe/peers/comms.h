/* SPDX-License-Identifier: BSD-3-Clause
 * Whom the ranks of the program's communicators mean in the world: a bounded memory of what the MPI
 * has been asked. */
#ifndef XMPI_OBSERVE_PEERS_COMMS_H
#define XMPI_OBSERVE_PEERS_COMMS_H

#include <mpi.h>
#include <stdbool.h>

enum { XMPI_PEERS_COMMS = 32 };

/* A communicator. Lasts as its number does, also where it has been freed since. */
typedef struct {
    MPI_Comm comm; /* MPI_COMM_NULL: none, or it has been freed */
    bool used;     /* the place is not free */
    bool inter;    /* its ranks are those of the other group */
    int size, rank;
    int peers;  /* ranks that can be sent to: of the group, or of the other one */
    int *world; /* of each of these the rank in the world, -1: in none; malloc. NULL: the same */
    int neighbours;  /* that the member sends to by its topology, -1: not asked yet */
    int *neighbour;  /* their ranks in the communicator; malloc */
    long generation; /* tells apart the communicators that have had this place */
} xmpi_peers_comm_t;

/* The number of COMM, from 0; -1: there is no memory for it, or no place. A call for each new one,
 * which does not communicate. Where all places are taken BEFORE is called first, as numbers get
 * another meaning. */
int xmpi_peers_find(MPI_Comm comm, void (*before)(void));

/* What stands at NUMBER, and the rank in the world of its PEER, -1 where that is none. */
const xmpi_peers_comm_t *xmpi_peers_comm(int number);
int xmpi_peers_world_rank(int number, int peer);

/* Asks for the neighbours, where it has not been done. False where there are none. */
bool xmpi_peers_ask_neighbours(int number);

/* Forgets all: the world is another one, or will be. */
void xmpi_peers_forget_comms(void);

#endif

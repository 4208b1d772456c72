/* SPDX-License-Identifier: BSD-3-Clause
 * Node: memory that the processes of a communicator share where all of them are on one node. What
 * they agree on goes through it, sooner than as messages through sockets, and so goes where data
 * lie that others are to read.
 *
 * It has no name: the first process makes it (memfd), the others open it by way of that process,
 * and the system takes it away with the last of them, however they end. It lives as long as the
 * communicator, as an attribute of it, which duplicates do not inherit. */
#ifndef XMPI_ACT_NODE_NODE_H
#define XMPI_ACT_NODE_NODE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/collective.h"

typedef struct xmpi_node xmpi_node_t;

enum { XMPI_NODE_WORDS = 512 }; /* bytes that a process can tell */

/* Sees to it that there is one of COMM when it is used again: at the second call for COMM, as many
 * communicators are used for one move only. Without one (the processes are on several nodes, may
 * not share memory, or have none) that is so for all, and is not tried again. TAG is for an empty
 * message between processes of COMM. Collective, and as often on all. */
void xmpi_node_open(MPI_Comm comm, int tag);

/* That of COMM; NULL: none. The same on all. Local; it stays as long as COMM. */
xmpi_node_t *xmpi_node_of(MPI_Comm comm);

/* Tells BYTES (at most XMPI_NODE_WORDS) that begin at MINE to all, and waits until all have; what
 * each has written before is seen by all behind it. Who waits for long waits in MPI, so that the
 * program's messages go on and that somebody who was killed is noticed as it is there. Collective
 * over the node's processes. */
void xmpi_node_meet(xmpi_node_t *node, const void *mine, size_t bytes);

/* What the process RANK told when all met, until the caller meets them again. Local. */
const void *xmpi_node_told(const xmpi_node_t *node, int rank);

/* XMPI_NODE_ROOM bytes that this process alone writes, for all to read behind the next meeting and
 * until they meet again; and those that the process RANK has written before they met. Local. */
enum { XMPI_NODE_ROOM = 6 << 10 };
void *xmpi_node_room(const xmpi_node_t *node);
const void *xmpi_node_room_of(const xmpi_node_t *node, int rank);

/* The same with XMPI_NODE_DATA bytes. NULL: there is no memory for it. Local. */
enum { XMPI_NODE_DATA = 128 << 10 };
char *xmpi_node_lay_out(xmpi_node_t *node);
const char *xmpi_node_laid_out(const xmpi_node_t *node, int rank);

/* Whether memory of the other processes can be read, as far as it was tried; until all say that
 * somebody cannot. */
bool xmpi_node_reads(const xmpi_node_t *node);
void xmpi_node_reads_not(xmpi_node_t *node);

pid_t xmpi_node_process(const xmpi_node_t *node, int rank);

/* Reading. Before all meet each process says how many others will read its memory. Behind that each
 * of these says when it has, or that it could not; and who is read waits until all of them have
 * said so, as in a meeting. Then it hears of each whether it could. */
void xmpi_node_lend(xmpi_node_t *node, int readers);
void xmpi_node_have_read(xmpi_node_t *node, int rank, bool could);
void xmpi_node_wait(xmpi_node_t *node);
bool xmpi_node_could_read(const xmpi_node_t *node, int reader);

#define xmpi_node_meet(node, mine, bytes)                                                          \
    (XMPI_COMPARED(xmpi_node_comm(node), "meeting"), xmpi_node_meet(node, mine, bytes))
MPI_Comm xmpi_node_comm(const xmpi_node_t *node);

#endif

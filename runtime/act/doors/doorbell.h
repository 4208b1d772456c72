/* SPDX-License-Identifier: BSD-3-Clause
 * Doorbell: how a parked process waits without using the CPU, since MPI's blocking calls may spin.
 *
 * Every process has a door (act/doors/door.h); whoever wants something of it connects, and the two
 * prove to one another that they know the door's token (act/doors/proof.h). The connection is then
 * a line between them (act/doors/line.h). */
#ifndef XMPI_ACT_DOORS_DOORBELL_H
#define XMPI_ACT_DOORS_DOORBELL_H

#include "act/doors/door.h"
#include "act/doors/visitors.h"

typedef struct {
    int fd; /* can be read when there may be something to answer; -1: closed */
    xmpi_door_t door;
    xmpi_visitors_t visitors;
} xmpi_doorbell_t;

/* Starts to listen to processes of this node. */
xmpi_status_t xmpi_doorbell_open(xmpi_doorbell_t *doorbell, xmpi_error_t *error);

/* Listens to those of other nodes, too; the door says so to whom it is told from now on. */
xmpi_status_t xmpi_doorbell_reach_out(xmpi_doorbell_t *doorbell, xmpi_error_t *error);

/* Sleeps until somebody rings with the right token; others are turned away. The connection with the
 * caller is in LINE. */
xmpi_status_t xmpi_doorbell_wait(xmpi_doorbell_t *doorbell, int *line, xmpi_error_t *error);

/* The connection with one who has proved to know the token, -1 when there is none (any more). To be
 * asked when the doorbell can be read; never waits. It has some seconds to say its first word,
 * after which its limit is the caller's (xmpi_line_limit). */
int xmpi_doorbell_answer(xmpi_doorbell_t *doorbell);

/* Lets those at the door prove themselves, so that they need not wait for the next answer twice. A
 * system call or few. */
void xmpi_doorbell_tend(xmpi_doorbell_t *doorbell);

/* Connects with DOOR without waiting for its owner; gives up after some seconds. */
xmpi_status_t xmpi_doorbell_touch(const xmpi_door_t *door, int *line, xmpi_error_t *error);

/* Rings at DOOR, over LINE if it is not -1; what comes of it is in LINE. Who owns the door has
 * SECONDS to answer, 0: as long as it lives. */
xmpi_status_t xmpi_doorbell_ring(const xmpi_door_t *door, int seconds, int *line,
                                 xmpi_error_t *error);

/* The two steps of that, each of which waits no longer than until LINE, by xmpi_doorbell_touch, can
 * be read. First this side proves that it knows the token, and what it says from then on is heard;
 * WANTED is what the other has to prove itself with. False when it is gone. */
bool xmpi_doorbell_reply(const xmpi_door_t *door, int line, xmpi_token_t *wanted);

/* Then the other: false when it is gone, or not who it should be. */
bool xmpi_doorbell_is_owner(int line, const xmpi_token_t *wanted);

/* Whether nobody is behind DOOR any more. */
bool xmpi_doorbell_is_gone(const xmpi_door_t *door);

void xmpi_doorbell_close(xmpi_doorbell_t *doorbell);

enum { XMPI_RING_SECONDS = 10 }; /* for one who is asleep at the door */

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Doorbell: how a parked process waits without using the CPU, since MPI's blocking calls may spin.
 *
 * Every process listens on a TCP port; whoever wants something of it connects and sends its token.
 * The connection is then a line between the two (act/line.h). */
#ifndef XMPI_ACT_DOORBELL_H
#define XMPI_ACT_DOORBELL_H

#include "act/shared.h"

typedef struct {
    int fd; /* listens, or -1 */
    uint64_t token;
} xmpi_doorbell_t;

/* Starts to listen and describes where in DOOR. */
xmpi_status_t xmpi_doorbell_open(xmpi_doorbell_t *doorbell, xmpi_door_t *door, xmpi_error_t *error);

/* Sleeps until somebody rings with the right token; others are turned away. The connection with the
 * caller is in LINE. */
xmpi_status_t xmpi_doorbell_wait(const xmpi_doorbell_t *doorbell, int *line, xmpi_error_t *error);

/* The connection with one who has rung with the right token, -1 when there is none (any more). To
 * be asked when the doorbell can be read, as somebody has to tell the token within a second. */
int xmpi_doorbell_answer(const xmpi_doorbell_t *doorbell);

/* Rings at DOOR; gives up after some seconds. The connection is in LINE. */
xmpi_status_t xmpi_doorbell_ring(const xmpi_door_t *door, int *line, xmpi_error_t *error);

void xmpi_doorbell_close(xmpi_doorbell_t *doorbell);

#endif

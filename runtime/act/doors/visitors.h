/* SPDX-License-Identifier: BSD-3-Clause
 * Visitors: connections that wait, all at once, until they have proved that they may come in.
 * Whatever strangers do, there are never more than VISITORS_MAX of them, and no more than
 * VISITORS_PER_WINDOW are let near in a window of VISITORS_WINDOW ms: what comes faster waits in
 * the kernel. So neither a silent nor a quick stranger costs more than a fixed share of a core. */
#ifndef XMPI_ACT_DOORS_VISITORS_H
#define XMPI_ACT_DOORS_VISITORS_H

#include "act/doors/door.h"

enum { VISITORS_MAX = 64, VISITORS_WINDOW = 50, VISITORS_PER_WINDOW = 128, VISITORS_DOORS = 2 };

typedef struct {
    int fd; /* -1: none */
    xmpi_challenge_t challenge;
    xmpi_answer_t answer;
    size_t received; /* bytes of the answer */
    bool proven;     /* both sides: it comes in with its first word */
} xmpi_visitor_t;

typedef struct {
    int fd;     /* an epoll of all that follows: readable when something is to do */
    int window; /* a timer: the next window begins */
    int listener[VISITORS_DOORS];
    int listeners;
    int let_near;    /* in this window, who have not proved anything */
    uint32_t chance; /* which visitor has to go for the next one */
    xmpi_visitor_t visitor[VISITORS_MAX];
} xmpi_visitors_t;

/* False and errno. */
bool xmpi_visitors_open(xmpi_visitors_t *visitors);

/* Takes over a socket that listens. False and errno, and the socket is closed. */
bool xmpi_visitors_listen(xmpi_visitors_t *visitors, int listener);

/* Does what can be done without waiting, and no more than a few steps of it. A connection whose
 * other side has proved that it knows TOKEN and has said something since, which is the caller's
 * then; -1: none (yet). Without TAKE nobody comes in. */
int xmpi_visitors_serve(xmpi_visitors_t *visitors, const xmpi_token_t *token, bool take);

/* Closes everything; also what was not opened, if its fd is -1. */
void xmpi_visitors_close(xmpi_visitors_t *visitors);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Line: a stream connection between the leader and a process that it has called. Unlike MPI it can
 * be waited for with a limit, says when the other side has died, and costs nothing while it waits.
 */
#ifndef XMPI_ACT_DOORS_LINE_H
#define XMPI_ACT_DOORS_LINE_H

#include <stdbool.h>

#include "base/data/pack.h"

typedef enum {
    XMPI_WORD_ORDER,   /* leader to a parked process: what it is to do (act/processes/call.h) */
    XMPI_WORD_HELLO,   /* a process to the leader: who it is */
    XMPI_WORD_READY,   /* joiner to leader: it stands where the others are to meet it */
    XMPI_WORD_GO,      /* leader to joiner: they meet now */
    XMPI_WORD_AWAY,    /* leader to joiner: nothing after all */
    XMPI_WORD_REQUEST, /* leader to spawner */
    XMPI_WORD_RESULT,  /* spawner to leader */
    XMPI_WORD_BYE,     /* leader to spawner: the program has ended */
    XMPI_WORD_FOLLOW,  /* leader to spawner: another process leads from now on; its door */
    XMPI_WORD_LOAD,    /* leader to a parked process: what its node is used for; and the answer */
    XMPI_WORD_REACH,   /* spawner to leader: a process is on another node; and the answer, a door */
} xmpi_word_t;

/* Sends a word, with what PACK holds (may be NULL). False when the other side is gone. */
bool xmpi_line_say(int fd, xmpi_word_t word, const xmpi_pack_t *pack);

/* Waits for a word; what came with it is in PACK, to be freed also when there was nothing. False
 * when the other side is gone, or says what no process of ours does; without memory for it the pack
 * has that status. */
bool xmpi_line_hear(int fd, xmpi_word_t *word, xmpi_pack_t *pack);

/* Whoever says nothing for SECONDS is gone to xmpi_line_hear; 0: it waits as long as it takes. FD
 * may be -1. */
void xmpi_line_limit(int fd, int seconds);

/* Closes FD unless it is -1, and sets it so. */
void xmpi_line_close(int *fd);

#endif

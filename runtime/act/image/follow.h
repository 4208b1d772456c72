/* SPDX-License-Identifier: BSD-3-Clause
 * Following writes: which pages a program writes from now on, while it runs. The kernel notes it
 * when a page is written for the first time (userfaultfd, UFFD_FEATURE_WP_ASYNC, Linux 6.7). Memory
 * that is protected and a signal handler would do the same elsewhere, but for system calls, which
 * fail where they are to write to such memory; and what a program may ask of the system is not ours
 * to change. Where the kernel does not do it nothing goes ahead. */
#ifndef XMPI_ACT_IMAGE_FOLLOW_H
#define XMPI_ACT_IMAGE_FOLLOW_H

#include <pthread.h>
#include <stdatomic.h>

#include "act/image/touched.h"

typedef enum {
    XMPI_FOLLOW_BEGINS,
    XMPI_FOLLOW_GOES_ON,
    XMPI_FOLLOW_FAILED,
} xmpi_follow_state_t;

typedef struct {
    int fd; /* 0: nothing is followed */
    const xmpi_spans_t *all;
    bool threaded;
    pthread_t thread;
    atomic_bool stop;
    atomic_int state; /* xmpi_follow_state_t */
} xmpi_follow_t;

/* Begins to follow what is in ALL, whole pages, which stays until it has; new pages between its
 * first and its last place count as written. A thread does it, as it takes 15 ms for a GiB: what
 * is written meanwhile may count as not written, so that nothing may be read before it is over.
 * False where the kernel cannot. */
bool xmpi_follow_begin(xmpi_follow_t *follow, const xmpi_spans_t *all);

/* How far that is. */
xmpi_follow_state_t xmpi_follow_state(const xmpi_follow_t *follow);

/* Takes some 10 ms for a GiB. */
void xmpi_follow_end(xmpi_follow_t *follow);

#endif

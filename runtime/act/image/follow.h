/* SPDX-License-Identifier: BSD-3-Clause
 * Following writes: which pages a program writes from now on, while it runs. The kernel notes it
 * when a page is written for the first time, by userfaultfd (UFFD_FEATURE_WP_ASYNC, Linux 6.7), or
 * else by marks of pages ("soft-dirty", CONFIG_MEM_SOFT_DIRTY; all of the process's are cleared at
 * once). Memory that is protected and a signal handler would do the same elsewhere, but for system
 * calls, which fail where they are to write to such memory; and what a program may ask of the
 * system is not ours to change. Where the kernel does neither nothing goes ahead. */
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
    int fd;     /* of userfaultfd; 0: none */
    bool marks; /* the other way */
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

/* Whether anything is followed; and how it is looked for what was written: the program stands still
 * where it is to be followed ANEW, which begins with xmpi_follow_again, after all has been looked
 * at. That is false where it cannot, and what is written is not known any more. */
bool xmpi_follow_is_on(const xmpi_follow_t *follow);
xmpi_look_t xmpi_follow_look(const xmpi_follow_t *follow, bool anew);
bool xmpi_follow_again(const xmpi_follow_t *follow);

/* How far the beginning is. */
xmpi_follow_state_t xmpi_follow_state(const xmpi_follow_t *follow);

/* Takes some 10 ms for a GiB. */
void xmpi_follow_end(xmpi_follow_t *follow);

#endif

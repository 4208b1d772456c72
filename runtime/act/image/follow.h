/* SPDX-License-Identifier: BSD-3-Clause
 * Following writes: which pages a program writes from now on, while it runs. The kernel notes it
 * when a page is written for the first time (userfaultfd, UFFD_FEATURE_WP_ASYNC, Linux 6.7). Memory
 * that is protected and a signal handler would do the same elsewhere, but for system calls, which
 * fail where they are to write to such memory; and what a program may ask of the system is not ours
 * to change. Where the kernel does not do it nothing goes ahead. */
#ifndef XMPI_ACT_IMAGE_FOLLOW_H
#define XMPI_ACT_IMAGE_FOLLOW_H

#include "act/image/touched.h"

typedef struct {
    int fd; /* 0: nothing is followed */
} xmpi_follow_t;

/* Follows what is in ALL, whole pages, from now on; new pages between its first and its last place
 * count as written. False where the kernel cannot. */
bool xmpi_follow_begin(xmpi_follow_t *follow, const xmpi_spans_t *all);

void xmpi_follow_end(xmpi_follow_t *follow);

#endif

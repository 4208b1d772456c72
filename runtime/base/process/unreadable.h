/* SPDX-License-Identifier: BSD-3-Clause
 * Mapped files of a disk that cannot read what it has, or that somebody has truncated: the process
 * is told by a signal (SIGBUS), which ends it, and a line says of what. */
#ifndef XMPI_BASE_PROCESS_UNREADABLE_H
#define XMPI_BASE_PROCESS_UNREADABLE_H

#include <stddef.h>

/* From now on a page of the BYTES at AT that cannot be read is said, in LINE, which stays. Whoever
 * handled the signal before does so behind it. */
void xmpi_unreadable_watch(const void *at, size_t bytes, const char *line);

/* What begins at AT is watched no more. */
void xmpi_unreadable_leave(const void *at);

#endif

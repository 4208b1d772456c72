/* SPDX-License-Identifier: BSD-3-Clause
 * The standard streams while an iteration is run a second time: what it writes was written before.
 */
#ifndef XMPI_ACT_CHECK_STREAMS_H
#define XMPI_ACT_CHECK_STREAMS_H

/* From here on what this process writes to its standard output and error is dropped. WHERE (kept)
 * says in what, for people, should the program end in it: by exit, by MPI_Abort, or by a signal of
 * its own fault that nobody else handles. */
void xmpi_streams_drop(const char *where);

/* Puts the streams back; nothing where they were not dropped. */
void xmpi_streams_restore(void);

/* The process ends, by exit or MPI_Abort: where its streams were dropped they are put back, what it
 * has said on standard error is said after all, and one line tells in what it ends. */
void xmpi_streams_end(void);

#endif

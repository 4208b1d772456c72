/* SPDX-License-Identifier: BSD-3-Clause
 * Streams: a FILE of the program is its own, behind which stands one of the C library's. */
#ifndef XMPI_IMAGE_STREAMS_H
#define XMPI_IMAGE_STREAMS_H

#include <stdbool.h>
#include <stdio.h>

/* What stands behind FILE, which may also be one of the standard streams, as any process has had
 * it. */
FILE *xmpi_stream(FILE *file);

/* The same for who reads: standard input is remembered to be in use. */
FILE *xmpi_stream_read(FILE *file);

/* Notes where all are; closes them; opens them again, or says in WHY which one could not be. */
void xmpi_streams_pack(void);
void xmpi_streams_left(void);
bool xmpi_streams_unpack(char *why);

/* One that cannot be opened elsewhere. */
void xmpi_streams_held(char *why);

#endif

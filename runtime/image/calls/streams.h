/* SPDX-License-Identifier: BSD-3-Clause
 * Streams: a FILE of the program is its own, behind which stands one of the C library's. */
#ifndef XMPI_IMAGE_STREAMS_H
#define XMPI_IMAGE_STREAMS_H

#include <stdbool.h>
#include <stdio.h>

#include "act/image/restart.h"

/* What stands behind FILE, which may also be one of the standard streams, as any process has had
 * it. */
FILE *xmpi_stream(FILE *file);

/* The same for who asks where it stands. */
FILE *xmpi_stream_asked(FILE *file);

/* The same for who reads: standard input is remembered to be in use. */
FILE *xmpi_stream_read(FILE *file);

/* Notes where all are; closes them; opens them again, or says in WHY which one could not be. */
void xmpi_streams_pack(void);
void xmpi_streams_left(void);
bool xmpi_streams_unpack(char *why);

/* They are as long as they were then, where they are longer and the program writes to them. */
void xmpi_streams_cut(void);

/* One that cannot be opened elsewhere. */
void xmpi_streams_held(char *why);

/* For a program that starts over (act/image/restart.h). */
bool xmpi_streams_have_read_input(void);
void xmpi_streams_descriptors(char *why); /* one is open */
size_t xmpi_streams_places(xmpi_file_place_t *place, size_t most);
bool xmpi_streams_settle(const xmpi_file_place_t *place, size_t n, char *why);

#endif

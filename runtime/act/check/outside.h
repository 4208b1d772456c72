/* SPDX-License-Identifier: BSD-3-Clause
 * What an iteration has of the world outside its memory: the descriptors that are open and where
 * they stand in files, and the state of the random numbers of the C library. */
#ifndef XMPI_ACT_CHECK_OUTSIDE_H
#define XMPI_ACT_CHECK_OUTSIDE_H

#include <stdbool.h>

#include "base/status.h"

enum { XMPI_RANDOM_WORDS = 64 };

typedef struct {
    const char *own; /* path of the file that the runtime itself writes */
    int files;
    struct xmpi_open_file *file; /* malloc, by descriptor */
    char random[XMPI_RANDOM_WORDS * 4];
    unsigned short random48[3];
} xmpi_outside_t;

/* Takes it down, less the file with the path OWN ("": none), which stays. What is buffered is
 * written first, so that positions are those of the program. */
xmpi_status_t xmpi_outside_note(const char *own, xmpi_outside_t *outside);

/* Whether a file was opened, closed, written, or read since OUTSIDE was taken down: TEXT tells
 * which. Standard streams are left out, and sockets and pipes, which MPI opens as it needs them. */
bool xmpi_outside_changed(const xmpi_outside_t *outside, char *text, int size);

/* Makes random(), rand() and the functions of drand48() go on from where they were. */
void xmpi_outside_rewind(const xmpi_outside_t *outside);

void xmpi_outside_free(xmpi_outside_t *outside);

#endif

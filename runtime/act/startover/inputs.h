/* SPDX-License-Identifier: BSD-3-Clause
 * Inputs: the files that programs read on their way to the loop. What one reads in its start it has
 * to read as others have before, whichever node it is on. */
#ifndef XMPI_ACT_STARTOVER_INPUTS_H
#define XMPI_ACT_STARTOVER_INPUTS_H

#include <mpi.h>

#include "act/image/restart.h"

typedef struct {
    uint64_t path, print; /* numbers that tell them from others */
} xmpi_input_t;

typedef struct {
    xmpi_input_t *input; /* malloc */
    int n;
} xmpi_inputs_t;

/* Those of PROGRAM, which is at LOOP, or was. NULL: none. */
xmpi_inputs_t xmpi_inputs_of(const xmpi_restart_t *program, const char *loop);

/* INPUTS become those of all. Collective over COMM. */
void xmpi_inputs_gather(xmpi_inputs_t *inputs, MPI_Comm comm);

/* Whether PROGRAM has read all of them that it has read as they were BEFORE; else WHY names one. */
bool xmpi_inputs_are(const xmpi_inputs_t *before, const xmpi_restart_t *program, const char *loop,
                     char *why, size_t size);

void xmpi_inputs_free(xmpi_inputs_t *inputs);

#endif

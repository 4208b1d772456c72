/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint of the loop has: of a divisible one what is registered, of a resizable one the
 * state that it has told; of a movable one nothing, as whole processes are written
 * (program/checkpoint/images.h). */
#ifndef XMPI_PROGRAM_CHECKPOINT_SAVED_H
#define XMPI_PROGRAM_CHECKPOINT_SAVED_H

#include "act/startover/saved.h"
#include "program/checkpoint/arguments.h"
#include "program/context.h"

/* The live value that has them: of what a resizable loop only reads nothing else is known. */
#define XMPI_ARGUMENTS "(arguments)"

typedef struct {
    const xmpi_registry_t *registry;
    xmpi_block_t block; /* of the rows that this member owns */
    xmpi_saved_state_t state;
    char arguments[XMPI_ARGUMENTS_MAX]; /* of the program, for people; of a resizable loop */
} xmpi_saved_loop_t;

/* XMPI_ERR_INPUT, on all: a checkpoint would not be all that the loop needs, and WHY. Where that is
 * XMPI_OK LOOP is to be closed. Collective over the world. */
xmpi_status_t xmpi_saved_loop_open(const xmpi_context_t *context, xmpi_saved_loop_t *loop,
                                   xmpi_error_t *why);

/* What was put into the registered data becomes the program's. */
void xmpi_saved_loop_put(const xmpi_context_t *context, const xmpi_saved_loop_t *loop);

void xmpi_saved_loop_close(xmpi_saved_loop_t *loop);

#endif

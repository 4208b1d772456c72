/* SPDX-License-Identifier: BSD-3-Clause
 * The end of steering. */
#ifndef XMPI_PROGRAM_MEMBERS_STEER_CLOSE_H
#define XMPI_PROGRAM_MEMBERS_STEER_CLOSE_H

#include "program/context.h"

/* NEXT is announced: where another process is to lead in it, that gets the requests that wait, and
 * who asks from now on waits for it, or for xmpi_steer_follow, where nothing comes of the change.
 */
void xmpi_steer_hand_over(xmpi_context_t *context, const xmpi_layout_t *next);

/* Closes the endpoint, where this process has one: it leads no more. */
void xmpi_steer_close(xmpi_context_t *context);

/* The process exits: nobody finds its socket any more, nor its entry in the directory of jobs. */
void xmpi_steer_vanish(const xmpi_context_t *context);

#endif

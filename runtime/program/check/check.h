/* SPDX-License-Identifier: BSD-3-Clause
 * Checking a change of layout: an iteration is run in the old and in the new layout, and what comes
 * out is compared (F R = R F, where F is an iteration and R the change).
 *
 *     point         the change is decided; the data are copied                       FIRST
 *       iteration   in the old layout: the real one, whose result counts
 *     point         the data and the copy change places: it has the result now
 *
 *   unless it was shown that the iteration repeats, and that is believed (not with XMPI_CHECK=all):
 *       iteration   again in the old layout                                           AGAIN
 *     point         the same result: the data are that of the copy
 *       iteration   the next one in the old layout, a real one again                  NEXT
 *     point         the data and the copy change places
 *
 *                   the change, of data and copy
 *       iteration   in the new layout                                                OTHER
 *     point         the same result: the loop goes on. Another one: the copy becomes the
 *                   data, and the loop goes back to where it was and stays there.
 *
 * Where the program starts over, the iteration in the other world is one of the program that has
 * started there (act/startover/trial.h), and to go back is to let the program before go on.
 *
 * There is one copy at any time. Who leaves by the change waits for the outcome, with all that it
 * has in memory. */
#ifndef XMPI_PROGRAM_CHECK_CHECK_H
#define XMPI_PROGRAM_CHECK_CHECK_H

#include "program/context.h"

/* Whether the phase is another one than none. */
bool xmpi_check_under_way(const xmpi_context_t *context);

/* All members: takes down what the iteration that comes begins with. The change to NEXT (taken
 * over) comes later. Local. */
void xmpi_check_begin(xmpi_context_t *context, xmpi_layout_t *next);

typedef enum {
    XMPI_CHECK_GO_ON,  /* nothing changes */
    XMPI_CHECK_CHANGE, /* to the layout "next", now */
    XMPI_CHECK_BACK,   /* to the layout "before", for good */
} xmpi_check_step_t;

/* At the next points of a check. Collective over the members. */
xmpi_check_step_t xmpi_check_step(xmpi_context_t *context);

/* The change is done, for its members: the iteration that comes is the second one. */
void xmpi_check_changed(xmpi_context_t *context);

/* The change was called off: the result of the iteration that was run is the state. */
void xmpi_check_called_off(xmpi_context_t *context);

/* Of a program that starts over: the change is made, and was equal; or it was called off, as
 * something differs with so many MEMBERS. */
void xmpi_check_started(xmpi_context_t *context);
void xmpi_check_differs(xmpi_context_t *context, int members);

/* For those that leave by a change that is checked: waits for the outcome. Whether they are to come
 * back. */
bool xmpi_check_held(xmpi_context_t *context);

/* For all that took part: the data are those of the first iteration, and the layout is what it was;
 * what became of the caller. */
xmpi_outcome_t xmpi_check_go_back(xmpi_context_t *context);

/* The loop ends in one of the iterations. */
void xmpi_check_loop_end(xmpi_context_t *context);

#endif

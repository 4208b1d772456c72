/* SPDX-License-Identifier: BSD-3-Clause
 * A session of the leader: what it decides from, and what comes of it. */
#ifndef XMPI_PROGRAM_LOOP_DECIDING_SESSION_H
#define XMPI_PROGRAM_LOOP_DECIDING_SESSION_H

#include "decide/leader/leader.h"
#include "decide/mapping/traffic.h"
#include "program/context.h"

/* What the leader decides from, and what comes of it. */
typedef struct {
    xmpi_wishes_t wishes;
    xmpi_moved_array_t *array; /* malloc */
    double *prefix;            /* malloc; the step's predictor looks at it, too */
    xmpi_traffic_t traffic;    /* no ranks: it was not asked for */
    double since;              /* seconds of the wall clock */
    xmpi_occasion_t occasion;
    xmpi_step_t step;
} xmpi_session_t;

/* Of SAMPLES, one for each member. */
void xmpi_session_open(xmpi_context_t *context, const xmpi_sample_t *samples,
                       xmpi_session_t *session);
void xmpi_session_close(xmpi_session_t *session);

/* The decision depends on the weights of all rows. False, at the leader, where they are not to be
 * had. Collective over the members. */
bool xmpi_session_get_weights(xmpi_context_t *context, xmpi_session_t *session);

/* Takes down what is wanted, as the change that is under way. What cannot be planned has no places:
 * as many members as there are. */
void xmpi_session_describe(xmpi_context_t *context, const xmpi_session_t *session);

/* Whether the plan has a layout, NEXT, in which halos have room. */
bool xmpi_session_lay_out(xmpi_context_t *context, xmpi_step_t *step, xmpi_layout_t *next);

/* Seconds that the plan spares the iterations that remain; where their number is not known they are
 * hoped to be as many as there have been. 0: that is not predicted. */
double xmpi_session_gain(xmpi_session_t *session);

#endif

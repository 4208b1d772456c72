/* SPDX-License-Identifier: BSD-3-Clause
 * Steering: the leader tells about the job at the control endpoint, and follows its requests at the
 * end of an interval. */
#ifndef XMPI_PROGRAM_MEMBERS_STEER_H
#define XMPI_PROGRAM_MEMBERS_STEER_H

#include "program/context.h"

/* Opens the endpoint where the settings want one and this process leads; a second call does
 * nothing. Where it cannot be had, one line on stderr says so, and the job runs on without. */
void xmpi_steer_open(xmpi_context_t *context);

/* Carries out what has been asked for since the last interval, as far as that is not a plan's
 * business. What cannot be done is one line on stderr, and what status tells as the last decision.
 */
void xmpi_steer_follow(xmpi_context_t *context);

/* Tells how the job is after an interval with these SAMPLES (of all members), and what is expected
 * of the decision after the NEXT iterations, now and then, and where something was said. */
void xmpi_steer_tell(xmpi_context_t *context, const xmpi_sample_t *samples, int64_t next);

/* Tells how the job is where something was said that nobody has been told, as it is of each change
 * of its members. */
void xmpi_steer_changed(xmpi_context_t *context);

/* From now on the loop is pinned, WHY for people (NULL: as the context says). Requests that wait
 * are refused, as are all that come before it ends: it has no end of an interval. */
void xmpi_steer_pinned(xmpi_context_t *context, const char *why);

/* Tells that the loop has ended SECONDS after the program was started, which would have been
 * STATIC_SECONDS without any change (0: not known). */
void xmpi_steer_end(xmpi_context_t *context, double seconds, double static_seconds);

#endif

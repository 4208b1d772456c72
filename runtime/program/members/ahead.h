/* SPDX-License-Identifier: BSD-3-Clause
 * Changes ahead: getting processes in the background, while the program iterates
 * (XMPI_BACKGROUND). Only the leader knows of it until they are there. What the policy would want
 * meanwhile has to wait until then. */
#ifndef XMPI_PROGRAM_MEMBERS_AHEAD_H
#define XMPI_PROGRAM_MEMBERS_AHEAD_H

#include "program/context.h"

/* Whether a change is ahead. */
bool xmpi_ahead(const xmpi_context_t *context);

/* Starts to get the processes that join NEXT (taken over), for the reconfiguration that is under
 * way in the progress. When it fails there is none ahead, and NEXT is left as it is. */
xmpi_status_t xmpi_ahead_start(xmpi_context_t *context, xmpi_layout_t *next, xmpi_error_t *error);

/* Between two looks, at every iteration: lets those that come prove who they are, now and then. */
void xmpi_ahead_tend(xmpi_context_t *context);

/* How far it is. When the processes are ready, NEXT is the layout to change to, and the
 * reconfiguration is under way in the progress again. When it fails, so that it can be reported. */
xmpi_call_state_t xmpi_ahead_look(xmpi_context_t *context, xmpi_layout_t *next,
                                  xmpi_error_t *error);

/* Whether it can still be carried out: no node of it has been withdrawn since it began. */
bool xmpi_ahead_stands(const xmpi_context_t *context);

/* Sends away who has come; the reconfiguration is under way in the progress, to be reported. */
void xmpi_ahead_cancel(xmpi_context_t *context);

#endif

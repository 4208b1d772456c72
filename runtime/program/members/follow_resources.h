/* SPDX-License-Identifier: BSD-3-Clause
 * What the program may use, while it runs: the leader asks the source. */
#ifndef XMPI_PROGRAM_MEMBERS_FOLLOW_RESOURCES_H
#define XMPI_PROGRAM_MEMBERS_FOLLOW_RESOURCES_H

#include "program/context.h"
#include "decide/scheduler/availability.h"

/* At the end of an interval, at the leader: looks whether the source of PEs says something else
 * than before. What cannot be read is one line on stderr, and changes nothing. */
void xmpi_availability_poll(xmpi_context_t *context);

/* Asks the source for nodes for N members more of CLASS_INDEX, for THERE of whom there are PEs;
 * they join when the nodes are there, if that is within XMPI_GRACE. Does not wait. False: there is
 * nobody to ask, or no node may be asked for. At the leader. */
bool xmpi_availability_ask(xmpi_context_t *context, int class_index, int n, int there);

/* What the program could have by requests: all of RESOURCES (xmpi_availability_all), and the nodes
 * that it may still ask for. COULD is to be freed. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_availability_could(const xmpi_settings_t *settings,
                                      const xmpi_resources_t *resources, xmpi_resources_t *could);

/* Where members come and go by requests: where nodes are asked for and go back, so that the fewest
 * are used; else as the settings say. */
xmpi_placement_t xmpi_availability_placement(const xmpi_settings_t *settings);

/* Makes the places of the nodes, where processes share PEs. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_availability_room(xmpi_context_t *context, xmpi_error_t *error);

/* Tells of a CHANGE of the PEs that SOURCE is behind: in the trace, and on stderr where somebody is
 * to leave who cannot. At the leader. */
void xmpi_availability_note(xmpi_context_t *context, const char *source,
                            const xmpi_availability_t *change);

#endif

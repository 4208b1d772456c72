/* SPDX-License-Identifier: BSD-3-Clause
 * What the program may use, while it runs: the leader asks the source and follows requests. */
#ifndef XMPI_PROGRAM_AVAILABILITY_H
#define XMPI_PROGRAM_AVAILABILITY_H

#include "context.h"

/* At the end of an interval, at the leader: looks whether the source of PEs says something else
 * than before. What cannot be read is one line on stderr, and changes nothing. */
void xmpi_availability_poll(xmpi_context_t *context);

/* Requests by a control command or a batch system, at the leader; what is to be left is left at the
 * end of the current interval. GRACE is in seconds, CLASS_NAME may be "any". XMPI_ERR_INPUT, with
 * one line in ERROR, for a node or class that is unknown or when there are not so many. */
xmpi_status_t xmpi_availability_request_node(xmpi_context_t *context, const char *node,
                                             double grace, xmpi_error_t *error);
xmpi_status_t xmpi_availability_offer_node(xmpi_context_t *context, const char *node,
                                           xmpi_error_t *error);
xmpi_status_t xmpi_availability_request_pes(xmpi_context_t *context, const char *class_name,
                                            int pes, double grace, xmpi_error_t *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * What the program may use, while it runs: the leader asks the source. */
#ifndef XMPI_PROGRAM_AVAILABILITY_H
#define XMPI_PROGRAM_AVAILABILITY_H

#include "context.h"

/* At the end of an interval, at the leader: looks whether the source of PEs says something else
 * than before. What cannot be read is one line on stderr, and changes nothing. */
void xmpi_availability_poll(xmpi_context_t *context);

#endif

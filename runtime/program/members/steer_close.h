/* SPDX-License-Identifier: BSD-3-Clause
 * The end of steering. */
#ifndef XMPI_PROGRAM_MEMBERS_STEER_CLOSE_H
#define XMPI_PROGRAM_MEMBERS_STEER_CLOSE_H

#include "program/context.h"

/* Closes the endpoint, where this process has one: it leads no more. */
void xmpi_steer_close(xmpi_context_t *context);

#endif

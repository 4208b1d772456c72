/* SPDX-License-Identifier: BSD-3-Clause
 * What numbers of members are worth to a job, as a message of the control endpoint: what it answers
 * whoever shares out a machine (docs/control.md). */
#ifndef XMPI_CONTROL_WORTH_H
#define XMPI_CONTROL_WORTH_H

#include <stdbool.h>

#include "decide/sharing/sharing.h"

enum { XMPI_WORTHS_MAX = 4096 /* numbers of members that are told of */ };

/* The line, malloc, with a newline, of a job that has MEMBERS and is worth what CLAIM says; options
 * 0: it keeps its members. NULL when there is no memory. */
char *xmpi_worth_line(int members, const xmpi_claimant_t *claim);

/* Reads such a LINE, which may be anything: MEMBERS and CLAIM, whose options are in OPTION, with
 * room for XMPI_WORTHS_MAX. False where it is none. */
bool xmpi_worth_read(const char *line, int *members, xmpi_worth_t *option, xmpi_claimant_t *claim);

#endif

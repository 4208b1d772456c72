/* SPDX-License-Identifier: BSD-3-Clause
 * What a check says: in the trace, and to people. Only the leader says anything. */
#ifndef XMPI_PROGRAM_CHECK_CHECK_REPORT_H
#define XMPI_PROGRAM_CHECK_CHECK_REPORT_H

#include "act/check/compare.h"
#include "program/context.h"

enum { XMPI_CHECK_PLACE = 64 };

/* What the members of both layouts say of the loop. */
typedef struct {
    bool same;
    bool ended;
    xmpi_difference_t difference;
} xmpi_check_outcome_t;

/* Into the trace, and into the account: OUTCOME and WHY (empty: nothing to say) of the check of a
 * change to TO members. For all members, or for the leader before it announces the change. */
void xmpi_check_tell(xmpi_context_t *context, xmpi_check_result_t outcome, const char *why, int to);

/* One line on stderr. */
void xmpi_check_say(xmpi_context_t *context, const char *what, const char *then);

/* The same of a difference, WHY the loop keeps its layout from here on; into the trace, too. */
void xmpi_check_pin(xmpi_context_t *context, const char *why);

/* Who has asked for checks hears, once in a loop, WHY there is none. */
void xmpi_check_say_unchecked(xmpi_context_t *context, const char *why);

/* ", row 3, element 5" of DIFFERENCE, as far as it has them, in XMPI_CHECK_PLACE characters. */
void xmpi_check_place(const xmpi_difference_t *difference, char *text, size_t size);

/* A difference is the end of the job where that was asked for. Collective over ALL. */
void xmpi_check_end_if_asked(xmpi_context_t *context, MPI_Comm all);

/* A difference that all have found together: both of the above. For the members. */
void xmpi_check_report(xmpi_context_t *context, const xmpi_check_outcome_t *outcome);

#endif

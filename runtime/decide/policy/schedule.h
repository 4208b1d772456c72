/* SPDX-License-Identifier: BSD-3-Clause
 * Schedule: what the user has said to happen, and when (thesis §5.4.1). */
#ifndef XMPI_DECIDE_POLICY_SCHEDULE_H
#define XMPI_DECIDE_POLICY_SCHEDULE_H

#include <stdint.h>

typedef enum { XMPI_ACTION_SPAWN, XMPI_ACTION_REMOVE } xmpi_action_kind_t;

/* A line of a schedule file (thesis §5.4.1). Plain data. */
typedef struct {
    xmpi_action_kind_t kind;
    int processes;
    int class_index; /* or XMPI_ANY_CLASS */
    int64_t iteration;
    int line; /* of the file, for messages */
} xmpi_action_t;

/* A processing element with the rows that its member gets. Plain data. */
typedef struct {
    int pe;
    int64_t rows;
} xmpi_share_t;

/* Who is to be member after so many iterations, with which rows: shares FIRST to FIRST + PLACES - 1
 * of the schedule, in rank order; no places: the layout stays as it is. Plain data. */
typedef struct {
    int64_t loop; /* which of the loops that the program begins; the first is 1 */
    int64_t iteration;
    int first, places;
    int line;
} xmpi_appointment_t;

/* Actions, or whole layouts. */
typedef struct {
    int actions;
    xmpi_action_t *action; /* malloc, in order of iteration */
    int appointments;
    xmpi_appointment_t *appointment; /* malloc, in order of loop and iteration */
    int shares;
    xmpi_share_t *share; /* malloc */
} xmpi_schedule_t;

void xmpi_schedule_free(xmpi_schedule_t *schedule);

#endif

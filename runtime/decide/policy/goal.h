/* SPDX-License-Identifier: BSD-3-Clause
 * Goal: when the user wants the adaptive loop to be done (thesis §5.4.3). Plain data. */
#ifndef XMPI_DECIDE_POLICY_GOAL_H
#define XMPI_DECIDE_POLICY_GOAL_H

typedef enum {
    XMPI_GOAL_NONE,
    XMPI_GOAL_SAVE,     /* a share of the static time is to be saved: 0.3 for "30%" */
    XMPI_GOAL_SECONDS,  /* after the start of the program */
    XMPI_GOAL_DEADLINE, /* seconds of the real-time clock */
} xmpi_goal_kind_t;

typedef struct {
    xmpi_goal_kind_t kind;
    double value;
} xmpi_goal_t;

/* From when on its seconds count, for people: as they were asked for. */
static inline double xmpi_goal_since(const xmpi_goal_t *goal, double started, double loop_started)
{
    return goal->kind == XMPI_GOAL_SECONDS ? started : loop_started;
}

#endif

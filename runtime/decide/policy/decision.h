/* SPDX-License-Identifier: BSD-3-Clause
 * Decision: what a policy has considered, and why it chose what it did; for the trace. And what a
 * policy remembers from one decision to the next. Plain data. */
#ifndef XMPI_DECIDE_POLICY_DECISION_H
#define XMPI_DECIDE_POLICY_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "decide/plan/plan.h"

enum { XMPI_ALTERNATIVES_MAX = 64, XMPI_LABEL_MAX = 64 };

/* What would be if this were done. */
typedef struct {
    char label[XMPI_LABEL_MAX]; /* "+2 A -1 B" */
    int members;
    double seconds;         /* until the loop is done */
    double reconfiguration; /* of them, for the change */
    double cost;            /* of the whole loop, in the units of the machine file */
    bool feasible;          /* it reaches the goal, or pays */
    double payback;         /* iterations until it has paid for itself; 0: not known */
} xmpi_alternative_t;

enum { XMPI_SIZES_REFUSED_MAX = 32 };

/* What a policy knows of its earlier decisions; all 0 at first. */
typedef struct {
    double finish;         /* when the loop is to be done, seconds of the real-time clock; 0: not
                              known yet */
    bool unreachable;      /* it has been said that the goal cannot be reached */
    int refusals;          /* times in a row that processes could not be had */
    int64_t may_grow_from; /* iteration before which they are not asked for again */
    int64_t map_from;      /* iteration before which the traffic is not asked for again */
    int sizes_refused;     /* numbers of members with which the program does not run ... */
    int size_refused[XMPI_SIZES_REFUSED_MAX]; /* ... by xmpi_sizes_refuse */
} xmpi_policy_state_t;

typedef struct {
    int alternatives;
    xmpi_alternative_t alternative[XMPI_ALTERNATIVES_MAX];
    int chosen; /* alternative, -1: none */
    char reason[XMPI_REASON_MAX];
    char unreachable[XMPI_REASON_MAX]; /* what to say when the goal is found to be */
    xmpi_policy_state_t state;         /* what is remembered from now on */
} xmpi_decision_t;

/* One more alternative; NULL when there is no room. */
xmpi_alternative_t *xmpi_decision_add(xmpi_decision_t *decision);

/* PLAN is decided on, for its reason, which is that of the alternative CHOSEN (-1: of none). */
void xmpi_decision_take(xmpi_decision_t *decision, const xmpi_plan_t *plan, int chosen);

/* Nothing is to change, and WHY: PLAN is left without places. Of alternatives the first is to stay.
 * XMPI_OK. */
xmpi_status_t xmpi_decision_keep(xmpi_decision_t *decision, xmpi_plan_t *plan, const char *why);

#endif

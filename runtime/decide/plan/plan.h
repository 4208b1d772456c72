/* SPDX-License-Identifier: BSD-3-Clause
 * Plan: the next layout, and where each of its members comes from. Every adaptation is one. */
#ifndef XMPI_DECIDE_PLAN_PLAN_H
#define XMPI_DECIDE_PLAN_PLAN_H

#include "decide/layout/layout.h"
#include "decide/layout/resources.h"

typedef enum {
    XMPI_STAYS,      /* member FROM of the current layout */
    XMPI_NEW,        /* a process that is had on PE */
    XMPI_TAKES_OVER, /* the same, in the place of member FROM, which leaves */
} xmpi_origin_t;

typedef struct {
    xmpi_origin_t origin;
    int from; /* rank in the current layout, -1 for XMPI_NEW */
    int pe;   /* for XMPI_NEW and XMPI_TAKES_OVER, else -1 */
    xmpi_block_t block;
} xmpi_place_t;

enum { XMPI_REASON_MAX = 160 };

/* No places: the layout stays as it is. */
typedef struct {
    int places;
    xmpi_place_t *place;          /* malloc, in the new rank order */
    bool moves; /* whole processes change their PEs: the members that stay may be in any order */
    bool sizes; /* blocks are the program's to say: those here are only what may be expected */
    char reason[XMPI_REASON_MAX]; /* of the choice, for the trace */
} xmpi_plan_t;

xmpi_status_t xmpi_plan_alloc(xmpi_plan_t *plan, int places);
void xmpi_plan_free(xmpi_plan_t *plan);

/* The blocks of the places, divided in proportion to SPEEDS. PREFIX: sums of the weights of the
 * rows (decide/partition/partition.h), or NULL when all weigh the same. */
xmpi_status_t xmpi_plan_divide(xmpi_plan_t *plan, int64_t domain, const double *prefix,
                               const double *speeds);

/* Whether somebody is in another process by PLAN: it has other members, or other ranks for them. */
bool xmpi_plan_changes_processes(const xmpi_plan_t *plan);

/* Number of members that join. */
int xmpi_plan_joiners(const xmpi_plan_t *plan);

/* XMPI_ERR_INTERNAL unless the plan can follow LAYOUT: blocks have each row of the domain once,
 * members stay at most once and in order, PEs are usable and used once, the anchor stays. */
xmpi_status_t xmpi_plan_check(const xmpi_plan_t *plan, const xmpi_layout_t *layout,
                              const xmpi_resources_t *resources, xmpi_error_t *error);

/* The same in an adaptive loop, where blocks follow one another too: who has the rows beside one's
 * own is told by the rank. */
xmpi_status_t xmpi_plan_check_in_loop(const xmpi_plan_t *plan, const xmpi_layout_t *layout,
                                      const xmpi_resources_t *resources, xmpi_error_t *error);

/* "rebalance", "grow", "shrink" or "exchange" (as many members, not the same ones). */
const char *xmpi_plan_kind(const xmpi_plan_t *plan, const xmpi_layout_t *layout);

#endif

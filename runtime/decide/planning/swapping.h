/* SPDX-License-Identifier: BSD-3-Clause
 * Swapping: members and idle PEs by what they can do, and the sets of swaps among them.
 *
 * Where ranks keep their blocks an iteration takes as long as its slowest member, so what is to
 * become of it says who has to go: everybody who takes longer, and nobody else. Sets of swaps are
 * therefore the first members in the order of their times, and the fewer the slower. All others
 * gain as much with more swaps.
 *
 * Where rows are divided anew it takes as long as all work by all speed: the slowest go, whatever
 * they have, to the quickest PEs. */
#ifndef XMPI_DECIDE_PLANNING_SWAPPING_H
#define XMPI_DECIDE_PLANNING_SWAPPING_H

#include "decide/policy/policy.h"

/* Sets of swaps that are priced, of either kind; where there are more, some in between are left
 * out. */
enum { XMPI_SETS_KEPT = 16, XMPI_SETS_DIVIDED = 6, XMPI_SETS = XMPI_SETS_KEPT + XMPI_SETS_DIVIDED };

typedef struct {
    int rank;
    double work;    /* of an iteration */
    double seconds; /* that it takes */
    double speed;
    double least; /* speed from which on a PE is quick enough for the gain of a process */
    bool may_go;
} xmpi_swap_member_t;

typedef struct {
    int pe;
    double speed; /* less its doubt */
    bool parked;
} xmpi_swap_idle_t;

/* So many members go, and an iteration takes so many SECONDS of computation then: the first in the
 * order of their times, who keep their blocks, or the slowest, and rows are divided anew. */
typedef struct {
    int swaps;
    bool divides;
    double seconds;
} xmpi_swap_set_t;

typedef struct xmpi_swap_going xmpi_swap_going_t;

/* The arrays are malloc. */
typedef struct {
    const xmpi_view_t *view;
    const xmpi_speeds_t *speeds;
    xmpi_speeds_t own;
    double work;    /* of an iteration, all members together */
    double *before; /* of those of lower rank, one more than members */
    double others;  /* seconds of an iteration that no swap changes: communication */
    int members, idles, slows;
    xmpi_swap_member_t *member; /* who takes longest first */
    xmpi_swap_member_t *slow;   /* those that may go, the slowest first */
    xmpi_swap_idle_t *idle;     /* the quickest first */
    int *served;                /* scratch, one more than idles */
    xmpi_swap_going_t *order;   /* scratch */
} xmpi_swapping_t;

/* XMPI_ERR_MEMORY; to be freed all the same. */
xmpi_status_t xmpi_swapping_make(xmpi_swapping_t *swapping, const xmpi_view_t *view);
void xmpi_swapping_free(xmpi_swapping_t *swapping);

/* All sets that are worth looking at in which blocks are kept, the best first, at most
 * XMPI_SETS_KEPT. */
int xmpi_swapping_kept(const xmpi_swapping_t *swapping, xmpi_swap_set_t *set);

/* Those after which rows are divided anew, the best first, at most XMPI_SETS_DIVIDED. Their seconds
 * are those of rows that could be divided to any part. */
int xmpi_swapping_divided(const xmpi_swapping_t *swapping, xmpi_swap_set_t *set);

/* The plan of SET. Where rows are divided, its seconds become those of whole rows.
 * XMPI_NEEDS_WEIGHTS, XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_swapping_plan(const xmpi_swapping_t *swapping, xmpi_swap_set_t *set,
                                 xmpi_plan_t *plan, xmpi_error_t *error);

/* Seconds of computation of an iteration with the blocks of PLAN, joiners as slow as they may be.
 */
double xmpi_swapping_seconds(const xmpi_swapping_t *swapping, const xmpi_plan_t *plan);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Availability: PEs come and go while the program runs (getSystemStatus, thesis §5.4.1). A PE stays
 * in the list for good, as processes are known by it; one that is taken away is withdrawn: its
 * member has to leave before a deadline, and no other comes. */
#ifndef XMPI_DECIDE_SCHEDULER_AVAILABILITY_H
#define XMPI_DECIDE_SCHEDULER_AVAILABILITY_H

#include "decide/layout/layout.h"
#include "decide/plan/plan.h"
#include "decide/layout/resources.h"
#include "decide/scheduler/scheduler.h"

/* How many PEs. */
typedef struct {
    int added;     /* that were not there before */
    int returned;  /* that had been withdrawn */
    int withdrawn; /* of them */
} xmpi_availability_t;

/* Makes RESOURCES what NOW says, node by node: the number of PEs, their class and cost. Of a node
 * that gives fewer, PEs without a process are withdrawn first, then those with a parked one; those
 * with members until DEADLINE, or the one that NOW has for PEs that it lists as withdrawn, which
 * are not given. Where places share PEs, a node that still gives some is kept, with fewer to share.
 * On an error nothing has changed. */
xmpi_status_t xmpi_availability_follow(xmpi_resources_t *resources, const xmpi_resources_t *now,
                                       double deadline, xmpi_availability_t *change,
                                       xmpi_error_t *error);

/* Where some places share the PEs of their node, every node gets as many places as there are
 * RANKS: any of these may come to it; or, where RESOURCES says that they share, as many as its
 * share of the ranks is, if there are more of these than PEs. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_availability_make_room(xmpi_resources_t *resources, int ranks);

/* Withdraws all PEs of NODE, and those without a process of which nobody knows where they are,
 * until it is offered: no other request, and no source, brings them back before. XMPI_ERR_INPUT,
 * and nothing has changed, where there is no such node, no other is known, or the anchor is there.
 */
xmpi_status_t xmpi_availability_withdraw(xmpi_resources_t *resources, const char *node,
                                         double deadline, xmpi_availability_t *change,
                                         xmpi_error_t *error);
xmpi_status_t xmpi_availability_offer(xmpi_resources_t *resources, const char *node,
                                      xmpi_availability_t *change, xmpi_error_t *error);

/* Why the anchor has to stay, and what helps; static: continues "process 0 has to stay". */
const char *xmpi_anchor_why(const xmpi_resources_t *resources);

/* Withdraws N PEs of a class (or XMPI_ANY_CLASS) that have members, those that the scheduler would
 * empty next, so that there are N members fewer and no policy uses their PEs again. XMPI_ERR_INPUT,
 * and nothing has changed, when there are not so many or no member would be left. And the contrary:
 * PEs that were withdrawn so come back, and the most members that are allowed become more, as far
 * as N more members need it. CHANGE says how many PEs that concerned. */
xmpi_status_t xmpi_availability_shrink(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                                       xmpi_placement_t placement, int class_index, int n,
                                       double deadline, xmpi_availability_t *change,
                                       xmpi_error_t *error);
xmpi_status_t xmpi_availability_grow(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                                     int class_index, int n, xmpi_availability_t *change,
                                     xmpi_error_t *error);

/* Lets the program have PEs for N members, neither more nor fewer: who joins and who leaves is as
 * the scheduler has it, MORE members are wanted (0: none), and PEs that are idle then are withdrawn
 * as well, so that no policy uses them before there is another request. XMPI_ERR_INPUT, and nothing
 * has changed, where there are not so many PEs, or members that have to stay; XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_availability_have(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                                     xmpi_placement_t placement, int n, double deadline, int *more,
                                     xmpi_availability_t *change, xmpi_error_t *error);

/* What the program could have by such a request: a copy of RESOURCES in which nothing is withdrawn
 * by one for there to be fewer members; ALL is to be freed. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_availability_all(const xmpi_resources_t *resources, xmpi_resources_t *all);

/* Selects the members on withdrawn PEs to leave, and a new one where nobody else would be left.
 * How many cannot leave yet: the anchor, and the last one while there is no other PE. */
int xmpi_availability_leavers(xmpi_selection_t *selection);

#endif

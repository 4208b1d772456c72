/* SPDX-License-Identifier: BSD-3-Clause
 * Change: all that follows from the layouts before and after a reconfiguration. Everyone who takes
 * part derives the same from the same two layouts.
 *
 * During a change there is a transit communicator: the members of the old layout in their order,
 * then those that join in theirs. */
#ifndef XMPI_ACT_MEMBERS_CHANGE_H
#define XMPI_ACT_MEMBERS_CHANGE_H

#include "act/members/shared.h"

typedef struct {
    int olds;    /* members before: transit ranks 0 to olds - 1 */
    int joiners; /* transit ranks olds to transit - 1 */
    int leavers;
    int transit;
    int *process;            /* of each transit rank; the arrays are malloc */
    int *new_rank;           /* of each transit rank; -1: it leaves */
    xmpi_block_t *old_block; /* of each transit rank; of joiners empty */
    xmpi_block_t *new_block; /* of leavers empty */
} xmpi_change_t;

xmpi_status_t xmpi_change_make(const xmpi_layout_t *old, const xmpi_layout_t *next,
                               xmpi_change_t *change);
void xmpi_change_free(xmpi_change_t *change);

/* Whether the ranks of the transit communicator are those of the new world already. */
bool xmpi_change_keeps_ranks(const xmpi_change_t *change);

/* Whether all that take part were started by mpiexec together. */
bool xmpi_change_all_initial(const xmpi_change_t *change, const xmpi_shared_t *shared);

/* Units of those that join: who is started together, or alone. They are in the order in which the
 * first of each joins. */
typedef struct {
    int n;
    int *of;    /* of each that joins, its unit; malloc, like the others */
    int *first; /* of each unit, the first that joins */
    int *seat;  /* of each that joins, its place where unit stands behind unit */
} xmpi_units_t;

/* XMPI_ERR_MEMORY: there is nothing to free, though it may be. */
xmpi_status_t xmpi_change_units(const xmpi_change_t *change, const xmpi_shared_t *shared,
                                xmpi_units_t *units);
void xmpi_units_free(xmpi_units_t *units);

/* Transit rank of a process, or -1. */
int xmpi_change_transit_rank(const xmpi_change_t *change, int process);

#endif

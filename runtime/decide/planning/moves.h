/* SPDX-License-Identifier: BSD-3-Clause
 * Moves: plans of movable loops, in which every rank stays and only its place may be another. */
#ifndef XMPI_DECIDE_MOVES_H
#define XMPI_DECIDE_MOVES_H

#include "decide/policy/policy.h"

/* The plan by which ranks leave PEs that are withdrawn; no places: nobody has to, or can, where its
 * reason then says why nobody is to move at all. */
xmpi_status_t xmpi_moves_evacuate(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error);

/* A plan in which all ranks stay where they are, to begin with. */
xmpi_status_t xmpi_moves_none(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error);

/* Whether RANK may go elsewhere: what holds the others together stays, and what cannot move. */
bool xmpi_moves_may(const xmpi_view_t *view, int rank);

/* Whether one of them has what all have to stay for. */
bool xmpi_moves_all_are_held(const xmpi_view_t *view);

/* Any ranks to any idle PEs, and others that exchange theirs. */
xmpi_status_t xmpi_moves_random(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error);

#endif

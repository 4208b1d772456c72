/* SPDX-License-Identifier: BSD-3-Clause
 * Cores of a remapping: which processing element of its node each rank takes that goes there. */
#ifndef XMPI_DECIDE_PLANNING_REMAPPING_CORES_H
#define XMPI_DECIDE_PLANNING_REMAPPING_CORES_H

#include "decide/planning/remapping/remap.h"

/* Gives each rank that goes to a node of which it is known what its cores are behind its place in
 * PLAN there, near to the ranks that it talks to; those that go elsewhere keep theirs. Processes
 * whose rank leaves the node are taken first in a movable loop, then idle ones, those last that
 * others share. Who is on the node and stays there stays where it is, as nobody knows what a move
 * within a node gains. XMPI_ERR_MEMORY and the others of mappings. */
xmpi_status_t xmpi_remap_cores(const xmpi_remap_t *remap, xmpi_plan_t *plan, xmpi_error_t *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The plan that a remapping comes to. */
#ifndef XMPI_DECIDE_PLANNING_REMAPPING_REMAP_PLAN_H
#define XMPI_DECIDE_PLANNING_REMAPPING_REMAP_PLAN_H

#include "decide/planning/remapping/remap.h"

/* The plan by which ranks go where TO says: to processes whose rank leaves the node, else to idle
 * places, those first that nobody shares; where it is known what the cores of the node are behind,
 * near to those that they talk to (decide/planning/remapping/cores.h). Blocks stay. No places where
 * nobody goes. */
xmpi_status_t xmpi_remap_plan(const xmpi_remap_t *remap, xmpi_plan_t *plan, xmpi_error_t *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * What more or fewer members are worth to a job: what whoever shares out a system asks it. */
#ifndef XMPI_DECIDE_PLANNING_WORTH_H
#define XMPI_DECIDE_PLANNING_WORTH_H

#include "decide/policy/policy.h"
#include "decide/sharing/sharing.h"

/* Fills WORTH, which has room for MOST, with the numbers of members from 1 to MOST that the
 * program can have: seconds until the loop is done, with what the change takes, with the PEs of
 * the resources that are best for it. WORTHS: how many. Needs view->predictor.
 * XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_worth_of_members(const xmpi_view_t *view, int most, xmpi_worth_t *worth,
                                    int *worths);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The opening: the first layout of a loop, before anything of it was measured. A known program on
 * known nodes begins balanced: an earlier run has recorded its work and how quick PEs of each class
 * are in it (decide/model/profile.h), or the machine was calibrated, which says how quick they are
 * in other work. What is not known is left as the program has it, until it is measured. */
#ifndef XMPI_DECIDE_LEADER_OPENING_H
#define XMPI_DECIDE_LEADER_OPENING_H

#include "decide/layout/resources.h"
#include "decide/model/calibration.h"
#include "decide/model/profile.h"
#include "decide/model/sample.h"
#include "decide/plan/plan.h"

typedef struct {
    const xmpi_layout_t *layout; /* the program's own */
    const xmpi_resources_t *resources;
    const xmpi_calibration_t *calibration;
    const xmpi_profile_t *profile;     /* NULL or without points: none */
    const xmpi_profile_origin_t *here; /* what runs */
    bool weighted;                     /* rows differ in work */
    const double *prefix; /* domain + 1 sums of their weights; NULL: they are not here */
    bool learnt;          /* the profile tells them */
    double bytes;         /* of the rows of all members */
    double tolerated;     /* difference of computation times, as a share of the longest */
} xmpi_opening_t;

/* Whether the speeds of all members are known, so that it makes sense to gather weights. */
bool xmpi_opening_knows(const xmpi_opening_t *opening);

/* PLAN: the members as they are with the blocks that their speeds ask for; no places where the
 * program's own are about as good as can be told, with the reason. SAMPLES, one for each member,
 * get an iteration as it is expected in the present layout: where the seconds are not known few of
 * them. XMPI_NEEDS_WEIGHTS: they are to be gathered first. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_opening_plan(const xmpi_opening_t *opening, xmpi_sample_t *samples,
                                xmpi_plan_t *plan);

#endif

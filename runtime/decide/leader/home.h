/* SPDX-License-Identifier: BSD-3-Clause
 * Home: the blocks with which a loop began, as what the division of rows is measured by. Loads that
 * change faster than they can be followed make every division a wrong one, and no decision that
 * knows the past alone can tell that beforehand. So it is counted: what iterations have taken is
 * compared with what the same processors would have needed with the blocks of the begin. Where that
 * was less, again and again, and by more than a share of the run, the rows go home, and stay there
 * for a while, longer each time. So whoever divides rows loses no more than that share to who never
 * does (as the expert who is left when he has lost what was allowed, Cesa-Bianchi and Lugosi 2006,
 * ch. 2). */
#ifndef XMPI_DECIDE_LEADER_HOME_H
#define XMPI_DECIDE_LEADER_HOME_H

#include <stdbool.h>

#include "decide/layout/layout.h"
#include "decide/model/sample.h"
#include "decide/plan/plan.h"

/* What a leader knows of it. Plain data but for the blocks; all zeros at first. */
typedef struct {
    int blocks;
    xmpi_block_t *block; /* malloc: of each rank, when there were first as many members */
    double lost;         /* seconds, against these blocks; never less than 0 */
    double seconds;      /* that were compared */
    double most;         /* seconds that may be lost */
    int losing;          /* intervals that have lost since all was gained back */
    double gained; /* seconds, against these blocks, since the last change; never less than 0 */
    bool rests;    /* rows are to be at home */
    int rests_before, rested; /* how often it has come to that; intervals since */
} xmpi_home_t;

/* The loop begins in LAYOUT. Without that, the first one that is noted is home. */
void xmpi_home_begin(xmpi_home_t *home, const xmpi_layout_t *layout);

/* Takes in an interval of LAYOUT's members, whose samples are in rank order. PREFIX: domain + 1
 * sums of the weights of rows; NULL: they are alike. REMAINING iterations are to come; negative:
 * not known. Without memory nothing is compared. */
void xmpi_home_note(xmpi_home_t *home, const xmpi_layout_t *layout, const xmpi_sample_t *samples,
                    const double *prefix, int64_t remaining);

/* A change of blocks has taken so long. */
void xmpi_home_changed(xmpi_home_t *home, double seconds);

/* Seconds in which no more than may be, and these blocks have gained, is lost with the blocks of
 * PLAN, where it has places, else of LAYOUT, even if the loads change right away; INFINITY where
 * they are those of the begin, or nothing is compared. */
double xmpi_home_lasts(const xmpi_home_t *home, const xmpi_layout_t *layout,
                       const xmpi_plan_t *plan, const double *prefix);

/* Forgets all. */
void xmpi_home_free(xmpi_home_t *home);

#endif

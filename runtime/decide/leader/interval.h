/* SPDX-License-Identifier: BSD-3-Clause
 * The length of the sampling interval, where the user leaves it open (thesis §7.3). */
#ifndef XMPI_DECIDE_LEADER_INTERVAL_H
#define XMPI_DECIDE_LEADER_INTERVAL_H

#include <stdbool.h>

#include "decide/model/sample.h"

typedef struct {
    const xmpi_sample_t *samples; /* of the last interval */
    int members;
    double cost;      /* seconds that the end of an interval takes when nothing changes */
    double threshold; /* TH1: the difference of computation times that is to be told from noise */
    double longest;   /* seconds; 0: as long as is good */
    bool first;       /* it was the first of the loop */
    bool turned;      /* a speed has changed in it by more than is tolerated */
    double apart;     /* iterations from one change of a speed to the next; 0: there was none */
} xmpi_interval_t;

/* The begin of a loop, in which pages, caches and connections are cold: iterations become quicker
 * by themselves, and tell nothing of those to come. Plain data; all 0: the loop begins. */
typedef struct {
    bool over;
    double seconds;   /* of the intervals so far */
    double iteration; /* seconds of one in the last of them */
} xmpi_warm_up_t;

/* Whether the interval that SAMPLES are of may be decided on: it took as long for an iteration as
 * the one before, or the program has run for so long that it cannot be cold. */
bool xmpi_warm_up_is_over(xmpi_warm_up_t *warm_up, const xmpi_sample_t *samples);

/* Seconds of the shortest interval, whose end takes COST seconds, that there may be a reason for.
 */
double xmpi_interval_least(double cost);

/* Iterations of the next interval: so many that noise is a fraction of the threshold and the cost
 * is no 2000th of the time; after the first one, where members are far from balance, as many as
 * xmpi_interval_least and a fraction of that imbalance ask for; after a change, which may have
 * begun within the interval, as many as the former; where loads come and go, no more than as many
 * as lose least; no more than twice the last one, so that a short program is balanced early; no
 * longer than 5 s or LONGEST; at least one. */
int64_t xmpi_interval_next(const xmpi_interval_t *interval);

#endif

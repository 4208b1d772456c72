/* SPDX-License-Identifier: BSD-3-Clause
 * Loads that come and go, as scripts of the emulated cluster (EMU_SCRIPT, pace_model.h): sources of
 * load that are on or off, and jobs with hyperexponential lifetimes, as in the simulations of
 * O. Sievert (2003), ch. 6. The same seed gives the same script. */
#ifndef LOAD_MODEL_H
#define LOAD_MODEL_H

#include <stdint.h>
#include <stdio.h>

/* The time that a script is for. */
typedef struct {
    double seconds;
    uint64_t seed;
} load_run_t;

/* Each node has SOURCES, all alike, each of which is one competitor or none: at the end of each
 * STEP of so many seconds one that is off goes on with probability START, one that is on goes off
 * with probability STOP. So it is on for the share START / (START + STOP) of the time, with which
 * it also begins. */
typedef struct {
    int sources;
    double step, start, stop;
} load_onoff_t;

/* Jobs come to each node BETWEEN seconds apart on average, uniformly from 0 to twice that. A job
 * ends at once but with probability SHARE, and then lasts exponentially, so that all together last
 * MEAN seconds on average (a degenerate hyperexponential distribution). */
typedef struct {
    double between, mean, share;
} load_jobs_t;

/* Writes the lines of NODE, the INDEX-th, in the order of time. */
void load_write_onoff(FILE *file, const load_run_t *run, const load_onoff_t *onoff,
                      const char *node, int index);
/* 0, or -1 when there is no memory. */
int load_write_jobs(FILE *file, const load_run_t *run, const load_jobs_t *jobs, const char *node,
                    int index);

#endif

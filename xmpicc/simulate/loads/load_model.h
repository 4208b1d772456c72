/* SPDX-License-Identifier: BSD-3-Clause
 * Loads that come and go: sources of load that are on or off, and jobs with hyperexponential
 * lifetimes, as in the simulations of O. Sievert (2003), ch. 6. For simulations, and for scripts of
 * the emulated cluster (EMU_SCRIPT, tests/cluster/emulation/pace_model.h). The same seed gives the same
 * loads, and more seconds the same ones and more. */
#ifndef XMPI_SIMULATE_LOADS_LOAD_MODEL_H
#define XMPI_SIMULATE_LOADS_LOAD_MODEL_H

#include <stdint.h>

/* The time that loads are for. */
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

/* Is told that from WHEN (seconds, rising) on there are LOAD competitors; before the first none. */
typedef void load_change_t(void *context, double when, int load);

/* Tells CHANGE all changes of the INDEX-th node, in the order of time. */
void load_onoff(const load_run_t *run, const load_onoff_t *onoff, int index, load_change_t *change,
                void *context);
/* 0, or -1 when there is no memory. */
int load_jobs(const load_run_t *run, const load_jobs_t *jobs, int index, load_change_t *change,
              void *context);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * What comes of a simulated run. */
#ifndef XMPI_SIMULATE_SCENARIO_RESULT_H
#define XMPI_SIMULATE_SCENARIO_RESULT_H

#include <stdint.h>

/* Plain data: what came of a run. */
typedef struct {
    double seconds; /* from the start of MPI to the end of the loop */
    double still;   /* of them, for which changes kept the program */
    double cost;    /* units, as of the machine file */
    double bytes;   /* that changes moved */
    int64_t intervals, changes;
    int64_t swaps;   /* processes that went elsewhere */
    double deciding; /* CPU seconds of the leader; not the same in each run */
    int members;     /* at the end */
} sim_result_t;

#endif

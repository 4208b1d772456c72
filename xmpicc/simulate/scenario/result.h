/* SPDX-License-Identifier: BSD-3-Clause
 * What comes of a simulated run. */
#ifndef XMPI_SIMULATE_SCENARIO_RESULT_H
#define XMPI_SIMULATE_SCENARIO_RESULT_H

#include <stdint.h>

/* Plain data: what came of a run. */
typedef struct {
    double seconds; /* from the start of MPI to the end of the loop; of a workload: the mean of its
                       jobs, from their submission to their end */
    double still;   /* of them, for which changes kept the program */
    double cost;    /* units, as of the machine file */
    double bytes;   /* that changes moved */
    int64_t intervals, changes;
    int64_t swaps;   /* processes that went elsewhere */
    double deciding; /* CPU seconds of the leader; not the same in each run */
    int members;     /* at the end */

    /* Of a workload. */
    double slowdown;    /* mean; bounded: jobs of less than 10 s count as such of 10 s */
    double utilisation; /* share of the processing elements that jobs have, from the first
                           submission to the last end */
    double useful;      /* the same, of what jobs would need with what they ask for */
    double makespan;    /* seconds of that time */
    double joules;
    int64_t late; /* jobs that ended after they were due */
} sim_result_t;

#endif

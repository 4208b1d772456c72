/* SPDX-License-Identifier: BSD-3-Clause
 * The baseline: what an iteration took before the first change, and so what all of them would have
 * taken without any. The first interval says nothing of that, nor do others in which memory, caches
 * and connections are still cold: they are left out. What was seen too shortly is not known. */
#ifndef XMPI_DECIDE_MODEL_BASELINE_H
#define XMPI_DECIDE_MODEL_BASELINE_H

#include <stdbool.h>
#include <stdint.h>

enum { XMPI_BASELINE_MAX = 32 };

/* Plain data; all 0: nothing was seen yet. */
typedef struct {
    bool began; /* the first interval is over */
    int intervals;
    struct {
        double seconds;
        int64_t iterations;
    } interval[XMPI_BASELINE_MAX]; /* where there are more, one stands for several in a row */
} xmpi_baseline_t;

/* An interval before the first change is over. */
void xmpi_baseline_add(xmpi_baseline_t *baseline, int64_t iterations, double seconds);

/* Seconds of an iteration; 0: too little was seen to tell. */
double xmpi_baseline_seconds(const xmpi_baseline_t *baseline);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks: what the monitor reads around every call of MPI. */
#ifndef XMPI_OBSERVE_CLOCK_H
#define XMPI_OBSERVE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    bool begun, has_counter;
    double first; /* CLOCK_MONOTONIC at the first reading, and the counter then */
    uint64_t first_ticks;
    double seconds_per_tick; /* 0: not known yet */
    double base;             /* seconds when the rate was last measured, and the counter then */
    uint64_t base_ticks;
} xmpi_clock_t;

/* That of this process. */
extern xmpi_clock_t xmpi_clock;

/* Seconds of a clock that only goes forward; for the thread that runs the loop. The processor's
 * time stamp counter where the kernel itself keeps time by it, since reading that takes a third of
 * what clock_gettime does; CLOCK_MONOTONIC elsewhere, and until the counter's rate is known. */
double xmpi_clock_wall(void);

/* Measures the counter's rate since the first reading, for the readings that follow. They go on
 * where those before have ended. */
void xmpi_clock_tune(void);

/* CPU seconds of this process: a system call. */
double xmpi_clock_cpu(void);

#endif

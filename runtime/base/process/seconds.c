/* SPDX-License-Identifier: BSD-3-Clause
 * Seconds of the system's clocks. */
#define _POSIX_C_SOURCE 200809L
#include "base/process/seconds.h"

#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double xmpi_seconds_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double xmpi_seconds_epoch(void)
{
    return seconds_of(CLOCK_REALTIME);
}

double xmpi_seconds_cpu(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

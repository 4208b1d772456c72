/* SPDX-License-Identifier: BSD-3-Clause
 * The clock of traces: seconds that all members share. */
#ifndef XMPI_TRACE_CLOCK_H
#define XMPI_TRACE_CLOCK_H

#include <stdbool.h>

/* Seconds of the real-time clock, which members on different nodes share, as it was when the
 * process asked first: it goes on evenly where that clock is set. */
double xmpi_trace_clock(void);

/* From now on the clock is that of a simulation, and stands at NOW until it is told again. */
void xmpi_trace_simulate(double now);
bool xmpi_trace_is_simulated(void);

/* When the monotonic clock began, by that one; and the same for a process of this node that came
 * later, maybe after the clock was set. */
double xmpi_trace_since(void);
void xmpi_trace_follow(double since);

#endif

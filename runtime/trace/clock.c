/* SPDX-License-Identifier: BSD-3-Clause
 * The clock of traces. */
#include "trace/clock.h"

#include "base/process/seconds.h"

static double since; /* where the monotonic clock began, by the real-time clock; 0: not asked yet */

double xmpi_trace_since(void)
{
    if (since == 0)
        since = xmpi_seconds_epoch() - xmpi_seconds_now();
    return since;
}

void xmpi_trace_follow(double origin)
{
    since = origin;
}

static bool simulated;
static double simulated_now; /* where it is */

void xmpi_trace_simulate(double now)
{
    simulated = true;
    simulated_now = now;
}

bool xmpi_trace_is_simulated(void)
{
    return simulated;
}

double xmpi_trace_clock(void)
{
    return simulated ? simulated_now : xmpi_trace_since() + xmpi_seconds_now();
}

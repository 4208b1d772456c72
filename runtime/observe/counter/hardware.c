/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the hardware of this machine counts for us at all. */
#define _GNU_SOURCE
#include "observe/counter/hardware.h"

#include <linux/perf_event.h>
#include <math.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/process/seconds.h"

/* Seconds to stop a counter and to start it again, at each of a process's waits: where a hypervisor
 * does it, it takes 20 millionths (instructions) to 500 (floating-point operations of some
 * processors), which is more than short iterations take. */
static const double most_of_a_switch = 5e-6;

/* Of some, the least: other processes may come in between. */
static double switch_seconds(int counter)
{
    enum { TIMES = 4 };
    double least = INFINITY;
    for (int i = 0; i < TIMES; i++) {
        double start = xmpi_seconds_now();
        ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
        ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
        least = fmin(least, xmpi_seconds_now() - start);
    }
    return least;
}

bool xmpi_hardware_counts(void)
{
    struct perf_event_attr instructions = {.type = PERF_TYPE_HARDWARE,
                                           .size = sizeof instructions,
                                           .config = PERF_COUNT_HW_INSTRUCTIONS,
                                           .exclude_kernel = 1,
                                           .exclude_hv = 1};
    int counter = (int)syscall(SYS_perf_event_open, &instructions, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    bool counts = counter >= 0 && switch_seconds(counter) <= most_of_a_switch;
    if (counter >= 0)
        close(counter);
    return counts;
}

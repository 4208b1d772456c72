/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the hardware of this machine counts for us at all. */
#define _GNU_SOURCE
#include "observe/counter/hardware.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

bool xmpi_hardware_counts(void)
{
    struct perf_event_attr instructions = {.type = PERF_TYPE_HARDWARE,
                                           .size = sizeof instructions,
                                           .config = PERF_COUNT_HW_INSTRUCTIONS,
                                           .exclude_kernel = 1,
                                           .exclude_hv = 1};
    long fd = syscall(SYS_perf_event_open, &instructions, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd >= 0)
        close((int)fd);
    return fd >= 0;
}

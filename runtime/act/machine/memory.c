/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that this process may still use. */
#define _GNU_SOURCE
#include "act/machine/memory.h"

#include <unistd.h>

#include "act/machine/cgroup.h"

static const int64_t least = (int64_t)64 << 20;

/* The files of version 2, else of version 1. */
int64_t xmpi_memory_left(const char *folder)
{
    int64_t most = xmpi_cgroup_number(folder, "memory.max", "", INT64_MAX);
    int64_t used = xmpi_cgroup_number(folder, "memory.current", "", 0) -
                   xmpi_cgroup_number(folder, "memory.stat", "inactive_file ", 0);
    if (most == INT64_MAX) {
        most = xmpi_cgroup_number(folder, "memory.limit_in_bytes", "", INT64_MAX);
        used = xmpi_cgroup_number(folder, "memory.usage_in_bytes", "", 0) -
               xmpi_cgroup_number(folder, "memory.stat", "total_inactive_file ", 0);
    }
    if (most == INT64_MAX)
        return INT64_MAX;
    return most > used ? most - used : 0;
}

static int64_t sharing(int processes)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return processes < 1 ? 1 : cpus > 0 && processes > cpus ? cpus : processes;
}

int64_t xmpi_memory_available(void)
{
    char where[64];
    int64_t cgroup = xmpi_cgroup_least("memory", xmpi_memory_left, where, sizeof where);
    int64_t machine =
        xmpi_cgroup_number("/proc", "meminfo", "MemAvailable:", INT64_MAX / 1024) * 1024;
    return cgroup < machine ? cgroup : machine;
}

int64_t xmpi_memory_limit(int64_t bytes, int64_t set, int processes)
{
    if (set > 0 || bytes <= least)
        return set > 0 ? set : least;
    int64_t share = xmpi_memory_available() / 2 / sharing(processes);
    return share > least ? share : least;
}

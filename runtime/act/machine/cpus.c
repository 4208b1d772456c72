/* SPDX-License-Identifier: BSD-3-Clause
 * The CPUs of this process. */
#define _GNU_SOURCE
#include "act/machine/cpus.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/process/own_files.h"

static cpu_set_t before; /* being bound */
static bool is_bound;

bool xmpi_cpus_given(cpu_set_t *given)
{
    if (is_bound)
        *given = before;
    return is_bound || sched_getaffinity(0, sizeof *given, given) == 0;
}

/* "0-3,8" */
static void read_list(FILE *file, cpu_set_t *cpus)
{
    int from, to, got;
    while ((got = fscanf(file, "%d-%d", &from, &to)) > 0) {
        for (int cpu = from; cpu >= 0 && cpu <= (got == 2 ? to : from) && cpu < CPU_SETSIZE; cpu++)
            CPU_SET((size_t)cpu, cpus);
        if (fgetc(file) != ',')
            break;
    }
}

/* The CPUs of the core of CPU, as far as they were given. */
static void core_of(int cpu, const cpu_set_t *given, cpu_set_t *core)
{
    char path[96];
    CPU_ZERO(core);
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    xmpi_own_files_begin();
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        read_list(file, core);
        fclose(file);
    }
    xmpi_own_files_end();
    CPU_SET((size_t)cpu, core); /* not every machine tells */
    CPU_AND(core, core, given);
}

/* CORE becomes the one of this INDEX. How many there are, up to that one. */
static int find_core(const cpu_set_t *given, int index, cpu_set_t *core)
{
    cpu_set_t seen;
    int cores = 0;
    CPU_ZERO(&seen);
    for (int cpu = 0; cpu < CPU_SETSIZE && cores <= index; cpu++) {
        if (!CPU_ISSET((size_t)cpu, given) || CPU_ISSET((size_t)cpu, &seen))
            continue;
        core_of(cpu, given, core);
        CPU_OR(&seen, &seen, core);
        cores++;
    }
    return cores;
}

xmpi_status_t xmpi_cpus_bind(int index, xmpi_error_t *error)
{
    cpu_set_t given, core;
    if (!xmpi_cpus_given(&given))
        return xmpi_error_set(error, XMPI_ERR_INPUT, "cannot bind to a core: %s", strerror(errno));
    int cores = find_core(&given, index, &core);
    if (cores > 0 && cores <= index)
        find_core(&given, index % cores, &core);
    if (cores == 0 || sched_setaffinity(0, sizeof core, &core) != 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "cannot bind to a core: %s", strerror(errno));
    before = given;
    is_bound = true;
    return XMPI_OK;
}

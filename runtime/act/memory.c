/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that this process may still use. */
#define _GNU_SOURCE
#include "act/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int64_t least = (int64_t)64 << 20;

/* The number behind the first WORD at the begin of a line of a file ("": its first number);
 * FALLBACK when there is none. */
static int64_t read_number(const char *folder, const char *name, const char *word, int64_t fallback)
{
    char path[512], line[256];
    int64_t value = fallback, found;
    size_t length = strlen(word);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return fallback;
    while (value == fallback && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, word, length) == 0 && sscanf(line + length, "%" SCNd64, &found) == 1)
            value = found;
    fclose(file);
    return value;
}

int64_t xmpi_memory_left(const char *folder)
{
    int64_t most = read_number(folder, "memory.max", "", INT64_MAX);
    int64_t used = read_number(folder, "memory.current", "", 0) -
                   read_number(folder, "memory.stat", "inactive_file ", 0);
    if (most == INT64_MAX)
        return INT64_MAX;
    return most > used ? most - used : 0;
}

static int64_t sharing(int processes)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return processes < 1 ? 1 : cpus > 0 && processes > cpus ? cpus : processes;
}

int64_t xmpi_memory_limit(int processes)
{
    int64_t cgroup = xmpi_memory_left("/sys/fs/cgroup");
    int64_t machine = read_number("/proc", "meminfo", "MemAvailable:", INT64_MAX / 1024) * 1024;
    int64_t share = (cgroup < machine ? cgroup : machine) / 2 / sharing(processes);
    return share > least ? share : least;
}

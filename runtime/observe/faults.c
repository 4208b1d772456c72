/* SPDX-License-Identifier: BSD-3-Clause
 * Major page faults: getrusage, and the delays that /proc tells. */
#define _GNU_SOURCE
#include "observe/faults.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static bool by_others;

void xmpi_faults_read_by_others(bool others)
{
    by_others = others;
}

bool xmpi_faults_are_read_by_others(void)
{
    return by_others;
}

int64_t xmpi_faults_number(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_majflt : 0;
}

/* "NANOSECONDS_RUN NANOSECONDS_DELAYED SLICES"; the first are only up to the last tick. */
static double read_delayed(void)
{
    char text[128];
    unsigned long long ran, delayed = 0;
    int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return sscanf(text, "%llu %llu", &ran, &delayed) == 2 ? (double)delayed * 1e-9 : 0;
}

xmpi_faults_t xmpi_faults_read(void)
{
    struct rusage usage = {0};
    struct timespec cpu = {0};
    getrusage(RUSAGE_THREAD, &usage);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    return (xmpi_faults_t){.cpu = (double)cpu.tv_sec + (double)cpu.tv_nsec * 1e-9,
                           .delayed = read_delayed(),
                           .faults = usage.ru_majflt + (by_others ? usage.ru_minflt : 0),
                           .switches = usage.ru_nvcsw};
}

double xmpi_faults_seconds(double wall, const xmpi_faults_t *begin, const xmpi_faults_t *end)
{
    double waited = wall - (end->cpu - begin->cpu) - (end->delayed - begin->delayed);
    int64_t faults = end->faults - begin->faults, switches = end->switches - begin->switches;
    if (waited <= 0 || faults <= 0)
        return 0;
    return faults < switches ? waited * (double)faults / (double)switches : waited;
}

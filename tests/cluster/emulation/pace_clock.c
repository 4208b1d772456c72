/* SPDX-License-Identifier: BSD-3-Clause
 * Time of paced kernels. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pace_clock.h"
#include "pace_model.h"

static double more_cpu; /* modelled minus real CPU seconds of all kernels so far */
static long kernels;

static double real_cpu(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Adds a line with the units of a kernel to the file $EMU_UNITS.PID, where that is set: their sum
 * over all processes is what an ideal division shares out. */
static void note_units(double units)
{
    static FILE *file;
    const char *prefix = getenv("EMU_UNITS");
    char path[4096];
    if (prefix == NULL || *prefix == '\0')
        return;
    if (file == NULL) {
        snprintf(path, sizeof path, "%s.%ld", prefix, (long)getpid());
        file = fopen(path, "w");
    }
    if (file == NULL || fprintf(file, "%.17g\n", units) < 0) {
        fprintf(stderr, "pace: EMU_UNITS: %s: %s\n", prefix, strerror(errno));
        exit(2);
    }
}

/* In place of the C library's, for the program and its libraries. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    if (clock == CLOCK_PROCESS_CPUTIME_ID) {
        double seconds = real_cpu() + more_cpu;
        t->tv_sec = (time_t)seconds;
        t->tv_nsec = (long)(1e9 * (seconds - floor(seconds)));
        return 0;
    }
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    return next(clock, t);
}

static void sleep_until(struct timespec start, double seconds)
{
    double whole = floor(seconds);
    start.tv_sec += (time_t)whole;
    start.tv_nsec += (long)((seconds - whole) * 1e9);
    if (start.tv_nsec >= 1000000000) {
        start.tv_nsec -= 1000000000;
        start.tv_sec++;
    }
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &start, NULL) == EINTR)
        ;
}

/* Settings are read anew for every kernel, as nothing is kept. */
static pace_time_t time_or_exit(double units, long kernel)
{
    pace_why_t why;
    pace_time_t time;
    if (pace_time(units, kernel, &time, &why) == 0)
        return time;
    fprintf(stderr, "pace: %s\n", why.text);
    exit(2);
}

/* Before main, as mpiexec drops the last words of a program that gives up later. */
__attribute__((constructor)) static void check_settings(void)
{
    time_or_exit(1, 0);
}

pace_start_t pace_begin(void)
{
    pace_start_t start = {.cpu = real_cpu()};
    clock_gettime(CLOCK_MONOTONIC, &start.wall);
    return start;
}

void pace_end(pace_start_t start, double units)
{
    pace_time_t time = time_or_exit(units, kernels++);
    note_units(units);
    sleep_until(start.wall, time.wall);
    more_cpu += time.cpu - (real_cpu() - start.cpu);
}

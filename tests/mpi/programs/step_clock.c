/* SPDX-License-Identifier: BSD-3-Clause
 * To be loaded before a program: the real-time clock is set by as many seconds as the file
 * STEP_CLOCK says, as soon as it is there. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int result = (int)syscall(SYS_clock_gettime, clock, t), step = 0;
    const char *path = clock == CLOCK_REALTIME ? getenv("STEP_CLOCK") : NULL;
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    if (file != NULL && fscanf(file, "%d", &step) == 1)
        t->tv_sec += step;
    if (file != NULL)
        fclose(file);
    return result;
}

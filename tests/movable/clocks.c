/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks: none goes back, and those of time tell how much of it has gone by, as the date does. An
 * argument: iterations. */
// flags: -fopenmp -lm
#define _GNU_SOURCE
#include <math.h>
#include <omp.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include "point.h"

enum { OF_TIME = 5, CLOCKS = 10 }; /* those of time come first */

static double of_system(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double of_usage(int system)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    struct timeval t = system ? usage.ru_stime : usage.ru_utime;
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double tell(int which)
{
    switch (which) {
    case 0:
        return MPI_Wtime();
    case 1:
        return of_system(CLOCK_MONOTONIC);
    case 2:
        return of_system(CLOCK_MONOTONIC_RAW);
    case 3:
        return of_system(CLOCK_BOOTTIME);
    case 4:
        return omp_get_wtime();
    case 5:
        return of_system(CLOCK_MONOTONIC_COARSE);
    case 6:
        return of_system(CLOCK_PROCESS_CPUTIME_ID);
    case 7:
        return (double)clock();
    default:
        return of_usage(which == 9);
    }
}

static double last[CLOCKS], ahead[CLOCKS]; /* of the date, at the begin */

static int looks_back(int step, int which)
{
    double before = of_system(CLOCK_REALTIME), now = tell(which);
    double behind = of_system(CLOCK_REALTIME), allowed = 0.1;
    int back = step > 0 && now < last[which];
    last[which] = now;
    if (step == 0)
        ahead[which] = now - before;
    int jumps = now - behind > ahead[which] + allowed || now - before < ahead[which] - allowed;
    return back | (which < OF_TIME && jumps) << 1;
}

int main(int argc, char **argv)
{
    unsigned long wrong[CLOCKS] = {0};
    volatile double sum = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < atoi(argv[1]); step++) {
        XMPI_Point();
        for (int i = 0; i < CLOCKS; i++)
            wrong[i] |= (unsigned long)looks_back(step, i);
        for (int i = 0; i < 100000; i++)
            sum += sqrt(i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < CLOCKS; i++)
        say("clock", wrong[i]);
    MPI_Finalize();
    return 0;
}

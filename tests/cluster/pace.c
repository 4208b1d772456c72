/* SPDX-License-Identifier: BSD-3-Clause
 * Gives the sweep of the example the speed of an emulated node. Linked with -Wl,--wrap=sweep: each
 * sweep computes and then sleeps until its modelled time is over, before the program goes on. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../examples/jacobi/sweep.h"
#include "pace_model.h"

/* The names that the linker's --wrap gives to the program's function and to its stand-in. */
double __real_sweep(int n, int displ, int count, const double *A, const double *b, const double *x,
                    double *x_new);
double __wrap_sweep(int n, int displ, int count, const double *A, const double *b, const double *x,
                    double *x_new);

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

/* Seconds of one unit of work here. It is asked for anew in every sweep, as nothing is kept. */
static double unit_or_exit(void)
{
    pace_why_t why;
    double seconds;
    if (pace_unit(&seconds, &why) == 0)
        return seconds;
    fprintf(stderr, "pace: %s\n", why.text);
    exit(2);
}

/* Before main, as mpiexec drops the last words of a program that gives up later. */
__attribute__((constructor)) static void check_settings(void)
{
    unit_or_exit();
}

double __wrap_sweep(int n, int displ, int count, const double *A, const double *b, const double *x,
                    double *x_new)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    double change = __real_sweep(n, displ, count, A, b, x, x_new);
    sleep_until(start, (double)count * (double)n * unit_or_exit());
    return change;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Gives the sweep of the example the speed of an emulated node. Linked with -Wl,--wrap=sweep: each
 * sweep computes and then sleeps until its modelled time is over, before the program goes on. */
#include "../../examples/jacobi/sweep.h"
#include "pace_clock.h"

/* The names that the linker's --wrap gives to the program's function and to its stand-in. */
double __real_sweep(int n, int displ, int count, const double *A, const double *b, const double *x,
                    double *x_new);
double __wrap_sweep(int n, int displ, int count, const double *A, const double *b, const double *x,
                    double *x_new);

double __wrap_sweep(int n, int displ, int count, const double *A, const double *b, const double *x,
                    double *x_new)
{
    pace_start_t start = pace_begin();
    double change = __real_sweep(n, displ, count, A, b, x, x_new);
    pace_end(start, (double)count * (double)n);
    return change;
}

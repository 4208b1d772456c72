/* SPDX-License-Identifier: BSD-3-Clause
 * Gives the computation of synthetic.c (tests/bench/programs) the speed of an emulated node. Linked
 * with -Wl,--wrap=compute; a unit of work is a row. */
#include "pace_clock.h"

double __real_compute(int count, int width, int flops, double *row);
double __wrap_compute(int count, int width, int flops, double *row);

double __wrap_compute(int count, int width, int flops, double *row)
{
    pace_start_t start = pace_begin();
    double sum = __real_compute(count, width, flops, row);
    pace_end(start, count);
    return sum;
}

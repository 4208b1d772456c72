/* SPDX-License-Identifier: BSD-3-Clause
 * Gives the kernel of the example fish the speed of an emulated node. Linked with
 * -Wl,--wrap=forces; a unit of work is a pair that was looked at. */
#include "../../examples/fish/forces.h"
#include "pace_clock.h"

double __real_forces(int n, double side, const double *position, int displ, int count,
                     double *force);
double __wrap_forces(int n, double side, const double *position, int displ, int count,
                     double *force);

double __wrap_forces(int n, double side, const double *position, int displ, int count,
                     double *force)
{
    pace_start_t start = pace_begin();
    double pairs = __real_forces(n, side, position, displ, count, force);
    pace_end(start, pairs);
    return pairs;
}

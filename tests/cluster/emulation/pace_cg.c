/* SPDX-License-Identifier: BSD-3-Clause
 * Gives the product of the example cg the speed of an emulated node. Linked with
 * -Wl,--wrap=multiply; a nonzero is a unit of work. */
#include "../../examples/cg/multiply.h"
#include "pace_clock.h"

void __real_multiply(int count, const int64_t *ia, const int *ja, const double *a, const double *v,
                     double *z);
void __wrap_multiply(int count, const int64_t *ia, const int *ja, const double *a, const double *v,
                     double *z);

void __wrap_multiply(int count, const int64_t *ia, const int *ja, const double *a, const double *v,
                     double *z)
{
    pace_start_t start = pace_begin();
    __real_multiply(count, ia, ja, a, v, z);
    pace_end(start, (double)(ia[count] - ia[0]));
}

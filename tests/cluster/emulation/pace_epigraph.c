/* SPDX-License-Identifier: BSD-3-Clause
 * Gives the kernel of the example epigraph the speed of an emulated node. Linked with
 * -Wl,--wrap=spread; the units of work are those that the kernel counts. */
#include "../../examples/epigraph/spread.h"
#include "pace_clock.h"

double __real_spread(const struct model *model, int step, const struct region *region, int regions,
                     const double *distancing, const struct block *block,
                     struct exposures *exposures);
double __wrap_spread(const struct model *model, int step, const struct region *region, int regions,
                     const double *distancing, const struct block *block,
                     struct exposures *exposures);

double __wrap_spread(const struct model *model, int step, const struct region *region, int regions,
                     const double *distancing, const struct block *block,
                     struct exposures *exposures)
{
    pace_start_t start = pace_begin();
    double work = __real_spread(model, step, region, regions, distancing, block, exposures);
    pace_end(start, work);
    return work;
}

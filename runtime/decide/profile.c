/* SPDX-License-Identifier: BSD-3-Clause
 * Profile: the work of an irregular program by iteration. */
#include "decide/profile.h"

/* Work from the begin of the loop to ITERATION. */
static double work_until(const xmpi_profile_t *profile, int64_t iteration)
{
    const xmpi_profile_point_t *point = profile->point;
    int low = 0, high = profile->points - 1; /* the last segment also serves what lies behind it */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (point[middle].iteration >= iteration)
            high = middle;
        else
            low = middle + 1;
    }
    xmpi_profile_point_t begin = low > 0 ? point[low - 1] : (xmpi_profile_point_t){0, 0};
    double iterations = (double)(point[low].iteration - begin.iteration);
    if (iterations <= 0)
        return begin.work;
    return begin.work +
           (point[low].work - begin.work) * (double)(iteration - begin.iteration) / iterations;
}

double xmpi_profile_work(const xmpi_profile_t *profile, int64_t from, int64_t to)
{
    return profile->points > 0 ? work_until(profile, to) - work_until(profile, from) : 0;
}

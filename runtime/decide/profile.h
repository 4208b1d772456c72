/* SPDX-License-Identifier: BSD-3-Clause
 * Profile: the work of an irregular program by iteration, as an earlier run recorded it (thesis
 * §5.3.1). */
#ifndef XMPI_DECIDE_PROFILE_H
#define XMPI_DECIDE_PROFILE_H

#include <stdint.h>

/* Between two points work goes on evenly, beyond the last one as before it. */
typedef struct {
    int64_t iteration; /* rising */
    double work;       /* from the begin of the loop to this iteration, all members; never falls */
} xmpi_profile_point_t;

typedef struct {
    int points;
    xmpi_profile_point_t *point; /* malloc */
} xmpi_profile_t;

/* Work from iteration FROM to iteration TO. */
double xmpi_profile_work(const xmpi_profile_t *profile, int64_t from, int64_t to);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Weighing: the use of what is learnt of rows that nobody has weighed. */
#ifndef XMPI_DECIDE_LEADER_WEIGH_H
#define XMPI_DECIDE_LEADER_WEIGH_H

#include "decide/density/density.h"
#include "decide/model/history.h"

/* What rows weigh; both are NULL where they are alike, as far as is known. */
typedef struct {
    double *prefix;         /* malloc: domain + 1 sums of their weights */
    xmpi_sample_t *samples; /* malloc: the samples, with the work of such rows */
} xmpi_weighed_t;

/* Weighs the rows by DENSITY, which has taken in an interval of LAYOUT's members, where they are
 * found to differ. The speeds of HISTORY's members, which were of other work, begin anew then.
 * Without memory rows stay alike. */
xmpi_weighed_t xmpi_weigh(const xmpi_density_t *density, xmpi_history_t *history,
                          const xmpi_layout_t *layout, const xmpi_sample_t *samples);

/* What rows of the DOMAIN weigh as an earlier run has learnt it, malloc, in rows of mean weight;
 * NULL: the PROFILE does not say, is of something else than HERE, or there is no memory. */
double *xmpi_weigh_by_profile(const xmpi_profile_t *profile, const xmpi_profile_origin_t *here,
                              int64_t domain);

void xmpi_weighed_free(xmpi_weighed_t *weighed);

#endif

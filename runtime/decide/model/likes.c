/* SPDX-License-Identifier: BSD-3-Clause
 * Likes: what is to be expected of one more of a kind. */
#include "decide/model/likes.h"

#include <math.h>

static const double error_of_one = 0.05;

void xmpi_likes_add(xmpi_likes_t *likes, double value)
{
    double before = value - likes->mean;
    likes->mean += before / ++likes->n;
    likes->squares += before * (value - likes->mean);
}

double xmpi_likes_error(const xmpi_likes_t *likes)
{
    if (likes->n < 2)
        return error_of_one;
    double variance = likes->squares / (likes->n - 1) * (1 + 1.0 / likes->n);
    return fmax(error_of_one, sqrt(variance) / likes->mean);
}

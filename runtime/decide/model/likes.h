/* SPDX-License-Identifier: BSD-3-Clause
 * Likes: what is to be expected of one more of a kind, by those that were seen. */
#ifndef XMPI_DECIDE_MODEL_LIKES_H
#define XMPI_DECIDE_MODEL_LIKES_H

/* All 0: none was seen. */
typedef struct {
    int n;
    double mean, squares; /* squares of differences from the mean (Welford 1962) */
} xmpi_likes_t;

void xmpi_likes_add(xmpi_likes_t *likes, double value);

/* Relative error of one more for which the mean is taken; as far as machines of one class usually
 * differ, at least. */
double xmpi_likes_error(const xmpi_likes_t *likes);

#endif

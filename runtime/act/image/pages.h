/* SPDX-License-Identifier: BSD-3-Clause
 * The pages of an image that comes. */
#ifndef XMPI_ACT_IMAGE_PAGES_H
#define XMPI_ACT_IMAGE_PAGES_H

#include "act/image/touched.h"

/* Makes the large pages within PLACE that SPANS, in order, cover but for a sixteenth at most, where
 * there is no memory yet: the kernel makes one in a tenth of the time of the small ones in its
 * place, which is more than it takes to copy what they are to hold. What is not covered of them is
 * zeros, and counts as touched from then on; the program gets small pages as before where it
 * touches something else. Where the kernel has no large pages they are small ones. */
void xmpi_image_pages_make(const xmpi_span_t *place, const xmpi_spans_t *spans);

/* What has come ahead, HAD, and is not in use any more, in KEPT, which are in order, is zeros, as
 * in a program that has not had it. HAD is sorted, and has each place once. */
void xmpi_image_pages_drop(xmpi_spans_t *had, const xmpi_spans_t *kept);

#endif

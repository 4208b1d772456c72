/* SPDX-License-Identifier: BSD-3-Clause
 * Touched pages: of what a program has, only that need be sent which was ever written. */
#ifndef XMPI_ACT_IMAGE_TOUCHED_H
#define XMPI_ACT_IMAGE_TOUCHED_H

#include "act/image/image.h"
#include "base/status.h"

/* A list that grows. */
typedef struct {
    xmpi_span_t *span; /* malloc */
    int64_t n, room;
    xmpi_status_t status;
} xmpi_spans_t;

void xmpi_spans_add(xmpi_spans_t *spans, uintptr_t from, uintptr_t to);

/* Adds those pages of SPAN that have content; all of it where the system does not tell. */
void xmpi_spans_add_touched(xmpi_spans_t *spans, const xmpi_span_t *span);

#endif

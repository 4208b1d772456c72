/* SPDX-License-Identifier: BSD-3-Clause
 * Touched pages: of what a program has, only that need be sent which was ever written; and, while
 * writes are followed, what has been written since. */
#ifndef XMPI_ACT_IMAGE_TOUCHED_H
#define XMPI_ACT_IMAGE_TOUCHED_H

#include "act/image/image.h"
#include "base/status.h"

/* A list that grows, of places in order. */
typedef struct {
    xmpi_span_t *span; /* malloc */
    int64_t n, room;
    xmpi_status_t status;
} xmpi_spans_t;

void xmpi_spans_add(xmpi_spans_t *spans, uintptr_t from, uintptr_t to);
void xmpi_spans_free(xmpi_spans_t *spans);
int64_t xmpi_spans_bytes(const xmpi_spans_t *spans);

/* Adds those pages of SPAN that have content, but for those that were only read; all of it where
 * the system does not tell. */
void xmpi_spans_add_touched(xmpi_spans_t *spans, const xmpi_span_t *span);

typedef enum {
    XMPI_TOUCHED,      /* as above: 0.9 ms for a GiB */
    XMPI_WRITTEN,      /* of them, since the writes are followed (act/image/follow.h): 0.7 ms */
    XMPI_WRITTEN_ANEW, /* the same, and from here on they are followed anew */
    XMPI_MARKED,       /* as XMPI_WRITTEN, by the marks of pages: some 10 ms */
} xmpi_look_t;

/* Adds those pages of SPAN, all of which is mapped. False where the system does not tell: what was
 * added is not all. */
bool xmpi_spans_look(const xmpi_span_t *span, xmpi_look_t what, xmpi_spans_t *spans);

/* Whether PAGE was written since all marks were cleared (act/image/follow.c). */
bool xmpi_page_is_marked(const void *page);

#endif

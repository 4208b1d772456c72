/* SPDX-License-Identifier: BSD-3-Clause
 * Touched pages (Linux: /proc/self/pagemap). */
#define _GNU_SOURCE
#include "act/image/touched.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { PAGE = 4096, AT_ONCE = 4096 };

/* A page is in memory, or was put aside. */
static const uint64_t has_content = (uint64_t)3 << 62;

void xmpi_spans_add(xmpi_spans_t *spans, uintptr_t from, uintptr_t to)
{
    if (spans->n > 0 && spans->span[spans->n - 1].to == from) {
        spans->span[spans->n - 1].to = to;
        return;
    }
    if (spans->n == spans->room) {
        int64_t room = spans->room > 0 ? 2 * spans->room : 256;
        xmpi_span_t *grown = realloc(spans->span, (size_t)room * sizeof *grown);
        if (grown == NULL) {
            spans->status = XMPI_ERR_MEMORY;
            return;
        }
        spans->span = grown;
        spans->room = room;
    }
    spans->span[spans->n++] = (xmpi_span_t){from, to};
}

static uintptr_t least(uintptr_t a, uintptr_t b)
{
    return a < b ? a : b;
}

void xmpi_spans_add_touched(xmpi_spans_t *spans, const xmpi_span_t *span)
{
    uint64_t entry[AT_ONCE];
    int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (uintptr_t at = span->from; at < span->to;) {
        uintptr_t first = at / PAGE;
        ssize_t got =
            map < 0 ? -1 : pread(map, entry, sizeof entry, (off_t)(first * sizeof *entry));
        if (got < (ssize_t)sizeof *entry) {
            xmpi_spans_add(spans, at, span->to);
            break;
        }
        for (size_t i = 0; i < (size_t)got / sizeof *entry && at < span->to; i++) {
            uintptr_t end = least((first + i + 1) * PAGE, span->to);
            if ((entry[i] & has_content) != 0)
                xmpi_spans_add(spans, at, end);
            at = end;
        }
    }
    if (map >= 0)
        close(map);
}

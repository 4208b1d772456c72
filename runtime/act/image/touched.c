/* SPDX-License-Identifier: BSD-3-Clause
 * Touched pages (Linux: /proc/self/pagemap; its ioctl PAGEMAP_SCAN since 6.7). */
#define _GNU_SOURCE
#include "act/image/touched.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PAGE = 4096, AT_ONCE = 4096, REGIONS = 512 };

/* Of a page, in the map: it is in memory, or was put aside; nobody else has it, which the page of
 * zeros that reading maps is not; it was written since the marks were cleared. */
static const uint64_t has_content = (uint64_t)3 << 62, is_own = (uint64_t)1 << 56,
                      is_marked = (uint64_t)1 << 55;

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

void xmpi_spans_free(xmpi_spans_t *spans)
{
    free(spans->span);
    *spans = (xmpi_spans_t){.status = XMPI_OK};
}

int64_t xmpi_spans_bytes(const xmpi_spans_t *spans)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < spans->n; i++)
        bytes += (int64_t)(spans->span[i].to - spans->span[i].from);
    return bytes;
}

static uintptr_t least(uintptr_t a, uintptr_t b)
{
    return a < b ? a : b;
}

static uintptr_t most(uintptr_t a, uintptr_t b)
{
    return a > b ? a : b;
}

static int open_map(void)
{
    return open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
}

/* --- by regions ---------------------------------------------------------------------------------
 * As <linux/fs.h> of 6.7 has it; older headers do not. */

typedef struct {
    uint64_t start, end, categories;
} region_t;

typedef struct {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
    uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
} look_t;

#define LOOK _IOWR('f', 16, look_t)
enum { FOLLOW_ANEW = 1 };
enum { WRITTEN = 2, PRESENT = 8, ASIDE = 16, ZEROS = 32 };

static void add_within(const xmpi_span_t *span, uintptr_t from, uintptr_t to, xmpi_spans_t *spans)
{
    from = most(from, span->from);
    to = least(to, span->to);
    if (from < to)
        xmpi_spans_add(spans, from, to);
}

static void take_regions(const region_t *region, long n, const xmpi_span_t *span,
                         xmpi_spans_t *spans)
{
    for (long i = 0; i < n; i++)
        if ((region[i].categories & ZEROS) == 0)
            add_within(span, region[i].start, region[i].end, spans);
}

static look_t look_between(uintptr_t from, uintptr_t to)
{
    return (look_t){
        .size = sizeof(look_t), .start = from / PAGE * PAGE, .end = (to + PAGE - 1) / PAGE * PAGE};
}

static look_t look_for(uintptr_t from, uintptr_t to, xmpi_look_t what)
{
    look_t look = look_between(from, to);
    look.flags = what == XMPI_WRITTEN_ANEW ? FOLLOW_ANEW : 0;
    look.category_mask = WRITTEN;
    look.category_anyof_mask = PRESENT | ASIDE;
    look.return_mask = ZEROS;
    return look;
}

/* Adds what LOOK asks for. */
static bool look_at(int map, look_t look, const xmpi_span_t *span, xmpi_spans_t *spans)
{
    region_t region[REGIONS];
    long n = 0;
    look.vec = (uintptr_t)region;
    look.vec_len = REGIONS;
    while (n >= 0 && look.start < look.end) {
        n = ioctl(map, LOOK, &look);
        take_regions(region, n, span, spans);
        look.start = look.walk_end;
    }
    return n >= 0;
}

/* The kernel notes each page that it is asked for, and a program has touched most of its own: it is
 * four times as fast where it is asked for those without content, which are neither in memory nor
 * put aside, or zeros. What is between them was touched. */
static bool look_for_touched(int map, const xmpi_span_t *span, xmpi_spans_t *spans)
{
    region_t region[REGIONS];
    look_t look = look_between(span->from, span->to);
    uintptr_t at = look.start;
    look.vec = (uintptr_t)region;
    look.vec_len = REGIONS;
    look.category_inverted = PRESENT | ASIDE;
    look.category_mask = ASIDE;
    look.category_anyof_mask = PRESENT | ZEROS;
    look.return_mask = PRESENT;
    while (look.start < look.end) {
        long n = ioctl(map, LOOK, &look);
        if (n < 0)
            return false;
        for (long i = 0; i < n; i++) {
            add_within(span, at, region[i].start, spans);
            at = region[i].end;
        }
        add_within(span, at, look.walk_end, spans);
        at = look.start = look.walk_end;
    }
    return true;
}

/* The kernel is three times as fast where it is asked for nothing but what is not followed any
 * more, which may be places without a page, too: where there is such, it is asked again, in one
 * piece where it is in many. */
static bool look_for_written(int map, const xmpi_span_t *span, xmpi_spans_t *spans)
{
    enum { FEW = 32 };
    region_t region[REGIONS];
    look_t rough = look_between(span->from, span->to);
    rough.category_mask = WRITTEN;
    rough.return_mask = WRITTEN;
    rough.vec = (uintptr_t)region;
    rough.vec_len = REGIONS;
    bool told = true;
    while (told && rough.start < rough.end) {
        long n = ioctl(map, LOOK, &rough);
        told = n >= 0;
        if (n > FEW) {
            region[0].end = region[n - 1].end;
            n = 1;
        }
        for (long i = 0; i < n && told; i++)
            told =
                look_at(map, look_for(region[i].start, region[i].end, XMPI_WRITTEN), span, spans);
        rough.start = rough.walk_end;
    }
    return told;
}

/* --- page by page -------------------------------------------------------------------------------
 */

typedef bool (*counts_t)(uint64_t entry);

static bool is_touched(uint64_t entry)
{
    return (entry & has_content) != 0;
}

/* What has become zeros since, and was only read then, is not marked. */
static bool is_written(uint64_t entry)
{
    return is_touched(entry) && ((entry & is_marked) != 0 || (entry & is_own) == 0);
}

/* Adds the pages of SPAN that count. False where the map cannot be read any more, AT which place.
 */
static bool look_at_pages(int map, const xmpi_span_t *span, counts_t counts, xmpi_spans_t *spans,
                          uintptr_t *at)
{
    uint64_t entry[AT_ONCE];
    for (*at = span->from; *at < span->to;) {
        uintptr_t first = *at / PAGE, pages = (span->to + PAGE - 1) / PAGE - first;
        size_t wanted = least(pages, AT_ONCE) * sizeof *entry;
        ssize_t got = map < 0 ? -1 : pread(map, entry, wanted, (off_t)(first * sizeof *entry));
        if (got < (ssize_t)sizeof *entry)
            return false;
        for (size_t i = 0; i < (size_t)got / sizeof *entry && *at < span->to; i++) {
            uintptr_t end = least((first + i + 1) * PAGE, span->to);
            if (counts(entry[i]))
                xmpi_spans_add(spans, *at, end);
            *at = end;
        }
    }
    return true;
}

static void look_by_page(xmpi_spans_t *spans, const xmpi_span_t *span)
{
    uintptr_t at;
    int map = open_map();
    if (!look_at_pages(map, span, is_touched, spans, &at))
        xmpi_spans_add(spans, at, span->to);
    if (map >= 0)
        close(map);
}

bool xmpi_page_is_marked(const void *page)
{
    uint64_t entry = 0;
    int map = open_map();
    off_t at = (off_t)((uintptr_t)page / PAGE * sizeof entry);
    bool told = map >= 0 && pread(map, &entry, sizeof entry, at) == (ssize_t)sizeof entry;
    if (map >= 0)
        close(map);
    return told && (entry & is_marked) != 0;
}

/* --- either way ---------------------------------------------------------------------------------
 */

static bool look(int map, const xmpi_span_t *span, xmpi_look_t what, xmpi_spans_t *spans)
{
    uintptr_t at;
    if (what == XMPI_MARKED)
        return look_at_pages(map, span, is_written, spans, &at);
    if (what == XMPI_TOUCHED)
        return look_for_touched(map, span, spans);
    return what == XMPI_WRITTEN ? look_for_written(map, span, spans)
                                : look_at(map, look_for(span->from, span->to, what), span, spans);
}

bool xmpi_spans_look(const xmpi_span_t *span, xmpi_look_t what, xmpi_spans_t *spans)
{
    int map = open_map();
    bool told = map >= 0 && look(map, span, what, spans);
    if (map >= 0)
        close(map);
    return told;
}

void xmpi_spans_add_touched(xmpi_spans_t *spans, const xmpi_span_t *span)
{
    if (!xmpi_spans_look(span, XMPI_TOUCHED, spans))
        look_by_page(spans, span);
}

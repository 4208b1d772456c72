/* SPDX-License-Identifier: BSD-3-Clause
 * The pages of an image that comes. */
#define _GNU_SOURCE
#include "act/image/pages.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/moving/storage/pages.h"

/* --- large ones ----------------------------------------------------------------------------------
 */

/* Bytes of a large page, and what may be left of it. (Arrays of a program end within a page, and
 * the heap begins the next one a little behind: without that hardly a large page is covered.) */
enum { LARGE = 2 << 20, LEFT = LARGE / 16 };

/* Whether there are large pages where one asks for them, and nowhere else. Where they are
 * everywhere nobody has to ask, and where they are nowhere nobody is heard. */
static bool are_asked_for(void)
{
    char text[64] = "";
    int fd = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    return n > 0 && strstr(text, "[madvise]") != NULL;
}

/* Pages one after another that are to be made, and bytes covered of the one at TO, which may follow
 * them. */
typedef struct {
    uintptr_t from, to;
    size_t covered;
} run_t;

static void make(run_t *run)
{
    if (run->from < run->to)
        xmpi_pages_populate((char *)run->from, run->to - run->from);
    run->from = run->to;
}

/* No more is covered of the page at TO; what comes is of the page AT. */
static void go_to(run_t *run, uintptr_t at)
{
    if (run->covered >= LARGE - LEFT)
        run->to += LARGE;
    if (run->to != at)
        make(run);
    if (run->to != at)
        run->from = run->to = at;
    run->covered = 0;
}

static void cover(run_t *run, const xmpi_span_t *span)
{
    for (uintptr_t from = span->from; from < span->to;) {
        uintptr_t page = from / LARGE * LARGE, end = page + LARGE;
        if (page != run->to)
            go_to(run, page);
        end = end < span->to ? end : span->to;
        run->covered += end - from;
        from = end;
    }
}

static void make_all(const xmpi_span_t *place, const xmpi_spans_t *spans)
{
    run_t run = {0};
    for (int64_t i = 0; i < spans->n; i++)
        if (spans->span[i].from >= place->from && spans->span[i].to <= place->to)
            cover(&run, &spans->span[i]);
    go_to(&run, 0);
}

/* The whole place is asked for and given up again: a part of it would be a mapping of its own from
 * then on, and what the program touches later would take a large page for a few bytes. */
void xmpi_image_pages_make(const xmpi_span_t *place, const xmpi_spans_t *spans)
{
    if (xmpi_spans_bytes(spans) < LARGE - LEFT)
        return;
    bool ask = are_asked_for();
    if (ask)
        madvise((void *)place->from, place->to - place->from, MADV_HUGEPAGE);
    make_all(place, spans);
    if (ask)
        madvise((void *)place->from, place->to - place->from, MADV_NOHUGEPAGE);
}

/* --- those that are not needed -------------------------------------------------------------------
 */

enum { PAGE = 4096 };

static int by_place(const void *a, const void *b)
{
    const xmpi_span_t *one = a, *other = b;
    return one->from < other->from ? -1 : one->from > other->from;
}

/* Each place once, in order. */
static void sort(xmpi_spans_t *spans)
{
    int64_t n = 0;
    qsort(spans->span, (size_t)spans->n, sizeof *spans->span, by_place);
    for (int64_t i = 0; i < spans->n; i++) {
        xmpi_span_t *last = n > 0 ? &spans->span[n - 1] : NULL;
        if (last == NULL || spans->span[i].from > last->to)
            spans->span[n++] = spans->span[i];
        else if (spans->span[i].to > last->to)
            last->to = spans->span[i].to;
    }
    spans->n = n;
}

void xmpi_image_pages_drop(xmpi_spans_t *had, const xmpi_spans_t *kept)
{
    int64_t k = 0;
    sort(had);
    for (int64_t i = 0; i < had->n; i++) {
        uintptr_t at = had->span[i].from / PAGE * PAGE, to = had->span[i].to;
        while (at < to) {
            while (k < kept->n && kept->span[k].to <= at)
                k++;
            uintptr_t next = k < kept->n ? kept->span[k].from / PAGE * PAGE : to;
            if (next > at)
                madvise((void *)at, ((next < to ? next : to) - at + PAGE - 1) / PAGE * PAGE,
                        MADV_DONTNEED);
            at = k < kept->n ? (kept->span[k].to + PAGE - 1) / PAGE * PAGE : to;
        }
    }
}

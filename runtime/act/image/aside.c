/* SPDX-License-Identifier: BSD-3-Clause
 * Putting a program aside. */
#define _GNU_SOURCE
#include "act/image/aside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "act/image/touched.h"

enum { PAGE = 4096, LEAST_TO_MOVE = 1 << 16, MOST_SPANS = 1 << 16 };

static uintptr_t page_below(uintptr_t at)
{
    return at & ~(uintptr_t)(PAGE - 1);
}

static uintptr_t page_above(uintptr_t at)
{
    return page_below(at + PAGE - 1);
}

/* --- the first values ---------------------------------------------------------------------------
 */

/* What the file of the program has is noted as a whole; of what begins with zeros, what was
 * written. */
static void add(const xmpi_restart_t *restart, const xmpi_span_t *span, xmpi_spans_t *noted)
{
    uintptr_t middle = restart->data_end;
    xmpi_span_t rest = *span;
    if (span->from < middle)
        xmpi_spans_add(noted, span->from, span->to < middle ? span->to : middle);
    if (span->from < middle)
        rest.from = middle;
    if (rest.from < rest.to)
        xmpi_spans_add_touched(noted, &rest);
}

xmpi_status_t xmpi_first_note(const xmpi_image_t *image, const xmpi_restart_t *restart,
                              xmpi_first_t *first)
{
    size_t bytes = 0;
    xmpi_spans_t noted = {.status = XMPI_OK};
    xmpi_span_t *all = malloc(MOST_SPANS * sizeof *all);
    size_t n = all == NULL ? 0 : image->spans(all, MOST_SPANS);
    for (size_t i = 0; i < n; i++)
        add(restart, &all[i], &noted);
    free(all);
    for (int64_t i = 0; i < noted.n; i++)
        bytes += noted.span[i].to - noted.span[i].from;
    char *copy = malloc(bytes + 1);
    if (n == 0 || n == MOST_SPANS || noted.status != XMPI_OK || copy == NULL) {
        free(noted.span);
        free(copy);
        return XMPI_ERR_MEMORY;
    }
    *first = (xmpi_first_t){.span = noted.span, .spans = noted.n, .bytes = copy};
    for (int64_t i = 0; i < noted.n; i++) {
        size_t size = noted.span[i].to - noted.span[i].from;
        memcpy(copy, (const void *)noted.span[i].from, size);
        copy += size;
    }
    return XMPI_OK;
}

void xmpi_first_restore(const xmpi_first_t *first)
{
    const char *from = first->bytes;
    for (int64_t i = 0; i < first->spans; i++) {
        size_t size = first->span[i].to - first->span[i].from;
        memcpy((void *)first->span[i].from, from, size);
        from += size;
    }
}

/* --- aside and back -----------------------------------------------------------------------------
 */

/* Room for SPAN, in pages that begin where its own do. */
static bool make_part(const xmpi_span_t *span, uintptr_t data_end, xmpi_aside_part_t *part)
{
    uintptr_t begin = page_below(span->from), end = page_above(span->to);
    uintptr_t from = page_above(span->from > data_end ? span->from : data_end);
    uintptr_t to = page_below(span->to);
    *part = (xmpi_aside_part_t){.place = *span, .bytes = end - begin};
    part->mapped = mmap(NULL, part->bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (part->mapped == MAP_FAILED)
        return false;
    part->kept = part->mapped + (span->from - begin);
    if (to > from && to - from >= LEAST_TO_MOVE) {
        part->from = from;
        part->to = to;
    } else {
        part->from = part->to = page_above(span->from);
    }
    return true;
}

/* Pages leave zeros behind. (Kernels before 5.7 cannot leave the place as it is.) */
static bool move_pages(uintptr_t from, char *to, size_t size)
{
#ifdef MREMAP_DONTUNMAP
    if (mremap((void *)from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) ==
        (void *)to)
        return true;
#endif
    if (mremap((void *)from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) != (void *)to)
        return false;
    return mmap((void *)from, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == (void *)from;
}

static char *kept_at(const xmpi_aside_part_t *part, uintptr_t address)
{
    return part->kept + (address - part->place.from);
}

/* Copies what lies in the place from FROM to TO. */
static void copy_out(const xmpi_aside_part_t *part, uintptr_t from, uintptr_t to)
{
    if (to <= from)
        return;
    memcpy(kept_at(part, from), (const void *)from, to - from);
    memset((void *)from, 0, to - from);
}

static void put_part(xmpi_aside_part_t *part)
{
    size_t size = part->to - part->from;
    if (size > 0 && !move_pages(part->from, kept_at(part, part->from), size)) {
        memcpy(kept_at(part, part->from), (const void *)part->from, size);
        madvise((void *)part->from, size, MADV_DONTNEED);
    }
    if (size == 0) {
        copy_out(part, part->place.from, part->place.to);
        return;
    }
    copy_out(part, part->place.from, part->from);
    copy_out(part, part->to, part->place.to);
}

xmpi_status_t xmpi_aside_put(const xmpi_restart_t *restart, xmpi_aside_t *aside)
{
    xmpi_span_t span[XMPI_ASIDE_PARTS];
    size_t n = restart->regions(span, XMPI_ASIDE_PARTS), made = 0;
    while (made < n && n < XMPI_ASIDE_PARTS &&
           make_part(&span[made], restart->data_end, &aside->part[made]))
        made++;
    aside->parts = (int)made;
    if (made < n) {
        xmpi_aside_free(aside);
        return XMPI_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        put_part(&aside->part[i]);
    return XMPI_OK;
}

void *xmpi_aside_find(const xmpi_aside_t *aside, const void *address)
{
    for (int i = 0; i < aside->parts; i++) {
        const xmpi_aside_part_t *part = &aside->part[i];
        if ((uintptr_t)address >= part->place.from && (uintptr_t)address < part->place.to)
            return kept_at(part, (uintptr_t)address);
    }
    return NULL;
}

static void copy_back(const xmpi_aside_part_t *part, uintptr_t from, uintptr_t to)
{
    if (to > from)
        memcpy((void *)from, kept_at(part, from), to - from);
}

static void put_back(const xmpi_aside_part_t *part)
{
    size_t size = part->to - part->from;
    if (size == 0) {
        copy_back(part, part->place.from, part->place.to);
        return;
    }
    copy_back(part, part->place.from, part->from);
    copy_back(part, part->to, part->place.to);
    char *kept = kept_at(part, part->from);
    if (mremap(kept, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, part->from) != (void *)part->from)
        memcpy((void *)part->from, kept, size);
}

void xmpi_aside_back(const xmpi_image_t *image, xmpi_aside_t *aside)
{
    image->clear();
    for (int i = 0; i < aside->parts; i++)
        put_back(&aside->part[i]);
    xmpi_aside_free(aside);
}

void xmpi_aside_free(xmpi_aside_t *aside)
{
    for (int i = 0; i < aside->parts; i++)
        munmap(aside->part[i].mapped, aside->part[i].bytes);
    aside->parts = 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Whole pages of memory: moving them without a copy, and giving them back. */
#define _GNU_SOURCE
#include "act/pages.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4 /* Linux 5.7; older ones refuse it, and the bytes are copied */
#endif

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14; older ones refuse it, and pages come when touched */
#endif

/* Less is not worth a change of mappings. */
static const size_t worthwhile = (size_t)1 << 20;

/* A move of pages works within one mapping only; the slice across two of them is copied. */
static const size_t slice_bytes = (size_t)16 << 20;

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Bytes from AT to the next page. */
static size_t to_page(const char *at, size_t page)
{
    return (page - (uintptr_t)at % page) % page;
}

/* The old mapping stays, with empty pages: it belongs to the allocator. */
static void move_slice(char *to, char *from, size_t size)
{
    if (mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) ==
        MAP_FAILED)
        memcpy(to, from, size);
}

bool xmpi_pages_movable(const char *to, const char *from, size_t size)
{
    return size >= worthwhile && ((uintptr_t)to - (uintptr_t)from) % page_size() == 0;
}

void xmpi_pages_move(char *to, char *from, size_t size)
{
    size_t page = page_size(), head = to_page(from, page);
    if (!xmpi_pages_movable(to, from, size)) {
        memcpy(to, from, size);
        return;
    }
    size_t end = head + (size - head) / page * page;
    memcpy(to, from, head);
    for (size_t at = head; at < end; at += slice_bytes)
        move_slice(to + at, from + at, end - at < slice_bytes ? end - at : slice_bytes);
    memcpy(to + end, from + end, size - end);
}

void xmpi_pages_release(char *from, size_t size)
{
    size_t page = page_size(), head = to_page(from, page);
    if (size >= head + page)
        madvise(from + head, (size - head) / page * page, MADV_DONTNEED);
}

void xmpi_pages_populate(char *at, size_t size)
{
    size_t page = page_size(), head = to_page(at, page);
    if (size >= head + page)
        madvise(at + head, (size - head) / page * page, MADV_POPULATE_WRITE);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Whole pages of memory: moving them without a copy, and giving them back. */
#define _GNU_SOURCE
#include "act/moving/storage/pages.h"

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

/* A move of pages works within one mapping only, and makes one more. What lies in several is halved
 * until it is not, down to this, or to a part of the whole, as there cannot be many mappings. */
static const size_t least_slice = (size_t)1 << 20;
enum { SLICES_MAX = 2048 };

/* Of bytes that have to be copied, what is copied at a time: within the cache, if there are not too
 * many parts. */
static const size_t copied_part = (size_t)4 << 20;
enum { COPIED_PARTS_MAX = 256 };

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Bytes from AT to the next page. */
static size_t to_page(const char *at, size_t page)
{
    return (page - (uintptr_t)at % page) % page;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t whole_pages(size_t size)
{
    return (size + page_size() - 1) / page_size() * page_size();
}

/* The old mapping stays, with empty pages: it belongs to the allocator. */
static bool remap(char *to, char *from, size_t size)
{
    return mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) !=
           MAP_FAILED;
}

/* Moves whole pages, in parts that are within one mapping; what is not, down to LEAST bytes, is
 * copied if KEEP. */
static void move_slice(char *to, char *from, size_t size, size_t least, bool keep)
{
    if (remap(to, from, size))
        return;
    if (size > least) {
        size_t half = whole_pages(size / 2);
        move_slice(to, from, half, least, keep);
        move_slice(to + half, from + half, size - half, least, keep);
    } else if (keep) {
        memcpy(to, from, size);
    } else {
        madvise(from, size, MADV_DONTNEED);
    }
}

static void move_whole_pages(char *to, char *from, size_t size, bool keep)
{
    if (size > 0)
        move_slice(to, from, size, larger(least_slice, whole_pages(size / SLICES_MAX)), keep);
}

bool xmpi_pages_worth(int64_t size)
{
    return size >= (int64_t)worthwhile;
}

bool xmpi_pages_movable(const char *to, const char *from, size_t size)
{
    return size >= worthwhile && ((uintptr_t)to - (uintptr_t)from) % page_size() == 0;
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

void xmpi_pages_give(xmpi_pages_pool_t *pool, char *from, size_t size)
{
    size_t page = page_size(), head = to_page(from, page);
    if (size < worthwhile || pool->ranges == XMPI_PAGES_RANGES) {
        xmpi_pages_release(from, size);
        return;
    }
    pool->range[pool->ranges].at = from + head;
    pool->range[pool->ranges++].size = (size - head) / page * page;
}

void xmpi_pages_take(xmpi_pages_pool_t *pool, char *to, size_t size)
{
    size_t page = page_size(), head = to_page(to, page);
    if (size < worthwhile)
        return;
    char *at = to + head;
    size_t left = (size - head) / page * page;
    while (left > 0 && pool->ranges > 0) {
        size_t there = pool->range[pool->ranges - 1].size, n = left < there ? left : there;
        move_whole_pages(at, pool->range[pool->ranges - 1].at, n, false);
        pool->range[pool->ranges - 1].at += n;
        pool->range[pool->ranges - 1].size -= n;
        if (pool->range[pool->ranges - 1].size == 0)
            pool->ranges--;
        at += n;
        left -= n;
    }
}

void xmpi_pages_drop(xmpi_pages_pool_t *pool)
{
    for (int i = 0; i < pool->ranges; i++)
        xmpi_pages_release(pool->range[i].at, pool->range[i].size);
    pool->ranges = 0;
}

static void move_alike(char *to, char *from, size_t size)
{
    size_t page = page_size(), head = to_page(from, page);
    size_t end = head + (size - head) / page * page;
    memcpy(to, from, head);
    move_whole_pages(to + head, from + head, end - head, true);
    memcpy(to + end, from + end, size - end);
}

/* Pages of a part that was copied serve the next part. */
static void move_copies(char *to, char *from, size_t size)
{
    size_t part = larger(copied_part, size / COPIED_PARTS_MAX);
    xmpi_pages_pool_t pool = {0};
    for (size_t at = 0; at < size; at += part) {
        size_t n = size - at < part ? size - at : part;
        xmpi_pages_take(&pool, to + at, n);
        xmpi_pages_drop(&pool);
        xmpi_pages_populate(to + at, n);
        memcpy(to + at, from + at, n);
        xmpi_pages_give(&pool, from + at, n);
    }
    xmpi_pages_drop(&pool);
}

void xmpi_pages_move(char *to, char *from, size_t size)
{
    if (size < worthwhile)
        memcpy(to, from, size);
    else if (xmpi_pages_movable(to, from, size))
        move_alike(to, from, size);
    else
        move_copies(to, from, size);
}

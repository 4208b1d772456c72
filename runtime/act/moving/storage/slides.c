/* SPDX-License-Identifier: BSD-3-Clause
 * Slides. */
#define _GNU_SOURCE
#include "act/moving/storage/slides.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* LARGE: the large pages of most machines, by which the system moves many small ones at once.
 * LARGEST: an address space has 47 bits. */
static const uintptr_t large = (uintptr_t)2 << 20;
static const int64_t largest = (int64_t)1 << 44;

enum { SLIDES = 64 };

typedef struct {
    char *map; /* NULL: none */
    size_t bytes;
    char *block;
    char *from, *to; /* what may be used, in whole pages */
} slide_t;

static slide_t slides[SLIDES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* All slides that have been are between these, so that who frees other memory learns at once that
 * it is none. */
static _Atomic uintptr_t lowest = UINTPTR_MAX, highest = 0;

static uintptr_t page_size(void)
{
    return (uintptr_t)sysconf(_SC_PAGESIZE);
}

static char *page_of(char *at)
{
    return at - (uintptr_t)at % page_size();
}

static char *next_page(char *at)
{
    return page_of(at + page_size() - 1);
}

/* That has BLOCK; NULL: none. The lock is held. */
static slide_t *find(const void *block)
{
    for (int i = 0; i < SLIDES; i++)
        if (slides[i].map != NULL && slides[i].block == block)
            return &slides[i];
    return NULL;
}

static bool may_have(const void *block)
{
    return (uintptr_t)block >= atomic_load_explicit(&lowest, memory_order_relaxed) &&
           (uintptr_t)block < atomic_load_explicit(&highest, memory_order_relaxed);
}

/* A copy of what is known of BLOCK; no MAP: nothing. */
static slide_t look_up(const void *block)
{
    slide_t none = {0}, *found;
    if (!may_have(block))
        return none;
    pthread_mutex_lock(&lock);
    found = find(block);
    slide_t copy = found != NULL ? *found : none;
    pthread_mutex_unlock(&lock);
    return copy;
}

static bool let_use(char *from, char *to, bool use)
{
    if (from >= to)
        return true;
    if (!use)
        madvise(from, (size_t)(to - from), MADV_DONTNEED);
    return mprotect(from, (size_t)(to - from), use ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

/* There is no place for more: the block becomes another one. */
static bool note(const slide_t *slide)
{
    uintptr_t from = (uintptr_t)slide->map, to = from + slide->bytes;
    pthread_mutex_lock(&lock);
    slide_t *place = NULL;
    for (int i = 0; i < SLIDES && place == NULL; i++)
        if (slides[i].map == NULL)
            place = &slides[i];
    if (place != NULL) {
        if (from < atomic_load(&lowest))
            atomic_store(&lowest, from);
        if (to > atomic_load(&highest))
            atomic_store(&highest, to);
        *place = *slide;
    }
    pthread_mutex_unlock(&lock);
    return place != NULL;
}

void *xmpi_slide_make(int64_t front, int64_t bytes, int64_t behind, const void *like)
{
    if (front < 0 || bytes <= 0 || behind < 0 || front > largest || bytes > largest ||
        behind > largest)
        return NULL;
    slide_t slide = {.bytes = (size_t)(front + bytes + behind) + 2 * large};
    slide.map =
        mmap(NULL, slide.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slide.map == MAP_FAILED)
        return NULL;
    slide.block = slide.map + front;
    slide.block += ((uintptr_t)like - (uintptr_t)slide.block) % large;
    slide.from = page_of(slide.block);
    slide.to = next_page(slide.block + bytes);
    if (let_use(slide.from, slide.to, true) && note(&slide))
        return slide.block;
    munmap(slide.map, slide.bytes);
    return NULL;
}

bool xmpi_slide_reaches(const void *block, int64_t from, int64_t to)
{
    slide_t slide = look_up(block);
    return slide.map != NULL && from >= slide.map - slide.block &&
           to <= slide.map + slide.bytes - slide.block;
}

bool xmpi_slide_open(const void *block, int64_t from, int64_t to)
{
    pthread_mutex_lock(&lock);
    slide_t *slide = find(block);
    bool good = slide != NULL;
    if (good) {
        char *begin = page_of(slide->block + from), *end = next_page(slide->block + to);
        good = let_use(begin, slide->from, true) && let_use(slide->to, end, true);
        slide->from = good && begin < slide->from ? begin : slide->from;
        slide->to = good && end > slide->to ? end : slide->to;
    }
    pthread_mutex_unlock(&lock);
    return good;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Takes back what is beyond BEGIN and END and the room at both. */
static void narrow(slide_t *slide, char *begin, char *end, bool front_first, int64_t room)
{
    int64_t front = begin - slide->from, behind = slide->to - end;
    int64_t first = least(front_first ? front : behind, room);
    int64_t other = least(front_first ? behind : front, room - first);
    char *from = page_of(begin - (front_first ? first : other));
    char *to = next_page(end + (front_first ? other : first));
    let_use(slide->from, from, false);
    let_use(to, slide->to, false);
    slide->from = from > slide->from ? from : slide->from;
    slide->to = to < slide->to ? to : slide->to;
}

void xmpi_slide_settle(void *block, int64_t from, int64_t to, int64_t room)
{
    pthread_mutex_lock(&lock);
    slide_t *slide = find(block);
    if (slide != NULL) {
        char *begin = slide->block + from, *end = slide->block + to;
        slide->block = begin;
        narrow(slide, page_of(begin), next_page(end), from > 0, room);
    }
    pthread_mutex_unlock(&lock);
}

bool xmpi_slide_has(const void *block)
{
    return look_up(block).map != NULL;
}

int64_t xmpi_slide_bytes(const void *block)
{
    slide_t slide = look_up(block);
    return slide.map != NULL ? slide.to - slide.block : 0;
}

void xmpi_slide_free(void *block)
{
    slide_t old = {0};
    pthread_mutex_lock(&lock);
    slide_t *slide = find(block);
    if (slide != NULL) {
        old = *slide;
        *slide = (slide_t){0};
    }
    pthread_mutex_unlock(&lock);
    if (old.map != NULL)
        munmap(old.map, old.bytes);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Heap: the program's memory, in the arena. */
#define _GNU_SOURCE
#include "image/memory/heap.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "image/memory/native.h"

enum { NOTHING, FREE, RUN, SLAB, INSIDE };
enum { MAIN, OTHERS };
enum { TRIES = 16, RETURNED_UNITS = 512 }; /* larger free runs go back to the system */

XMPI_NATIVE static const void *main_thread;

/* The thread's control block, by which threads differ. */
static inline const void *this_thread(void)
{
    const void *self;
    __asm__("mov %%fs:0, %0" : "=r"(self));
    return self;
}

void xmpi_heap_main_thread(void)
{
    main_thread = this_thread();
}

static inline int owner(void)
{
    return this_thread() == main_thread ? MAIN : OTHERS;
}

static void lock(xmpi_heap_t *heap)
{
    while (__atomic_exchange_n(&heap->lock, 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
}

static void unlock(xmpi_heap_t *heap)
{
    __atomic_store_n(&heap->lock, 0, __ATOMIC_RELEASE);
}

static inline char *place(const xmpi_heap_t *heap, uint32_t unit)
{
    return heap->base + (size_t)(unit - 1) * XMPI_HEAP_UNIT;
}

static inline uint32_t unit_of(const xmpi_heap_t *heap, const void *piece)
{
    return 1 + (uint32_t)(((uintptr_t)piece - (uintptr_t)heap->base) / XMPI_HEAP_UNIT);
}

/* Four sizes from a power of two to the next. */
static void make_classes(xmpi_heap_t *heap)
{
    int n = 0;
    size_t step = XMPI_HEAP_GRAIN;
    for (size_t size = step; size <= XMPI_HEAP_SMALL; size += step) {
        heap->size_of[n] = (uint16_t)size;
        for (size_t grain = size / XMPI_HEAP_GRAIN;
             grain > 0 && (n == 0 || grain * XMPI_HEAP_GRAIN > heap->size_of[n - 1]); grain--)
            heap->class_of[grain] = (uint8_t)n;
        n++;
        if (size >= 8 * step)
            step *= 2;
    }
}

void xmpi_heap_open(xmpi_heap_t *heap, char *base, size_t bytes, xmpi_unit_t *unit)
{
    heap->base = base;
    heap->unit = unit;
    heap->units = (uint32_t)(bytes / XMPI_HEAP_UNIT);
    heap->top = heap->clean = 1;
    make_classes(heap);
}

/* --- runs; the heap is locked -------------------------------------------------------------------
 */

static int bin_of(uint32_t units)
{
    return 31 - __builtin_clz(units);
}

static void unlink_from(xmpi_heap_t *heap, uint32_t *list, uint32_t at)
{
    xmpi_unit_t *unit = &heap->unit[at];
    if (unit->prev != 0)
        heap->unit[unit->prev].next = unit->next;
    else
        *list = unit->next;
    if (unit->next != 0)
        heap->unit[unit->next].prev = unit->prev;
    unit->next = unit->prev = 0;
}

static void link_to(xmpi_heap_t *heap, uint32_t *list, uint32_t at)
{
    heap->unit[at].prev = 0;
    heap->unit[at].next = *list;
    if (*list != 0)
        heap->unit[*list].prev = at;
    *list = at;
}

static void mark_free(xmpi_heap_t *heap, uint32_t at, uint32_t units, bool fresh)
{
    xmpi_unit_t *last = &heap->unit[at + units - 1];
    last->kind = heap->unit[at].kind = FREE;
    last->units = heap->unit[at].units = units;
    heap->unit[at].fresh = fresh;
    link_to(heap, &heap->bin[bin_of(units)], at);
}

/* The first and the last unit say what they belong to. */
static void mark_taken(xmpi_heap_t *heap, uint32_t at, uint32_t units, int kind)
{
    heap->unit[at + units - 1].kind = INSIDE;
    heap->unit[at].kind = (uint8_t)kind;
    heap->unit[at].units = units;
}

static uint32_t find_free(const xmpi_heap_t *heap, uint32_t units)
{
    for (int bin = bin_of(units); bin < XMPI_HEAP_BINS; bin++) {
        uint32_t at = heap->bin[bin];
        for (int tries = 0; at != 0 && tries < TRIES; tries++) {
            if (heap->unit[at].units >= units)
                return at;
            at = heap->unit[at].next;
        }
    }
    return 0;
}

static void take_free(xmpi_heap_t *heap, uint32_t at)
{
    unlink_from(heap, &heap->bin[bin_of(heap->unit[at].units)], at);
}

/* 0: there is no more. */
static uint32_t get_units(xmpi_heap_t *heap, uint32_t units, int kind, bool *fresh)
{
    uint32_t at = find_free(heap, units);
    if (at != 0) {
        uint32_t more = heap->unit[at].units - units;
        *fresh = heap->unit[at].fresh;
        take_free(heap, at);
        if (more > 0)
            mark_free(heap, at + units, more, *fresh);
    } else {
        at = heap->top;
        if (units >= heap->units - at)
            return 0;
        *fresh = at >= heap->clean;
        heap->top += units;
        if (heap->clean < heap->top)
            heap->clean = heap->top;
    }
    mark_taken(heap, at, units, kind);
    return at;
}

static void put_units(xmpi_heap_t *heap, uint32_t at, uint32_t units)
{
    bool fresh = units >= RETURNED_UNITS &&
                 madvise(place(heap, at), (size_t)units * XMPI_HEAP_UNIT, MADV_DONTNEED) == 0;
    if (at > 1 && heap->unit[at - 1].kind == FREE) {
        uint32_t before = heap->unit[at - 1].units;
        at -= before;
        units += before;
        fresh = fresh && heap->unit[at].fresh;
        take_free(heap, at);
    }
    uint32_t behind = at + units;
    if (behind < heap->top && heap->unit[behind].kind == FREE) {
        take_free(heap, behind);
        units += heap->unit[behind].units;
        fresh = fresh && heap->unit[behind].fresh;
    }
    if (at + units == heap->top) {
        heap->top = at;
        heap->unit[at].kind = NOTHING;
    } else {
        mark_free(heap, at, units, fresh);
    }
}

/* Runs begin at different places in their units: rows that are so apart by a power of two would
 * meet in the cache. */
static size_t colour_of(xmpi_heap_t *heap, size_t spare)
{
    enum { STEP = 4096 + 64 };
    size_t colour = (size_t)(heap->colour++) % 14 * STEP;
    return colour <= spare ? colour : spare / 64 * 64;
}

static void *get_run(xmpi_heap_t *heap, size_t size, size_t alignment, bool zeros)
{
    bool fresh = false;
    size_t extra = alignment > XMPI_HEAP_UNIT ? alignment : 0;
    size_t units = (size + extra + XMPI_HEAP_UNIT - 1) / XMPI_HEAP_UNIT;
    if (size > SIZE_MAX / 2 || units >= heap->units)
        return NULL;
    lock(heap);
    uint32_t at = get_units(heap, (uint32_t)units, RUN, &fresh);
    if (at != 0 && extra > 0) { /* what lies before and behind is not needed */
        size_t off = -(uintptr_t)place(heap, at) & (alignment - 1);
        uint32_t front = (uint32_t)(off / XMPI_HEAP_UNIT);
        uint32_t kept = (uint32_t)((size + XMPI_HEAP_UNIT - 1) / XMPI_HEAP_UNIT);
        kept = kept > 0 ? kept : 1;
        uint32_t rest = (uint32_t)units - front - kept;
        mark_taken(heap, at + front, kept, RUN);
        if (rest > 0)
            put_units(heap, at + front + kept, rest);
        if (front > 0)
            put_units(heap, at, front);
        at += front;
        units = kept;
    }
    size_t spare = units * XMPI_HEAP_UNIT - size;
    size_t colour = alignment <= 64 && at != 0 ? colour_of(heap, spare) : 0;
    if (at != 0)
        heap->unit[at].size = units * XMPI_HEAP_UNIT - colour;
    unlock(heap);
    if (at == 0)
        return NULL;
    char *piece = place(heap, at) + colour;
    if (zeros && !fresh)
        memset(piece, 0, size);
    return piece;
}

/* --- slabs --------------------------------------------------------------------------------------
 */

static inline bool is_full(const xmpi_heap_t *heap, const xmpi_unit_t *slab)
{
    return slab->free == NULL && slab->given == XMPI_HEAP_UNIT / heap->size_of[slab->class_index];
}

/* Of a slab of the caller's, or of others while the heap is locked. */
static void put_piece(xmpi_heap_t *heap, uint32_t at, void *piece, bool locked)
{
    xmpi_unit_t *slab = &heap->unit[at];
    uint32_t *list = &heap->shelf[slab->owner].slab[slab->class_index];
    if (is_full(heap, slab))
        link_to(heap, list, at);
    *(void **)piece = slab->free;
    slab->free = piece;
    slab->used--;
    if (slab->used > 0 || (*list == at && slab->next == 0))
        return;
    unlink_from(heap, list, at);
    if (!locked)
        lock(heap);
    put_units(heap, at, 1);
    if (!locked)
        unlock(heap);
}

/* The main thread's pieces that others have freed. */
static void take_back(xmpi_heap_t *heap)
{
    void *piece = __atomic_exchange_n(&heap->returned, NULL, __ATOMIC_ACQUIRE);
    while (piece != NULL) {
        void *next = *(void **)piece;
        put_piece(heap, unit_of(heap, piece), piece, false);
        piece = next;
    }
}

static uint32_t new_slab(xmpi_heap_t *heap, int class_index, int own, bool locked)
{
    bool fresh;
    if (!locked)
        lock(heap);
    uint32_t at = get_units(heap, 1, SLAB, &fresh);
    if (!locked)
        unlock(heap);
    if (at == 0)
        return 0;
    xmpi_unit_t *slab = &heap->unit[at];
    slab->class_index = (uint8_t)class_index;
    slab->owner = (uint8_t)own;
    slab->used = slab->given = 0;
    slab->free = NULL;
    slab->kind = SLAB;
    link_to(heap, &heap->shelf[own].slab[class_index], at);
    return at;
}

static void *get_piece(xmpi_heap_t *heap, int class_index, int own)
{
    uint32_t *list = &heap->shelf[own].slab[class_index];
    if (*list == 0 && own == MAIN && __atomic_load_n(&heap->returned, __ATOMIC_RELAXED) != NULL)
        take_back(heap);
    uint32_t at = *list != 0 ? *list : new_slab(heap, class_index, own, own == OTHERS);
    if (at == 0)
        return NULL;
    xmpi_unit_t *slab = &heap->unit[at];
    void *piece = slab->free;
    if (piece != NULL)
        slab->free = *(void **)piece;
    else
        piece = place(heap, at) + (size_t)slab->given++ * heap->size_of[class_index];
    slab->used++;
    if (is_full(heap, slab))
        unlink_from(heap, list, at);
    return piece;
}

static void *get_small(xmpi_heap_t *heap, int class_index)
{
    if (owner() == MAIN)
        return get_piece(heap, class_index, MAIN);
    lock(heap);
    void *piece = get_piece(heap, class_index, OTHERS);
    unlock(heap);
    return piece;
}

/* --- all ----------------------------------------------------------------------------------------
 */

void *xmpi_heap_get(xmpi_heap_t *heap, size_t size, size_t alignment, bool zeros)
{
    if (alignment > XMPI_HEAP_GRAIN && size < alignment)
        size = alignment;
    if (size > XMPI_HEAP_SMALL)
        return get_run(heap, size, alignment, zeros);
    int class_index = heap->class_of[(size + XMPI_HEAP_GRAIN - 1) / XMPI_HEAP_GRAIN];
    while (alignment > XMPI_HEAP_GRAIN && heap->size_of[class_index] % alignment != 0)
        if (heap->size_of[class_index++] == XMPI_HEAP_SMALL)
            return get_run(heap, size, alignment, zeros);
    void *piece = get_small(heap, class_index);
    if (zeros && piece != NULL)
        memset(piece, 0, size);
    return piece;
}

static void put_return(xmpi_heap_t *heap, void *piece)
{
    void *next = __atomic_load_n(&heap->returned, __ATOMIC_RELAXED);
    do
        *(void **)piece = next;
    while (!__atomic_compare_exchange_n(&heap->returned, &next, piece, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
}

void xmpi_heap_put(xmpi_heap_t *heap, void *piece)
{
    uint32_t at = unit_of(heap, piece);
    const xmpi_unit_t *unit = &heap->unit[at];
    if (unit->kind == SLAB && unit->owner == MAIN) {
        if (owner() == MAIN)
            put_piece(heap, at, piece, false);
        else
            put_return(heap, piece);
        return;
    }
    if (unit->kind != SLAB && unit->kind != RUN)
        __builtin_trap(); /* nothing was ever given there: as free() of the C library */
    lock(heap);
    if (unit->kind == SLAB)
        put_piece(heap, at, piece, true);
    else
        put_units(heap, at, unit->units);
    unlock(heap);
}

size_t xmpi_heap_size(const xmpi_heap_t *heap, const void *piece)
{
    const xmpi_unit_t *unit = &heap->unit[unit_of(heap, piece)];
    return unit->kind == SLAB ? heap->size_of[unit->class_index] : unit->size;
}

/* Takes what is free behind a run, where that is enough. */
static bool extend(xmpi_heap_t *heap, void *piece, size_t size)
{
    uint32_t at = unit_of(heap, piece), behind = at + heap->unit[at].units;
    xmpi_unit_t *unit = &heap->unit[at];
    size_t missing = size - unit->size, units = (missing + XMPI_HEAP_UNIT - 1) / XMPI_HEAP_UNIT;
    if (behind == heap->top && units < heap->units - heap->top) {
        heap->top += (uint32_t)units;
        heap->clean = heap->clean < heap->top ? heap->top : heap->clean;
    } else if (behind < heap->top && heap->unit[behind].kind == FREE &&
               heap->unit[behind].units >= units) {
        uint32_t more = heap->unit[behind].units - (uint32_t)units;
        bool fresh = heap->unit[behind].fresh;
        take_free(heap, behind);
        heap->unit[behind].kind = INSIDE;
        if (more > 0)
            mark_free(heap, behind + (uint32_t)units, more, fresh);
    } else {
        return false;
    }
    unit->size += units * XMPI_HEAP_UNIT;
    mark_taken(heap, at, unit->units + (uint32_t)units, RUN);
    return true;
}

/* Gives back what is no longer needed of a run. */
static void shorten(xmpi_heap_t *heap, void *piece, size_t size)
{
    uint32_t at = unit_of(heap, piece), units = heap->unit[at].units;
    size_t off = (size_t)((char *)piece - place(heap, at));
    uint32_t kept = (uint32_t)((off + size + XMPI_HEAP_UNIT - 1) / XMPI_HEAP_UNIT);
    if (kept == 0 || kept >= units)
        return;
    mark_taken(heap, at, kept, RUN);
    heap->unit[at].size = (size_t)kept * XMPI_HEAP_UNIT - off;
    put_units(heap, at + kept, units - kept);
}

void *xmpi_heap_resize(xmpi_heap_t *heap, void *piece, size_t size)
{
    size_t usable = xmpi_heap_size(heap, piece);
    bool run = heap->unit[unit_of(heap, piece)].kind == RUN;
    if (run && size > XMPI_HEAP_SMALL && size < SIZE_MAX / 2) {
        lock(heap);
        if (size <= usable)
            shorten(heap, piece, size);
        bool fits = size <= usable || extend(heap, piece, size);
        unlock(heap);
        if (fits)
            return piece;
    } else if (size <= usable && size >= usable / 2) {
        return piece;
    }
    void *other = xmpi_heap_get(heap, size, XMPI_HEAP_GRAIN, false);
    if (other == NULL)
        return NULL;
    memcpy(other, piece, size < usable ? size : usable);
    xmpi_heap_put(heap, piece);
    return other;
}

bool xmpi_heap_next(const xmpi_heap_t *heap, uint32_t *unit, uintptr_t *from, uintptr_t *to)
{
    while (*unit < heap->top && heap->unit[*unit].kind == FREE)
        *unit += heap->unit[*unit].units;
    if (*unit >= heap->top)
        return false;
    *from = (uintptr_t)place(heap, *unit);
    while (*unit < heap->top && heap->unit[*unit].kind != FREE)
        *unit += heap->unit[*unit].units;
    *to = (uintptr_t)place(heap, *unit);
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Heap: the program's memory, in the arena. Small pieces come from slabs of equal ones, others are
 * runs of units. The thread that main runs in takes no lock for small pieces. */
#ifndef XMPI_IMAGE_MEMORY_HEAP_H
#define XMPI_IMAGE_MEMORY_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    XMPI_HEAP_CLASSES = 40,   /* of small pieces */
    XMPI_HEAP_SMALL = 8192,   /* bytes of the largest */
    XMPI_HEAP_GRAIN = 16,     /* all sizes are multiples of it, all pieces lie at multiples */
    XMPI_HEAP_UNIT = 1 << 16, /* bytes */
    XMPI_HEAP_BINS = 32,
};

/* What is known of a unit: of the first and the last of a run, or of a slab, which is one unit. */
typedef struct {
    uint8_t kind, class_index, owner;
    bool fresh;          /* of a free run: its bytes are zeros */
    uint32_t units;      /* of the run */
    uint32_t next, prev; /* in the list of its bin, or of slabs with room; 0: none */
    uint32_t used;       /* pieces of the slab */
    uint32_t given;      /* of which so many have ever been; behind them they are in order */
    void *free;          /* pieces that were given back */
    size_t size;         /* bytes that a run was asked for, and may be used */
} xmpi_unit_t;

/* Slabs with room, of one owner: the main thread, or all others. */
typedef struct {
    uint32_t slab[XMPI_HEAP_CLASSES];
} xmpi_shelf_t;

typedef struct {
    xmpi_unit_t *unit; /* from 1 on; number 1 lies at BASE */
    char *base;
    uint32_t units; /* there is address space for */
    uint32_t top;   /* units from here on are free */
    uint32_t clean; /* and zeros from here on */
    uint32_t colour;
    uint32_t bin[XMPI_HEAP_BINS];
    xmpi_shelf_t shelf[2];
    void *returned; /* the main thread's pieces that others have freed */
    uint16_t size_of[XMPI_HEAP_CLASSES];
    uint8_t class_of[XMPI_HEAP_SMALL / XMPI_HEAP_GRAIN + 1];
    int lock;
} xmpi_heap_t;

/* A heap in BYTES of address space at BASE; UNIT has room for all units and one more, of zeros. */
void xmpi_heap_open(xmpi_heap_t *heap, char *base, size_t bytes, xmpi_unit_t *unit);

/* At a multiple of ALIGNMENT, a power of two; NULL: there is no more. */
void *xmpi_heap_get(xmpi_heap_t *heap, size_t size, size_t alignment, bool zeros);
void xmpi_heap_put(xmpi_heap_t *heap, void *piece);
void *xmpi_heap_resize(xmpi_heap_t *heap, void *piece, size_t size);

/* Bytes that may be used. */
size_t xmpi_heap_size(const xmpi_heap_t *heap, const void *piece);

static inline bool xmpi_heap_has(const xmpi_heap_t *heap, const void *piece)
{
    return (uintptr_t)piece - (uintptr_t)heap->base < (uintptr_t)heap->units * XMPI_HEAP_UNIT;
}

/* The parts in use, one after another: the next one from *UNIT (1 at first) on; false: no more. */
bool xmpi_heap_next(const xmpi_heap_t *heap, uint32_t *unit, uintptr_t *from, uintptr_t *to);

/* The calling thread is the one that main runs in. */
void xmpi_heap_main_thread(void);

#endif

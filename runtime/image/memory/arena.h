/* SPDX-License-Identifier: BSD-3-Clause
 * Arena: where the heap and the stack of the program lie, at one address in every process. All that
 * is known of them lies in the arena itself, and goes where it goes. */
#ifndef XMPI_IMAGE_MEMORY_ARENA_H
#define XMPI_IMAGE_MEMORY_ARENA_H

#define XMPI_ARENA 0x200000000000 /* as the assembler reads it */

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/memory/heap.h"
#include "image/memory/native.h"

/* At the begin of the arena; the first two are known to the assembler. */
typedef struct {
    uint64_t stack;  /* where the stack ends while the program stands still */
    uint64_t canary; /* of frames on it (%fs:0x28) */
    uint64_t stack_top;
    xmpi_heap_t heap;
} xmpi_arena_t;

static inline xmpi_arena_t *xmpi_arena(void)
{
    return (xmpi_arena_t *)XMPI_ARENA;
}

/* Makes it, once; before anything else. */
void xmpi_arena_open(void);

/* Before main, where nothing can be done without memory: says WHY, which ends its line, and ends
 * the process with status 1. */
_Noreturn void xmpi_arena_fail(const char *why);
#define XMPI_ARENA_NO_MEMORY "no memory for what a movable program keeps of itself\n"

/* The memory for a stack of BYTES, below which nothing is; its top. */
char *xmpi_arena_stack(size_t bytes);

/* Makes the stack and the heap empty: what is there is not the program's any more. */
void xmpi_arena_clear(void);
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Arena: where the heap and the stack of the program lie. */
#define _GNU_SOURCE
#include "image/memory/arena.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What follows the header. */
static const size_t units_at = 1ul << 20, stack_at = 2ul << 30, heap_at = 4ul << 30;
static const size_t most = 1ul << 40, least = 8ul << 30;

/* (What the program calls is remembered: image/pins.c.) */
void *__real_mmap(void *at, size_t bytes, int access, int flags, int file, off_t from);
int __real_mprotect(void *from, size_t size, int protection);

XMPI_NATIVE static bool is_open;

void xmpi_arena_fail(const char *why)
{
    static const char begin[] = "xmpi: ";
    bool said = write(STDERR_FILENO, begin, sizeof begin - 1) > 0 &&
                write(STDERR_FILENO, why, strlen(why)) > 0;
    _exit(said ? 1 : 2);
}

/* It is called by the first allocation, so that it may not allocate anything itself. */
void xmpi_arena_open(void)
{
    void *at = MAP_FAILED;
    size_t bytes = most;
    if (is_open)
        return;
    for (; at == MAP_FAILED && bytes >= least; bytes /= 2)
        at = __real_mmap((void *)XMPI_ARENA, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != (void *)XMPI_ARENA)
        xmpi_arena_fail("no address space for the memory of a movable program: 8 GiB are needed at "
                        "0x200000000000 (ulimit -v)\n");
    is_open = true;
    xmpi_heap_main_thread();
    xmpi_heap_open(&xmpi_arena()->heap, (char *)at + heap_at, 2 * bytes - heap_at,
                   (xmpi_unit_t *)(void *)((char *)at + units_at));
}

char *xmpi_arena_stack(size_t bytes)
{
    char *top = (char *)XMPI_ARENA + heap_at - (1 << 20);
    size_t room = heap_at - stack_at - (2 << 20);
    bytes = bytes < room ? bytes : room;
    bytes = bytes < (8u << 20) ? 8u << 20 : bytes & ~(size_t)4095;
    __real_mprotect(top - bytes - (1 << 16), 1 << 16, PROT_NONE);
    return top;
}

void xmpi_arena_clear(void)
{
    char *begin = (char *)XMPI_ARENA;
    const xmpi_heap_t *heap = &xmpi_arena()->heap;
    size_t heap_bytes = (size_t)(heap->clean - 1) * XMPI_HEAP_UNIT;
    madvise(begin + stack_at, heap_at - stack_at, MADV_DONTNEED);
    madvise(begin + units_at, (heap->clean + 1) * sizeof *heap->unit, MADV_DONTNEED);
    madvise(begin + heap_at, heap_bytes, MADV_DONTNEED);
}

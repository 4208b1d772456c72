/* SPDX-License-Identifier: BSD-3-Clause
 * An allocator of the program's own, which ends it when it gets memory back that it has not given.
 * Nothing is used again. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static _Alignas(ALIGNMENT) char hoard[(size_t)1 << 30];
static size_t used;

static size_t *size_of(void *block)
{
    return (size_t *)block - 1;
}

static void *give(size_t alignment, size_t size)
{
    size_t at = __atomic_fetch_add(
        &used, (size + alignment + ALIGNMENT) / ALIGNMENT * ALIGNMENT + ALIGNMENT,
        __ATOMIC_RELAXED);
    if (at > sizeof hoard - size - alignment - ALIGNMENT) {
        errno = ENOMEM;
        return NULL;
    }
    char *block = hoard + at + ALIGNMENT;
    block += (alignment - (uintptr_t)block % alignment) % alignment;
    *size_of(block) = size;
    return block;
}

static void must_be_ours(void *block)
{
    if ((uintptr_t)block - (uintptr_t)hoard >= sizeof hoard)
        abort();
}

void *malloc(size_t size)
{
    return give(ALIGNMENT, size);
}

void *calloc(size_t n, size_t size)
{
    return give(ALIGNMENT, n * size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return give(alignment < ALIGNMENT ? ALIGNMENT : alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = aligned_alloc(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}

void free(void *block)
{
    if (block != NULL)
        must_be_ours(block);
}

void *realloc(void *block, size_t size)
{
    void *other = give(ALIGNMENT, size);
    if (block == NULL || other == NULL)
        return other;
    must_be_ours(block);
    return memcpy(other, block, *size_of(block) < size ? *size_of(block) : size);
}

size_t malloc_usable_size(void *block)
{
    return block != NULL ? *size_of(block) : 0;
}

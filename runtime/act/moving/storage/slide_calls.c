/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that memory comes back by: of slides it comes here, all else goes to whoever would have it
 * without this library. They are weak, as a static program has those of its C library; then, and
 * where a sanitizer or a library of the program's stands in front, there are no slides. */
#define _GNU_SOURCE
#include "act/moving/storage/slide_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "act/moving/storage/slides.h"
#include "base/export.h"

typedef struct {
    void (*free)(void *block);
    void *(*realloc)(void *block, size_t size);
    size_t (*malloc_usable_size)(void *block);
    bool ours;
} calls_t;

/* To learn who comes next may take memory, and give it back. */
enum { NOT_ASKED, ASKING, ASKED };

static calls_t next;
static _Atomic int state = NOT_ASKED;

XMPI_EXPORT void xmpi_memory_call_free(void *block);
XMPI_EXPORT void *xmpi_memory_call_realloc(void *block, size_t size);
XMPI_EXPORT void *xmpi_memory_call_reallocarray(void *block, size_t n, size_t size);
XMPI_EXPORT size_t xmpi_memory_call_malloc_usable_size(void *block);

/* Who has NAME where it is not HERE: whoever is in front of this library, and comes next else. */
static void *whose(const char *name, const void *here)
{
    void *first = dlsym(RTLD_DEFAULT, name);
    next.ours = next.ours && first == here;
    return first != here ? first : dlsym(RTLD_NEXT, name);
}

/* (POSIX has a pointer of dlsym become that of a function in this way.) */
static void ask(void)
{
    next.ours = dlsym(RTLD_DEFAULT, "reallocarray") == (void *)xmpi_memory_call_reallocarray;
    *(void **)&next.malloc_usable_size =
        whose("malloc_usable_size", (const void *)xmpi_memory_call_malloc_usable_size);
    *(void **)&next.realloc = whose("realloc", (const void *)xmpi_memory_call_realloc);
    *(void **)&next.free = whose("free", (const void *)xmpi_memory_call_free);
}

/* False: this is a call of who is being asked. */
__attribute__((constructor)) static bool know_next(void)
{
    int expected = NOT_ASKED;
    if (atomic_load_explicit(&state, memory_order_acquire) == ASKED)
        return true;
    if (!atomic_compare_exchange_strong(&state, &expected, ASKING))
        return false;
    ask();
    atomic_store_explicit(&state, ASKED, memory_order_release);
    return true;
}

/* Whether a call comes here. Valgrind has each of these functions begin with its own, wherever they
 * are. */
static bool comes_here(void)
{
    void *block = xmpi_slide_make(0, 1, 0, NULL);
    size_t (*volatile ask_size)(void *) = xmpi_memory_call_malloc_usable_size;
    bool here = block != NULL && (int64_t)ask_size(block) == xmpi_slide_bytes(block);
    xmpi_slide_free(block);
    return here;
}

bool xmpi_slide_calls_are_ours(void)
{
    static bool asked, here;
    if (!asked)
        here = know_next() && next.ours && comes_here();
    asked = true;
    return here;
}

void xmpi_memory_call_free(void *block)
{
    if (xmpi_slide_has(block))
        xmpi_slide_free(block);
    else if (know_next())
        next.free(block);
}

/* A slide has no end to grow at that the program would know of: it gets other memory. */
static void *leave_slide(void *block, size_t size)
{
    size_t there = (size_t)xmpi_slide_bytes(block);
    void *other = size > 0 ? malloc(size) : NULL;
    if (other != NULL)
        memcpy(other, block, there < size ? there : size);
    if (other != NULL || size == 0)
        xmpi_slide_free(block);
    return other;
}

void *xmpi_memory_call_realloc(void *block, size_t size)
{
    if (xmpi_slide_has(block))
        return leave_slide(block, size);
    if (know_next())
        return next.realloc(block, size);
    errno = ENOMEM;
    return NULL;
}

void *xmpi_memory_call_reallocarray(void *block, size_t n, size_t size)
{
    size_t all;
    if (!__builtin_mul_overflow(n, size, &all))
        return xmpi_memory_call_realloc(block, all);
    errno = ENOMEM;
    return NULL;
}

size_t xmpi_memory_call_malloc_usable_size(void *block)
{
    if (xmpi_slide_has(block))
        return (size_t)xmpi_slide_bytes(block);
    return know_next() ? next.malloc_usable_size(block) : 0;
}

/* (A sanitizer needs all memory for itself, and calls before it has begun must not come here.) */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define STANDS_FOR(call) XMPI_EXPORT __attribute__((weak, alias(#call)))

void free(void *block) STANDS_FOR(xmpi_memory_call_free);
void *realloc(void *block, size_t size) STANDS_FOR(xmpi_memory_call_realloc);
void *reallocarray(void *block, size_t n, size_t size) STANDS_FOR(xmpi_memory_call_reallocarray);
size_t malloc_usable_size(void *block) STANDS_FOR(xmpi_memory_call_malloc_usable_size);
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The allocation functions of C, POSIX and GNU for the program. Libraries that it shares with
 * others have their own memory; what they give to the program to be freed goes back to them. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include <mpi.h>

#include "image/memory/arena.h"
#include "image/memory/lent.h"
#include "image/memory/memory.h"

void __real_free(void *piece);
size_t __real_malloc_usable_size(void *piece);
char *__real_realpath(const char *path, char *resolved);
char *__real_getcwd(char *text, size_t room);

static inline xmpi_heap_t *heap(void)
{
    xmpi_heap_t *mine = &xmpi_arena()->heap;
    xmpi_arena_open();
    return mine;
}

static void *get(size_t size, size_t alignment, bool zeros)
{
    void *piece = xmpi_heap_get(heap(), size, alignment, zeros);
    if (piece == NULL)
        errno = ENOMEM;
    return piece;
}

void *__wrap_malloc(size_t size)
{
    return get(size, 1, false);
}

void *__wrap_calloc(size_t n, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return get(all, 1, true);
}

void __wrap_free(void *piece)
{
    if (piece == NULL)
        return;
    if (xmpi_heap_has(heap(), piece))
        xmpi_heap_put(heap(), piece);
    else
        xmpi_lent_free(piece);
}

void __wrap_cfree(void *piece)
{
    __wrap_free(piece);
}

void *__wrap_realloc(void *piece, size_t size)
{
    if (piece == NULL)
        return get(size, 1, false);
    if (!xmpi_heap_has(heap(), piece))
        return xmpi_lent_realloc(piece, size);
    if (size == 0) {
        xmpi_heap_put(heap(), piece);
        return NULL;
    }
    void *other = xmpi_heap_resize(heap(), piece, size);
    if (other == NULL)
        errno = ENOMEM;
    return other;
}

void *__wrap_reallocarray(void *piece, size_t n, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return __wrap_realloc(piece, all);
}

size_t __wrap_malloc_usable_size(void *piece)
{
    if (piece == NULL)
        return 0;
    return xmpi_heap_has(heap(), piece) ? xmpi_heap_size(heap(), piece)
                                        : __real_malloc_usable_size(piece);
}

/* --- at a multiple of something -----------------------------------------------------------------
 */

static bool is_power(size_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

int __wrap_posix_memalign(void **piece, size_t alignment, size_t size)
{
    if (!is_power(alignment) || alignment % sizeof(void *) != 0)
        return EINVAL;
    void *made = xmpi_heap_get(heap(), size, alignment, false);
    if (made == NULL)
        return ENOMEM;
    *piece = made;
    return 0;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    if (!is_power(alignment)) {
        errno = EINVAL;
        return NULL;
    }
    return get(size, alignment, false);
}

/* Other numbers become the next power of two, as in the C library. */
void *__wrap_memalign(size_t alignment, size_t size)
{
    size_t power = 1;
    while (power < alignment && power < SIZE_MAX / 2)
        power *= 2;
    return get(size, power, false);
}

void *__wrap_valloc(size_t size)
{
    return get(size, (size_t)getpagesize(), false);
}

void *__wrap_pvalloc(size_t size)
{
    size_t page = (size_t)getpagesize();
    return get((size + page - 1) / page * page, page, false);
}

/* --- functions that allocate what they give -----------------------------------------------------
 */

char *__wrap_strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = get(length + 1, 1, false);
    if (copy == NULL)
        return NULL;
    copy[length] = '\0';
    return memcpy(copy, text, length);
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, SIZE_MAX);
}

/* (These are what older headers and optimization make of them.) */
char *__wrap___strdup(const char *text)
{
    return __wrap_strndup(text, SIZE_MAX);
}

char *__wrap___strndup(const char *text, size_t most)
{
    return __wrap_strndup(text, most);
}

wchar_t *__wrap_wcsdup(const wchar_t *text)
{
    size_t bytes = (wcslen(text) + 1) * sizeof *text;
    wchar_t *copy = get(bytes, 1, false);
    return copy == NULL ? NULL : memcpy(copy, text, bytes);
}

/* TEXT, which a library has made, as memory of the program's. */
char *xmpi_memory_own(char *text)
{
    if (text == NULL)
        return NULL;
    char *copy = __wrap_strdup(text);
    __real_free(text);
    return copy;
}

char *__wrap_realpath(const char *path, char *resolved)
{
    char *real = __real_realpath(path, resolved);
    return resolved != NULL ? real : xmpi_memory_own(real);
}

char *__wrap_canonicalize_file_name(const char *path)
{
    return xmpi_memory_own(__real_realpath(path, NULL));
}

char *__wrap_getcwd(char *text, size_t room)
{
    if (text != NULL || room != 0)
        return __real_getcwd(text != NULL ? text : get(room, 1, false), room);
    return xmpi_memory_own(__real_getcwd(NULL, 0));
}

char *__wrap_get_current_dir_name(void)
{
    return xmpi_memory_own(__real_getcwd(NULL, 0));
}

int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *made = length < 0 ? NULL : get((size_t)length + 1, 1, false);
    if (made == NULL)
        return -1;
    *text = made;
    return vsnprintf(made, (size_t)length + 1, format, arguments);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

int __wrap___vasprintf_chk(char **text, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return __wrap_vasprintf(text, format, arguments);
}

int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
{
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

/* --- of MPI -------------------------------------------------------------------------------------
 */

int __wrap_MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *piece)
{
    void *made = size < 0 ? NULL : get((size_t)size, 64, false);
    (void)info;
    if (made == NULL)
        return size < 0 ? MPI_ERR_ARG : MPI_ERR_NO_MEM;
    memcpy(piece, &made, sizeof made);
    return MPI_SUCCESS;
}

int __wrap_MPI_Free_mem(void *piece)
{
    __wrap_free(piece);
    return MPI_SUCCESS;
}

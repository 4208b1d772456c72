/* SPDX-License-Identifier: BSD-3-Clause
 * The allocation functions of the program, for others that stand in for functions of libraries. */
#ifndef XMPI_IMAGE_MEMORY_MEMORY_H
#define XMPI_IMAGE_MEMORY_MEMORY_H

#include <stddef.h>

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *piece, size_t size);
void *__wrap_reallocarray(void *piece, size_t n, size_t size);
void __wrap_free(void *piece);
char *__wrap_strdup(const char *text);

/* TEXT, which a library has made and the program is to free, as memory of the program's. */
char *xmpi_memory_own(char *text);

#endif

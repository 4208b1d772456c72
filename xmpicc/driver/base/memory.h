/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that is released all at once: the driver lives for one command. */
#ifndef XMPICC_MEMORY_H
#define XMPICC_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

typedef struct memory_block memory_block_t;

typedef struct {
    memory_block_t *last;
} memory_t;

/* Zeroed memory; the program ends with a message where there is none. */
void *memory_get(memory_t *memory, size_t size);

char *memory_copy(memory_t *memory, const char *text, size_t length);
char *memory_format(memory_t *memory, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *memory_vformat(memory_t *memory, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0), nonnull(2)));

void memory_release(memory_t *memory);

#endif

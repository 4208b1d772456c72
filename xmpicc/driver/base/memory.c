/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that is released all at once: the driver lives for one command. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/base/memory.h"

struct memory_block {
    memory_block_t *previous;
    max_align_t content[];
};

void *memory_get(memory_t *memory, size_t size)
{
    memory_block_t *block = calloc(1, sizeof *block + size);
    if (block == NULL) {
        fputs("xmpicc: error: out of memory\n", stderr);
        exit(1);
    }
    block->previous = memory->last;
    memory->last = block;
    return block->content;
}

char *memory_copy(memory_t *memory, const char *text, size_t length)
{
    char *copy = memory_get(memory, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *memory_vformat(memory_t *memory, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = memory_get(memory, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *memory_format(memory_t *memory, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_vformat(memory, format, arguments);
    va_end(arguments);
    return text;
}

void memory_release(memory_t *memory)
{
    while (memory->last != NULL) {
        memory_block_t *block = memory->last;
        memory->last = block->previous;
        free(block);
    }
}

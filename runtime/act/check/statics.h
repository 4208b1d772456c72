/* SPDX-License-Identifier: BSD-3-Clause
 * The program's own variables that nobody has registered: its static data, and the stack from the
 * caller of the point up to main. What an iteration keeps there is seen here, and put right. */
#ifndef XMPI_ACT_CHECK_STATICS_H
#define XMPI_ACT_CHECK_STATICS_H

#include <stdbool.h>
#include <stddef.h>

#include "act/data/registry.h"

/* Bytes that are looked at, and what they were. */
typedef struct {
    char *at;
    size_t size;
    char *was; /* malloc */
    bool stack;
} xmpi_region_t;

typedef struct {
    int regions;
    xmpi_region_t *region; /* malloc, by address */
} xmpi_memory_t;

/* The value of a static variable that the runtime itself writes. */
typedef struct {
    const void *at;
    size_t size;
} xmpi_own_t;

/* Takes down what is not registered, and is none of N variables in OWN; the stack begins at FRAME,
 * the frame of the caller of the point (NULL: without it). MOST: bytes that this may take.
 * XMPI_ERR_MEMORY when it takes more. */
xmpi_status_t xmpi_memory_note(const xmpi_registry_t *registry, const xmpi_own_t *own, int n,
                               const void *frame, size_t most, xmpi_memory_t *memory);

/* Puts back what is another value by now and no address, and gives the number of bytes. TEXT says
 * what the first of them are of ("total", "the stack of main()"). */
size_t xmpi_memory_put_back(const xmpi_memory_t *memory, char *text, int size);

void xmpi_memory_free(xmpi_memory_t *memory);

#endif

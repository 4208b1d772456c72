/* SPDX-License-Identifier: BSD-3-Clause
 * A section of ours in objects and programs (64-bit ELF). */
#ifndef XMPICC_OBJECT_H
#define XMPICC_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "driver/base/memory.h"

/* Adds to the object PATH a section that is not loaded; linkers put those of all objects of a
 * program one behind another. False: it is no such object, and stays what it is. */
bool object_add(memory_t *memory, const char *path, const char *text, size_t length);

/* What the section has in the object or program PATH; NULL: there is none. */
char *object_read(memory_t *memory, const char *path, size_t *length);

/* The same of a file's content of SIZE bytes, aligned as by malloc. */
char *object_read_bytes(memory_t *memory, const char *content, size_t size, size_t *length);

/* A digest, in words, of all of an object's content that a linker goes by: symbols, what is loaded,
 * and what that refers to; the same for an object without its debugging information. NULL: it
 * cannot be told. */
const char *object_digest(memory_t *memory, const char *content, size_t size);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Small things done with files and their names. */
#ifndef XMPICC_FILE_H
#define XMPICC_FILE_H

#include <stdbool.h>

#include "driver/base/memory.h"

/* The whole of a regular file, NUL-terminated; NULL when it cannot be read. */
char *file_read(memory_t *memory, const char *path, size_t *length);

/* All that can still be read from FD; NULL on an error. */
char *file_read_all(memory_t *memory, int fd, size_t *length);

/* Replaces PATH (or what it links to) in one step, keeping its permissions; -1 with errno set. */
int file_replace(memory_t *memory, const char *path, const char *text, size_t length);

bool file_is_regular(const char *path);
bool file_is_executable(const char *path);
bool file_same(const char *one, const char *other);

/* The folder of PATH as typed ("." when it names none); its last part; that without the ending; the
 * whole without the ending. */
char *path_folder(memory_t *memory, const char *path);
const char *path_base(const char *path);
char *path_stem(memory_t *memory, const char *path);
char *path_without_ending(memory_t *memory, const char *path);

#endif

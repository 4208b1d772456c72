/* SPDX-License-Identifier: BSD-3-Clause
 * Writing a file whole or not at all. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

/* Has PUT write CONTENT to file PATH. 0, or -1 with errno set and the unfinished file removed. */
int output_write(const char *path, void (*put)(const void *content, FILE *file),
                 const void *content);

/* Removes file PATH, unless it is something else than an ordinary file, like a device. */
void output_discard(const char *path);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Descriptors of regular files, which the program has where it goes under the same number. So these
 * are numbers that neither MPI nor other libraries get, who have the lowest ones. */
#ifndef XMPI_IMAGE_FILES_H
#define XMPI_IMAGE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The same file under such a number, FD is closed; -1: there is none, and FD is as it was. */
int xmpi_files_lift(int fd);

/* FD under the number AS, in a process that the program has come to; false: WHY says for PATH what
 * is in its way. FD is closed. */
bool xmpi_files_put(int fd, int as, const char *path, char *why);

/* FD is lifted and closed: nobody uses its number. */
void xmpi_files_lower(int fd);

/* Whether PATH leads to the file that is open as FD, a regular one. */
bool xmpi_files_named(int fd, const char *path);

/* As of streams (image/calls/streams.h), before them. */
void xmpi_files_pack(void);
void xmpi_files_left(void);
bool xmpi_files_unpack(char *why);
void xmpi_files_cut(void);
void xmpi_files_held(char *why);

/* Whether there are any, or the program may have written to one, for a program that starts over:
 * its start would open them anew. */
void xmpi_files_open(char *why);

#endif

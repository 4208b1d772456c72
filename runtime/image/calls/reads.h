/* SPDX-License-Identifier: BSD-3-Clause
 * Files that the program's start reads: where it starts over it comes to the same only where they
 * are what they were. So what each was like is noted when it is opened; where it changes, appears
 * or goes away, that is seen. */
#ifndef XMPI_IMAGE_READS_H
#define XMPI_IMAGE_READS_H

#include <stdbool.h>
#include <stddef.h>

#include "act/image/restart.h"

/* From now on it is noted, also by the program that starts over. */
void xmpi_reads_begin(void);

/* The program opens PATH, or has tried to. Whether it READS: else what is in the file matters only
 * from xmpi_reads_use on, with the number that this returns. errno stays. */
int xmpi_reads_note(const char *path, bool reads);
void xmpi_reads_use(int number);

/* ON: the program starts over, and changes no file until it is told otherwise, as it has done so
 * before (files that it opens for writing are held, image/calls/streams.h). Whether that is so. */
void xmpi_files_hold(bool on);
bool xmpi_files_are_held(void);

/* Meanwhile a file that was not there has been made at PATH: where it is taken away, or gets
 * another name, it goes. */
void xmpi_files_made_again(const char *path);

/* PATH, which is looked for in FOLDER, a descriptor. */
void xmpi_reads_note_at(int folder, const char *path);

/* For act/image/restart.h. */
void xmpi_reads_at_loop(const char *loop);
size_t xmpi_reads_list(const char *loop, xmpi_read_t *list, size_t most);
void xmpi_reads_changed(const char *loop, char *why);

#endif

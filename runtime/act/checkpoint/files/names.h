/* SPDX-License-Identifier: BSD-3-Clause
 * Names of sets and their files: a checkpoint is a folder "set-000000012" with a file for each
 * member that there was. Nothing here looks into files, or needs MPI. */
#ifndef XMPI_ACT_CHECKPOINT_FILES_NAMES_H
#define XMPI_ACT_CHECKPOINT_FILES_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { XMPI_CHECKPOINT_PATH = 4096 };

/* The mark of a set that has been whole. */
extern const char xmpi_set_whole[];

/* Of a set, and of a part of it: PATH has room for XMPI_CHECKPOINT_PATH. */
void xmpi_set_path(const char *folder, int64_t set, char *path);
void xmpi_set_part_path(const char *folder, int64_t set, int part, char *path);

/* The newest set before BEFORE; 0: there is none. */
int64_t xmpi_set_before(const char *folder, int64_t before);

/* Why the folder cannot be looked into, as an errno; 0: it can, or there is none. */
int xmpi_set_unreadable(const char *folder);

/* Whether the files of all PARTS are there. */
bool xmpi_set_is_there(const char *folder, int64_t set, int parts);

/* Leaves a mark in a set that all of its parts have been there, or asks for it: a part that is
 * missing has been lost then, and was not being written when the run died. */
void xmpi_set_mark(const char *folder, int64_t set);
bool xmpi_set_is_marked(const char *folder, int64_t set);

#endif

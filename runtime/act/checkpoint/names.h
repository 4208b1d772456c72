/* SPDX-License-Identifier: BSD-3-Clause
 * Names of sets and their files: a checkpoint is a folder "set-000000012" with a file for each
 * member that there was. Nothing here looks into files, or needs MPI. */
#ifndef XMPI_ACT_CHECKPOINT_NAMES_H
#define XMPI_ACT_CHECKPOINT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { XMPI_CHECKPOINT_PATH = 4096 };

/* Of a set, and of a part of it: PATH has room for XMPI_CHECKPOINT_PATH. */
void xmpi_set_path(const char *folder, int64_t set, char *path);
void xmpi_set_part_path(const char *folder, int64_t set, int part, char *path);

/* The newest set before BEFORE; 0: there is none. */
int64_t xmpi_set_before(const char *folder, int64_t before);

/* Whether the files of all PARTS are there. */
bool xmpi_set_is_there(const char *folder, int64_t set, int parts);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Sets: a checkpoint is a folder "set-000000012" with a file for each member that there was. It
 * counts when all of them are there, each of which appears when it is on the disk. */
#ifndef XMPI_ACT_CHECKPOINT_SETS_H
#define XMPI_ACT_CHECKPOINT_SETS_H

#include "act/checkpoint/file.h"

/* The name of a part: PATH has room for XMPI_CHECKPOINT_PATH. */
void xmpi_set_part_path(const char *folder, int64_t set, int part, char *path);

/* Makes the folder of a set behind all that are there: its number. XMPI_ERR_INPUT. */
xmpi_status_t xmpi_set_make(const char *folder, int64_t *set, xmpi_error_t *error);

/* The newest set before BEFORE; 0: there is none. */
int64_t xmpi_set_before(const char *folder, int64_t before);

/* Whether all parts are there, with heads that belong together: XMPI_ERR_INPUT where not, and why;
 * XMPI_ERR_PROCESS where a part is missing, as its process has not written it. HEAD (to be freed)
 * becomes that of part 0, with the digests of constant arrays of all. */
xmpi_status_t xmpi_set_look(const char *folder, int64_t set, xmpi_part_file_t *head,
                            xmpi_error_t *error);

/* Whether the files of all PARTS are there. */
bool xmpi_set_is_there(const char *folder, int64_t set, int parts);

/* Removes sets of LOOP that are older than the KEEP - 1 whole ones before SET, and broken ones
 * before it. What belongs to another loop stays. */
void xmpi_set_prune(const char *folder, int64_t set, int64_t keep, const char *loop);

/* Removes a set. */
void xmpi_set_remove(const char *folder, int64_t set);

#endif

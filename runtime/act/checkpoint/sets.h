/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of files. One counts when all of them are there, each of which appears when it is on the
 * disk. */
#ifndef XMPI_ACT_CHECKPOINT_SETS_H
#define XMPI_ACT_CHECKPOINT_SETS_H

#include "act/checkpoint/files/file.h"
#include "act/checkpoint/files/names.h"

/* Makes the folder of a set behind all that are there: its number. XMPI_ERR_INPUT. */
xmpi_status_t xmpi_set_make(const char *folder, int64_t *set, xmpi_error_t *error);

/* Whether all parts are there, with heads that belong together: XMPI_ERR_INPUT where not, and why;
 * XMPI_ERR_PROCESS where a part is missing, as its process has not written it; one that has been
 * lost since is XMPI_ERR_INPUT. HEAD (to be freed)
 * becomes that of part 0, with the digests of constant arrays of all. */
xmpi_status_t xmpi_set_look(const char *folder, int64_t set, xmpi_part_file_t *head,
                            xmpi_error_t *error);

/* Removes sets of LOOP that are older than the KEEP - 1 whole ones before SET, and broken ones
 * before it. What belongs to another loop stays. */
void xmpi_set_prune(const char *folder, int64_t set, int64_t keep, const char *loop);

/* Removes a set. */
void xmpi_set_remove(const char *folder, int64_t set);

#endif

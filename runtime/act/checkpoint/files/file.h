/* SPDX-License-Identifier: BSD-3-Clause
 * Files of checkpoints: a head that says what is in them, with its own digest, then the data. */
#ifndef XMPI_ACT_CHECKPOINT_FILES_FILE_H
#define XMPI_ACT_CHECKPOINT_FILES_FILE_H

#include "act/checkpoint/files/brief.h"
#include "act/checkpoint/files/names.h"
#include "act/checkpoint/files/part.h"

/* Writes PART with DATA to PATH, which is there when all of it is on the disk, and not before. What
 * cannot be written leaves nothing. XMPI_ERR_INPUT. Sets part->begin. */
xmpi_status_t xmpi_part_write(const char *path, xmpi_part_file_t *part, const char *data,
                              xmpi_error_t *error);

/* The same of arrays that do not lie in one place: DATA[i] are the stretches that make array i, and
 * those behind the last array the live values. Sets digests, but those of constant arrays. HEAD has
 * room (xmpi_part_head), and nothing is allocated that is not mapped. */
xmpi_status_t xmpi_part_write_scattered(const char *path, xmpi_part_file_t *part,
                                        const xmpi_stretch_t *const *data, xmpi_pack_t *head,
                                        xmpi_error_t *error);

/* Makes HEAD what PART's file begins with, as far as it is known. XMPI_ERR_MEMORY; to be freed. */
xmpi_status_t xmpi_part_head(xmpi_part_file_t *part, xmpi_pack_t *head);

/* Reads the head: XMPI_ERR_INPUT where it is none, is of another version, or the file has not the
 * length that it tells. To be freed. */
xmpi_status_t xmpi_part_read(const char *path, xmpi_part_file_t *part, xmpi_error_t *error);

/* Whether all data of the file are what they were when it was written. */
xmpi_status_t xmpi_part_verify(const char *path, const xmpi_part_file_t *part, xmpi_error_t *error);

/* Maps the data, to be given back; NULL where there are none, or with a status. */
xmpi_status_t xmpi_part_map(const char *path, const xmpi_part_file_t *part, char **data,
                            xmpi_error_t *error);
void xmpi_part_unmap(const xmpi_part_file_t *part, char *data);

#endif

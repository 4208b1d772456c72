/* SPDX-License-Identifier: BSD-3-Clause
 * An image in a file: a part of a checkpoint (act/checkpoint/files/part.h) that has a program as it
 * is instead of rows. Its arrays are bytes: what the program was, the places where it had
 * something, what it had there, its objects of MPI, and what its loop has to know. */
#ifndef XMPI_ACT_IMAGE_SAVED_H
#define XMPI_ACT_IMAGE_SAVED_H

#include "act/checkpoint/saving.h"
#include "act/image/image.h"
#include "base/data/pack.h"

/* Begins to write the program that stands still and is packed, with its objects of MPI and what its
 * LOOP has to know, into the set's FOLDER. PART says which part of what it is, and is taken over.
 * Where there is no memory for it, SAVING says so. */
void xmpi_image_save(const xmpi_image_t *image, const xmpi_pack_t *objects, const xmpi_pack_t *loop,
                     const char *folder, const xmpi_part_file_t *part, xmpi_saving_t *saving);

/* Whether the program in PART, of PATH, could go on in this process: XMPI_ERR_INPUT where not, and
 * why. */
xmpi_status_t xmpi_image_fits(const char *path, const xmpi_part_file_t *part, xmpi_error_t *why);

/* Its memory becomes that of this process, to be unpacked; and the rest, to be freed. */
xmpi_status_t xmpi_image_load(const char *path, const xmpi_part_file_t *part, xmpi_error_t *why);
xmpi_status_t xmpi_image_load_objects(const char *path, const xmpi_part_file_t *part,
                                      xmpi_pack_t *objects, xmpi_error_t *why);
xmpi_status_t xmpi_image_load_loop(const char *path, const xmpi_part_file_t *part,
                                   xmpi_pack_t *loop, xmpi_error_t *why);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Files without a name for data that do not fit in memory: they are gone when the last mapping is,
 * however the process ends. */
#ifndef XMPI_ACT_OUTOFCORE_SCRATCH_H
#define XMPI_ACT_OUTOFCORE_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A file in FOLDER with BYTES of zeros, whose place on the disk is taken: writing to it cannot fail
 * as the disk is full. Its descriptor, to be closed by xmpi_scratch_close, is put into FD; it is
 * high, as programs may count on the lowest, and not for programs that this one starts.
 * XMPI_ERR_INPUT: the folder, or the disk, does not allow it. */
xmpi_status_t xmpi_scratch_open(const char *folder, int64_t bytes, int *fd, xmpi_error_t *error);
void xmpi_scratch_close(int fd);

/* How many bytes of it the kernel takes as a whole when it is asked to read ahead. */
size_t xmpi_scratch_piece(int fd);

#endif

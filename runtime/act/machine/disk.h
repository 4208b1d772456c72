/* SPDX-License-Identifier: BSD-3-Clause
 * How quick a disk is. */
#ifndef XMPI_ACT_MACHINE_DISK_H
#define XMPI_ACT_MACHINE_DISK_H

#include "base/status.h"

typedef struct {
    double bandwidth; /* bytes per second, the mean of writing and reading in long pieces */
    double latency;   /* seconds of a short access beyond its bytes */
} xmpi_disk_t;

/* Measures the disk of FOLDER with a file there, past the page cache, for about SECONDS; the file
 * has 64 MiB at most, and is gone afterwards. XMPI_ERR_INPUT where that cannot be: no file can be
 * made, or it would be in memory. */
xmpi_status_t xmpi_disk_measure(const char *folder, double seconds, xmpi_disk_t *disk,
                                xmpi_error_t *error);

#endif

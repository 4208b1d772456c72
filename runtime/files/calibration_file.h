/* SPDX-License-Identifier: BSD-3-Clause
 * Calibration files: what xmpi-calibrate measured, JSON that people can read and correct.
 *
 *   {"xmpi_calibration": 4, "made": "2026-11-21T13:00:00Z",
 *    "machine": {"processor": "...", "cores": 2, "mpi": "..."},
 *    "links": {"node": {"alpha": s, "beta": s/byte, "long_alpha": s, "long_beta": s/byte,
 *              "eager": bytes, "move_beta": s/byte}, "network": ...},
 *    "gamma": s/byte, "fresh": s/byte,
 *    "processes": {"first": s, "serial": {"rounds": number, "points": [[number, s], ...]}, ...},
 *    "agreements": {"leave": [s, rounds], ...}, "classes": {"C1": speed, ...}}
 *
 * Every number must be there but curves and classes, of which any may be missing. */
#ifndef XMPI_FILES_CALIBRATION_FILE_H
#define XMPI_FILES_CALIBRATION_FILE_H

#include <stddef.h>

#include "decide/model/calibration.h"

enum { XMPI_MACHINE_TEXT_MAX = 256 };

/* What a calibration is of. */
typedef struct {
    char processor[XMPI_MACHINE_TEXT_MAX];
    int cores;
    char mpi[XMPI_MACHINE_TEXT_MAX];
} xmpi_machine_t;

/* This machine, with the MPI whose version text (of MPI_Get_library_version) is given. */
void xmpi_machine_here(xmpi_machine_t *machine, const char *mpi_version);

/* Where calibrations are when XMPI_CALIBRATION does not say: $XDG_CACHE_HOME/xmpi/calibration.json
 * or
 * ~/.cache/xmpi/calibration.json. Empty when there is no home. */
void xmpi_calibration_path(char *path, size_t size);

/* Reads a calibration of MACHINE (NULL: of any). XMPI_ERR_INPUT, with one line that names the file,
 * when it cannot be read, is damaged, holds a value that no machine has, or is of another machine.
 */
xmpi_status_t xmpi_calibration_read(const char *path, const xmpi_machine_t *machine,
                                    xmpi_calibration_t *calibration, xmpi_error_t *error);

/* Writes it, whole or not at all. */
xmpi_status_t xmpi_calibration_write(const char *path, const xmpi_machine_t *machine,
                                     const xmpi_calibration_t *calibration, xmpi_error_t *error);

#endif

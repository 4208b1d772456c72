/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of xmpi-calibrate share. */
#ifndef XMPI_CALIBRATE_H
#define XMPI_CALIBRATE_H

#include "decide/communication/calibration_fit.h"
#include "files/calibration_file.h"

/* Reads the changes of the trace PATH; how many there are, -1 without a trace. */
int changes_read(const char *path, xmpi_timed_changes_t *changes);

#endif

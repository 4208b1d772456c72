/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of xmpi-calibrate share. */
#ifndef XMPI_CALIBRATE_H
#define XMPI_CALIBRATE_H

#include "decide/communication/calibration_fit.h"
#include "files/calibration_file.h"

/* Reads the changes of the trace PATH; how many there are, -1 without a trace. */
int changes_read(const char *path, xmpi_timed_changes_t *changes);

/* Each call of KIND by which processes are created makes a world; when all of them have left, and
 * there are but MEMBERS again, there is none. */
void changes_count_worlds(xmpi_timed_changes_t *changes, int members, xmpi_curve_kind_t kind);

/* A node as it was measured: bytes, bytes per second, seconds. */
typedef struct {
    char node[XMPI_NAME_MAX];
    double memory, bandwidth, latency;
} node_disk_t;

/* Prints the machine file PATH with what was measured of its nodes; NULL: a new one, of the N nodes
 * that were measured, of the class "node", with CORES processing elements each. 0, or TOOL_FAILED.
 */
int disks_print(const char *path, const node_disk_t *disk, int n, int cores);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The processing elements of the program: from a machine file, or from where its processes are. */
#ifndef XMPI_FILES_MACHINE_FILE_H
#define XMPI_FILES_MACHINE_FILE_H

#include "decide/layout/resources.h"
#include "base/status.h"

/* Reads the thesis's machine file (§5.4.1.1): lines of
 * hostname:procType:numPE[:cost[:switches[:memory:bandwidth[:latency]]]]. A host with 0 PEs is as one
 * that is not listed; switches are names with / in between, the outermost first; memory is that for
 * data, in MiB, and bandwidth and latency are those of the disk, in MB per second and milliseconds. All PEs are without a process afterwards. One line in ERROR, with the number of
 * the file's line, when something is wrong. */
xmpi_status_t xmpi_machines_read(const char *path, xmpi_resources_t *resources,
                                 xmpi_error_t *error);

/* Puts process PROCESS on a PE of NODE. Without a machine file (PATH NULL) PEs are made as needed,
 * of the one class "any"; with one, a node that it does not list is an error, and one that is full
 * is, unless processes may share PEs: then it gets a place more. */
xmpi_status_t xmpi_machines_place(const char *path, xmpi_resources_t *resources, int process,
                                  const char *node, bool share, xmpi_error_t *error);

/* Adds PEs that are anywhere until there are N. */
xmpi_status_t xmpi_machines_fill(xmpi_resources_t *resources, int n);

#endif

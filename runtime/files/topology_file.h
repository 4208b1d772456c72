/* SPDX-License-Identifier: BSD-3-Clause
 * The switches between nodes, as Slurm lists them. */
#ifndef XMPI_FILES_TOPOLOGY_FILE_H
#define XMPI_FILES_TOPOLOGY_FILE_H

#include "base/status.h"
#include "decide/layout/resources.h"

/* Reads what Slurm has in topology.conf, or prints for `scontrol show topology`, and says of each
 * PE of RESOURCES which switches its node is behind; nodes that are not in it are behind none that
 * is known. Lines are SwitchName=NAME with Nodes=LIST or Switches=LIST, where lists are of names
 * with ranges as in rack[1-3]node[01-16,20]; of a line with both the nodes are those of its
 * switches. Other words are passed over. A node is known by its name, or by what is before the
 * first dot of it. XMPI_ERR_INPUT, with the number of the line, when that is no forest of at most
 * XMPI_SWITCHES_MAX levels, or where PEs have switches already; XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_topology_read(const char *path, xmpi_resources_t *resources,
                                 xmpi_error_t *error);

/* The same of a TEXT, which NAME is said of where something is wrong. */
xmpi_status_t xmpi_topology_read_text(const char *text, const char *name,
                                      xmpi_resources_t *resources, xmpi_error_t *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The cores of the node that this process is on. */
#ifndef XMPI_SOURCES_NODE_CORES_H
#define XMPI_SOURCES_NODE_CORES_H

#include <sched.h>

#include "decide/layout/cores.h"

/* What hwloc says is between the cores of this node that have a CPU of GIVEN, in the order of these
 * CPUs; of an invented topology (HWLOC_SYNTHETIC, HWLOC_XMLFILE) all of its cores. Objects count
 * that part others: packages, groups of memory, caches, whatever the machine has. None where hwloc
 * is not here, or there are more cores, or more parts of one object, than can be told. Needs
 * _GNU_SOURCE. */
void xmpi_node_cores(const cpu_set_t *given, xmpi_cores_t *cores);

#endif

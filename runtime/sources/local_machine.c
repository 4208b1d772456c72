/* SPDX-License-Identifier: BSD-3-Clause
 * The machine that the leader runs on as a source of processing elements, by hwloc: its cores, as
 * far as this process may use them. */
#define _GNU_SOURCE
#include <sched.h>
#include <stddef.h>
#include <stdio.h>

#include "files/machine_file.h"
#include "libraries/hwloc_library.h"
#include "sources/source.h"

static bool applies(const xmpi_settings_t *settings)
{
    (void)settings;
    return true;
}

/* -1 when they are at several depths, as hwloc_get_nbobjs_by_type says. */
static int count(const xmpi_hwloc_t *hwloc, hwloc_topology_t topology, hwloc_obj_type_t type)
{
    int depth = hwloc->hwloc_get_type_depth(topology, type);
    return depth == HWLOC_TYPE_DEPTH_UNKNOWN ? 0
           : depth == HWLOC_TYPE_DEPTH_MULTIPLE
               ? -1
               : (int)hwloc->hwloc_get_nbobjs_by_depth(topology, depth);
}

/* A PE is a core (thesis §6.1): a second thread of one adds little to a program that computes.
 * hwloc leaves out what a container or a cpuset does not allow. */
static int count_cores(const xmpi_hwloc_t *hwloc, hwloc_topology_t topology)
{
    int cores = count(hwloc, topology, HWLOC_OBJ_CORE);
    if (cores < 1) /* not every virtual machine shows its cores */
        cores = count(hwloc, topology, HWLOC_OBJ_PU);
    return cores < 1 ? 1 : cores;
}

/* 1 where the topology cannot be read. */
static int cores_by_topology(const xmpi_hwloc_t *hwloc)
{
    hwloc_topology_t topology;
    if (hwloc->hwloc_topology_init(&topology) != 0)
        return 1;
    int cores = hwloc->hwloc_topology_load(topology) == 0 ? count_cores(hwloc, topology) : 1;
    hwloc->hwloc_topology_destroy(topology);
    return cores;
}

/* Without hwloc: threads of cores are not told apart from cores. */
static int cores_by_kernel(const xmpi_error_t *why)
{
    cpu_set_t allowed;
    fprintf(stderr, "xmpi: warning: %s; every thread of a core counts as a processing element\n",
            why->text);
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

static xmpi_status_t read_topology(const xmpi_settings_t *settings, xmpi_resources_t *resources,
                                   xmpi_error_t *error)
{
    xmpi_error_t why;
    (void)settings;
    const xmpi_hwloc_t *hwloc = xmpi_hwloc(&why);
    int cores = hwloc != NULL ? cores_by_topology(hwloc) : cores_by_kernel(&why);
    return xmpi_machines_fill(resources, cores) == XMPI_OK
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for %d processing elements",
                                cores);
}

const xmpi_source_t xmpi_source_local_machine = {
    .name = "local machine", .applies = applies, .read = read_topology};

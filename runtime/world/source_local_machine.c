/* SPDX-License-Identifier: BSD-3-Clause
 * The machine that the leader runs on as a source of processing elements, by hwloc: its cores, as
 * far as this process may use them. */
#include <hwloc.h>

#include "world/machines.h"
#include "world/source.h"

static bool applies(const xmpi_settings_t *settings)
{
    (void)settings;
    return true;
}

/* A PE is a core (thesis §6.1): a second thread of one adds little to a program that computes.
 * hwloc leaves out what a container or a cpuset does not allow. */
static int count_cores(hwloc_topology_t topology)
{
    int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    if (cores < 1) /* not every virtual machine shows its cores */
        cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    return cores < 1 ? 1 : cores;
}

static xmpi_status_t read_topology(const xmpi_settings_t *settings, xmpi_resources_t *resources,
                                   xmpi_error_t *error)
{
    hwloc_topology_t topology;
    (void)settings;
    if (hwloc_topology_init(&topology) != 0)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the topology of the machine");
    int cores = hwloc_topology_load(topology) == 0 ? count_cores(topology) : 1;
    hwloc_topology_destroy(topology);
    return xmpi_machines_fill(resources, cores) == XMPI_OK
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for %d processing elements",
                                cores);
}

const xmpi_source_t xmpi_source_local_machine = {
    .name = "local machine", .applies = applies, .read = read_topology};

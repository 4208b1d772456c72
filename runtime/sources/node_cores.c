/* SPDX-License-Identifier: BSD-3-Clause
 * The cores of the node that this process is on, by hwloc. */
#define _GNU_SOURCE
#include "sources/node_cores.h"

#include <stdlib.h>
#include <string.h>

#include "libraries/hwloc_library.h"

typedef struct {
    hwloc_obj_t core;
    int cpu; /* its first that was given */
} found_t;

static int by_cpu(const void *a, const void *b)
{
    const found_t *one = a, *other = b;
    return (one->cpu > other->cpu) - (one->cpu < other->cpu);
}

/* -1: none was given. */
static int first_cpu(const xmpi_hwloc_t *hwloc, hwloc_obj_t core, const cpu_set_t *given)
{
    int cpu = hwloc->hwloc_bitmap_next(core->cpuset, -1);
    while (given != NULL && cpu >= 0 && (cpu >= CPU_SETSIZE || !CPU_ISSET((size_t)cpu, given)))
        cpu = hwloc->hwloc_bitmap_next(core->cpuset, cpu);
    return cpu;
}

/* The ways from the outermost object to CORE where there are several, of which the outermost are
 * told. Whether they can be. */
static bool tell_way(hwloc_obj_t core, uint8_t *inside)
{
    int parts = 0;
    while (core->parent != NULL && core->parent->arity == 1) /* what is this core's alone */
        core = core->parent;
    for (hwloc_obj_t at = core->parent; at != NULL && at->parent != NULL; at = at->parent)
        parts += at->parent->arity > 1;
    for (hwloc_obj_t at = core->parent; at != NULL && at->parent != NULL; at = at->parent) {
        if (at->parent->arity <= 1 || --parts >= XMPI_INSIDE_MAX)
            continue;
        if (at->sibling_rank >= UINT8_MAX)
            return false;
        inside[parts] = (uint8_t)(at->sibling_rank + 1);
    }
    return true;
}

/* Not every virtual machine shows its cores. */
static int depth_of_cores(const xmpi_hwloc_t *hwloc, hwloc_topology_t topology)
{
    int depth = hwloc->hwloc_get_type_depth(topology, HWLOC_OBJ_CORE);
    return depth >= 0 ? depth : hwloc->hwloc_get_type_depth(topology, HWLOC_OBJ_PU);
}

static void list(const xmpi_hwloc_t *hwloc, hwloc_topology_t topology, const cpu_set_t *given,
                 xmpi_cores_t *cores)
{
    static const xmpi_cores_t none;
    found_t found[XMPI_CORES_MAX];
    int depth = depth_of_cores(hwloc, topology), n = 0;
    int all = depth < 0 ? 0 : (int)hwloc->hwloc_get_nbobjs_by_depth(topology, depth);
    for (int i = 0; i < all; i++) {
        hwloc_obj_t core = hwloc->hwloc_get_obj_by_depth(topology, depth, (unsigned)i);
        int cpu = first_cpu(hwloc, core, given);
        if (cpu >= 0 && n == XMPI_CORES_MAX)
            return;
        if (cpu >= 0)
            found[n++] = (found_t){core, cpu};
    }
    qsort(found, (size_t)n, sizeof *found, by_cpu);
    cores->cores = n;
    for (int i = 0; i < n && cores->cores > 0; i++)
        if (!tell_way(found[i].core, cores->inside[i]))
            *cores = none;
}

void xmpi_node_cores(const cpu_set_t *given, xmpi_cores_t *cores)
{
    xmpi_error_t ignored;
    const xmpi_hwloc_t *hwloc = xmpi_hwloc(&ignored);
    hwloc_topology_t topology;
    memset(cores, 0, sizeof *cores);
    if (hwloc == NULL || hwloc->hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc->hwloc_topology_load(topology) == 0)
        list(hwloc, topology, hwloc->hwloc_topology_is_thissystem(topology) ? given : NULL, cores);
    hwloc->hwloc_topology_destroy(topology);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * hwloc, which tells the topology of a node: loaded when it is first needed. */
#ifndef XMPI_LIBRARIES_HWLOC_LIBRARY_H
#define XMPI_LIBRARIES_HWLOC_LIBRARY_H

#include <hwloc.h>

#include "base/process/library.h"

#define XMPI_HWLOC_CALLS(X)                                                                        \
    X(hwloc_topology_init)                                                                         \
    X(hwloc_topology_load)                                                                         \
    X(hwloc_topology_destroy)                                                                      \
    X(hwloc_topology_is_thissystem)                                                                \
    X(hwloc_get_type_depth)                                                                        \
    X(hwloc_get_nbobjs_by_depth) X(hwloc_get_obj_by_depth) X(hwloc_bitmap_next)

typedef struct {
    XMPI_HWLOC_CALLS(XMPI_LIBRARY_ADDRESS)
} xmpi_hwloc_t;

/* Its functions; NULL where it is not to be had here, and ERROR then says what to do. */
const xmpi_hwloc_t *xmpi_hwloc(xmpi_error_t *error);

#endif

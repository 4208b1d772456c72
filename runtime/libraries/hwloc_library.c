/* SPDX-License-Identifier: BSD-3-Clause
 * hwloc: loaded when it is first needed. */
#include "libraries/hwloc_library.h"

#include <stddef.h>

static xmpi_hwloc_t functions;

static const char *const names[] = {XMPI_HWLOC_CALLS(XMPI_LIBRARY_NAME) NULL};

static xmpi_library_t library = {.file = "libhwloc.so.15",
                                 .package = "libhwloc15",
                                 .purpose = "the topology of the machine",
                                 .name = names,
                                 .function = &functions};

const xmpi_hwloc_t *xmpi_hwloc(xmpi_error_t *error)
{
    return xmpi_library_load(&library, error) == XMPI_OK ? &functions : NULL;
}

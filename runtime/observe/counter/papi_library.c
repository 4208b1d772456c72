/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI and its software-defined events. */
#include "observe/counter/papi_library.h"

#include <stddef.h>

xmpi_papi_t xmpi_papi;
xmpi_sde_t xmpi_sde;

static const char *const papi_names[] = {XMPI_PAPI_CALLS(XMPI_LIBRARY_NAME) NULL};
static const char *const sde_names[] = {XMPI_SDE_CALLS(XMPI_LIBRARY_NAME) NULL};

static xmpi_library_t papi = {.file = "libpapi.so.7.0",
                              .package = "libpapi7.0",
                              .purpose = "counting events",
                              .name = papi_names,
                              .function = &xmpi_papi};
static xmpi_library_t sde = {.file = "libsde.so.1",
                             .package = "libpapi7.0",
                             .purpose = "counting events",
                             .name = sde_names,
                             .function = &xmpi_sde};

xmpi_status_t xmpi_papi_load(xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_library_load(&papi, error);
    return status == XMPI_OK ? xmpi_library_load(&sde, error) : status;
}

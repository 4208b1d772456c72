/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI and its software-defined events. */
#define _POSIX_C_SOURCE 200809L
#include "observe/counter/papi_library.h"

#include <stddef.h>
#include <unistd.h>

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

/* PAPI writes the path of the program to where so many characters fit, and is ended by the C
 * library where there are more. */
static bool has_room_for_path(void)
{
    char path[PAPI_HUGE_STR_LEN];
    return readlink("/proc/self/exe", path, sizeof path) < (ssize_t)sizeof path;
}

xmpi_status_t xmpi_papi_load(xmpi_error_t *error)
{
    if (!has_room_for_path())
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "PAPI has no room for the path of this program, of %d characters or "
                              "more: set XMPI_COUNTER=work, or move the program",
                              PAPI_HUGE_STR_LEN);
    xmpi_status_t status = xmpi_library_load(&papi, error);
    return status == XMPI_OK ? xmpi_library_load(&sde, error) : status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Processes that are bound to cores. */
#define _GNU_SOURCE
#include "program/life/bind.h"

#include <stdio.h>

#include "act/machine/cpus.h"

void xmpi_bind(const xmpi_shared_t *shared, int process)
{
    xmpi_error_t error;
    if (shared->settings.bind == XMPI_BIND_OFF)
        return;
    int index = xmpi_pe_on_node(&shared->resources, shared->process[process].pe);
    if (xmpi_cpus_bind(index, &error) != XMPI_OK)
        fprintf(stderr, "xmpi: process %d: %s\n", process, error.text);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What a platform file says. */
#ifndef XMPI_SIMULATE_NETWORK_PLATFORM_H
#define XMPI_SIMULATE_NETWORK_PLATFORM_H

#include "simulate/network/network.h"

/* Lets another process read the platform file PATH, so that this one can still have any.
 * XMPI_ERR_INPUT, in one line, for what SimGrid does not take, and where hosts or links change as
 * time goes by; XMPI_ERR_PROCESS, XMPI_ERR_MEMORY. */
xmpi_status_t sim_platform_read(const char *path, sim_platform_t *platform, xmpi_error_t *error);

void sim_platform_free(sim_platform_t *platform);

#endif

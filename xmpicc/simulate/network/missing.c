/* SPDX-License-Identifier: BSD-3-Clause
 * No network, where XMPI was built without SimGrid. */
#include "simulate/network/network.h"

const char *sim_network_missing(void)
{
    return "XMPI was built without SimGrid; install libsimgrid-dev, and build it again";
}

const char *sim_network_version(void)
{
    return "none";
}

xmpi_status_t sim_network_open(const sim_network_t *network, xmpi_error_t *error)
{
    (void)network;
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%s", sim_network_missing());
}

double sim_network_carry(sim_flow_t *flow, int flows)
{
    (void)flow;
    (void)flows;
    return 0;
}

xmpi_status_t sim_network_read(const char *path, sim_platform_t *platform, xmpi_error_t *error)
{
    (void)path;
    *platform = (sim_platform_t){.nodes = 0};
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%s", sim_network_missing());
}

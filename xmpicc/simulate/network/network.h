/* SPDX-License-Identifier: BSD-3-Clause
 * The network of a simulation: messages that share links, by SimGrid's flow model. A process has
 * one network, which its clock belongs to. */
#ifndef XMPI_SIMULATE_NETWORK_H
#define XMPI_SIMULATE_NETWORK_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/status.h"

typedef enum {
    SIM_NETWORK_SHARED,   /* one link that all messages share, as an Ethernet with a hub */
    SIM_NETWORK_SWITCHED, /* a link of each node to a switch that is never the bottleneck */
} sim_network_kind_t;

/* NODES nodes, numbered from 0, and one more, that numbered NODES, which keeps checkpoints; of a
 * file that is its first node. */
typedef struct {
    const char
        *file; /* SimGrid's platform file, which has as many hosts; NULL or empty: as follows */
    sim_network_kind_t kind;
    int nodes;
    double bandwidth; /* bytes per second of a link */
    double latency;   /* seconds from node to node */
} sim_network_t;

/* BYTES go from a node to a node. SECONDS is filled in: when they are there. */
typedef struct {
    int from, to;
    double bytes;
    double seconds;
} sim_flow_t;

/* Why there are no networks, in one line; NULL: there are. */
const char *sim_network_missing(void);

/* The version of SimGrid; "none". */
const char *sim_network_version(void);

/* What a platform file says of its hosts, in the order of their names, by which numbers in them
 * count. */
typedef struct {
    int nodes, cores;          /* and processing elements of each */
    double *speed;             /* of a processing element of each node: flop/s; malloc */
    double bandwidth, latency; /* from the first to the second: bytes per second, seconds */
} sim_platform_t;

/* Reads the platform file PATH in this process, which can have no other one. XMPI_ERR_INPUT,
 * XMPI_ERR_MEMORY. To be freed all the same. */
xmpi_status_t sim_network_read(const char *path, sim_platform_t *platform, xmpi_error_t *error);

/* Once in a process. XMPI_ERR_INPUT when SimGrid does not take it. */
xmpi_status_t sim_network_open(const sim_network_t *network, xmpi_error_t *error);

/* Sends FLOWS messages at the same time. Seconds until the last is there; within a node it takes
 * none, and those from the same node to the same node are one. */
double sim_network_carry(sim_flow_t *flow, int flows);

#ifdef __cplusplus
}
#endif

#endif

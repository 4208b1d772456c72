/* SPDX-License-Identifier: BSD-3-Clause
 * Loads of nodes over simulated time: what is left of a processing element that others want, too. N
 * others leave one in N + 1. */
#ifndef XMPI_SIMULATE_LOADS_LOADS_H
#define XMPI_SIMULATE_LOADS_LOADS_H

#include <stdint.h>

#include "base/status.h"
#include "simulate/scenario/values.h"

typedef struct {
    double when; /* seconds */
    int load;    /* from then on */
} sim_change_t;

/* Of a node. */
typedef struct {
    int changes, room;
    sim_change_t *change; /* malloc */
    int at;               /* the one that was looked at last */
} sim_timeline_t;

/* Loads are drawn as far as somebody looks, and twice as far each time. */
typedef struct {
    const sim_values_t *values;
    uint64_t seed;
    int nodes;
    double until; /* seconds that they are known for */
    sim_timeline_t *node;
} sim_loads_t;

/* XMPI_ERR_INPUT for a file that cannot be used, XMPI_ERR_MEMORY. To be freed all the same. */
xmpi_status_t sim_loads_make(sim_loads_t *loads, const sim_values_t *values, uint64_t seed,
                             xmpi_error_t *error);
void sim_loads_free(sim_loads_t *loads);

/* When work is done that begins at BEGIN and needs a processing element of NODE for SECONDS.
 * Without memory it ends the program, as do the others. */
double sim_loads_done(sim_loads_t *loads, int node, double begin, double seconds);

/* Others that want a processing element of NODE at NOW. */
int sim_loads_at(sim_loads_t *loads, int node, double now);

/* Seconds from BEGIN to END in which somebody else wanted a processing element of NODE. */
double sim_loads_busy(sim_loads_t *loads, int node, double begin, double end);

#endif

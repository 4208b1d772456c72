/* SPDX-License-Identifier: BSD-3-Clause
 * The executor: carries out a change of layout, whatever it consists of. There is no other. */
#ifndef XMPI_ACT_EXECUTE_H
#define XMPI_ACT_EXECUTE_H

#include <mpi.h>
#include <stddef.h>

#include "act/join.h"
#include "act/registry.h"
#include "act/shared.h"
#include "act/world.h"

/* What the executor changes. PROGRESS is plain data that joiners take over from the leader. */
typedef struct {
    xmpi_shared_t *shared;
    xmpi_world_t *world;
    xmpi_registry_t *registry;
    void *progress;
    size_t progress_size;
    int process; /* the caller, in the process table */
} xmpi_parts_t;

typedef enum {
    XMPI_DONE,       /* the caller is a member of the new layout */
    XMPI_LEFT,       /* the caller is not a member any more; its data are freed */
    XMPI_CALLED_OFF, /* nothing has changed: somebody had no memory */
} xmpi_outcome_t;

/* What it cost; bytes and messages of all together. */
typedef struct {
    double join; /* seconds to get one communicator of all */
    double move; /* seconds to move the data and switch */
    int64_t bytes, messages;
} xmpi_cost_t;

/* Collective over the members of the layout in PARTS and those that join NEXT; PORTS as in
 * xmpi_join. NEXT becomes the layout when it is done (taken over), else it is freed. */
xmpi_outcome_t xmpi_execute(const xmpi_parts_t *parts, xmpi_layout_t *next,
                            const xmpi_port_t *ports, xmpi_cost_t *cost);

#endif

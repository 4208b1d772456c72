/* SPDX-License-Identifier: BSD-3-Clause
 * Join: the transit communicator of a change. */
#include "act/join.h"

#include <stdlib.h>

enum { TAG_GROUP = 101 };

static const char connect_seconds[] = "3600";

void xmpi_join_open(int n, xmpi_port_t *ports)
{
    for (int i = 0; i < n; i++)
        PMPI_Open_port(MPI_INFO_NULL, ports[i].name);
}

/* A joiner may come long before the members accept it: others before it are in their prologue. */
static MPI_Comm connect(const xmpi_port_t *port, MPI_Comm self)
{
    MPI_Info info;
    MPI_Comm bridge;
    PMPI_Info_create(&info);
    PMPI_Info_set(info, "timeout", connect_seconds);
    PMPI_Comm_connect(port->name, info, 0, self, &bridge);
    PMPI_Info_free(&info);
    return bridge;
}

static MPI_Comm accept(const xmpi_port_t *port, MPI_Comm members)
{
    MPI_Comm bridge;
    PMPI_Comm_accept(port != NULL ? port->name : "", MPI_INFO_NULL, 0, members, &bridge);
    return bridge;
}

static MPI_Comm merge(MPI_Comm bridge, int joining)
{
    MPI_Comm merged;
    PMPI_Intercomm_merge(bridge, joining, &merged);
    PMPI_Comm_disconnect(&bridge);
    return merged;
}

/* Joiners were spawned one by one, so they are added one by one. Ports rather than
 * MPI_Intercomm_create over the intercommunicator with the parent: only accept and connect tell
 * MPICH's ch3 about the processes on the other side that were started elsewhere. (And only for
 * processes of different worlds: when both sides share one, its connections are counted wrongly and
 * a later disconnect waits for ever. Processes of one world are joined by group.) */
static MPI_Comm join_by_ports(const xmpi_change_t *change, xmpi_world_t *world, int me,
                              const xmpi_port_t *ports)
{
    MPI_Comm current = world->comm;
    for (int i = 0; i < change->joiners; i++) {
        int joiner = change->olds + i;
        if (me > joiner)
            continue;
        MPI_Comm merged = me == joiner ? merge(connect(ports, world->self), 1)
                                       : merge(accept(me == 0 ? &ports[i] : NULL, current), 0);
        if (me != joiner && current != world->comm)
            PMPI_Comm_disconnect(&current);
        current = merged;
    }
    for (int i = 0; me == 0 && i < change->joiners; i++)
        PMPI_Close_port(ports[i].name);
    return current;
}

/* All were started together: one call over the private duplicate of that world. */
static MPI_Comm join_by_group(const xmpi_change_t *change, const xmpi_shared_t *shared,
                              const xmpi_world_t *world)
{
    MPI_Group all, taking_part;
    MPI_Comm transit = MPI_COMM_NULL;
    int *ranks = calloc((size_t)change->transit, sizeof *ranks);
    if (ranks == NULL)
        PMPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 0; i < change->transit; i++)
        ranks[i] = shared->process[change->process[i]].initial_rank;
    PMPI_Comm_group(world->initial, &all);
    PMPI_Group_incl(all, change->transit, ranks, &taking_part);
    PMPI_Comm_create_group(world->initial, taking_part, TAG_GROUP, &transit);
    PMPI_Group_free(&taking_part);
    PMPI_Group_free(&all);
    free(ranks);
    return transit;
}

MPI_Comm xmpi_join(const xmpi_change_t *change, const xmpi_shared_t *shared, xmpi_world_t *world,
                   int me, const xmpi_port_t *ports)
{
    if (change->joiners == 0)
        return xmpi_world_moves(world);
    if (xmpi_change_all_initial(change, shared))
        return join_by_group(change, shared, world);
    return join_by_ports(change, world, me, ports);
}

MPI_Comm xmpi_join_finish(const xmpi_change_t *change, MPI_Comm transit, int me)
{
    MPI_Comm made;
    if (xmpi_change_keeps_ranks(change))
        return transit;
    PMPI_Comm_split(transit, change->new_rank[me] < 0 ? MPI_UNDEFINED : 0, change->new_rank[me],
                    &made);
    return made;
}

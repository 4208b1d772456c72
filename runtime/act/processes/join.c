/* SPDX-License-Identifier: BSD-3-Clause
 * Join: the transit communicator of a change. */
#include "act/processes/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/misuse.h"

#include "base/collective.h"
#include "base/quiet.h"

enum { TAG_GROUP = 101, TAG_MEMBERS };

static const char connect_seconds[] = "3600";

/* MPICH's ch3 can open ports; of others it is found out by trying. */
static bool opens_ports(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    PMPI_Get_library_version(version, &length);
    return strncmp(version, "MPICH", 5) == 0 && strstr(version, "ch3:") != NULL;
}

static int open_quietly(char *name)
{
    xmpi_quiet_t quiet = xmpi_quiet_begin(!opens_ports());
    int result = PMPI_Open_port(MPI_INFO_NULL, name);
    xmpi_quiet_end(&quiet);
    return result;
}

xmpi_status_t xmpi_port_open(xmpi_port_t *port, xmpi_error_t *error)
{
    if (open_quietly(port->name) == MPI_SUCCESS)
        return XMPI_OK;
    memset(port, 0, sizeof *port);
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "this MPI cannot open a port for new processes");
}

bool xmpi_port_is_sound(const xmpi_port_t *port)
{
    return memchr(port->name, '\0', sizeof port->name) != NULL;
}

bool xmpi_port_probe(void)
{
    xmpi_port_t port;
    if (opens_ports())
        return true;
    if (open_quietly(port.name) != MPI_SUCCESS)
        return false;
    PMPI_Close_port(port.name);
    return true;
}

/* A joiner may come long before it is accepted: others may still be in their prologue. */
static MPI_Comm connect(const char *port, MPI_Comm members)
{
    MPI_Info info;
    MPI_Comm bridge;
    PMPI_Info_create(&info);
    PMPI_Info_set(info, "timeout", connect_seconds);
    PMPI_Comm_connect(port, info, 0, members, &bridge);
    PMPI_Info_free(&info);
    return bridge;
}

static MPI_Comm accept(const char *port, MPI_Comm members)
{
    MPI_Comm bridge;
    PMPI_Comm_accept(port, MPI_INFO_NULL, 0, members, &bridge);
    return bridge;
}

/* One communicator of both sides; CURRENT, one's own side, is disconnected unless it is KEPT. */
static MPI_Comm merge(MPI_Comm bridge, int high, MPI_Comm current, MPI_Comm kept)
{
    MPI_Comm merged;
    PMPI_Intercomm_merge(bridge, high, &merged);
    PMPI_Comm_disconnect(&bridge);
    if (current != kept)
        PMPI_Comm_disconnect(&current);
    return merged;
}

/* Unit I, whose processes OWN connects, and the others: a binary tree, in which clusters of 1, 2,
 * 4, ... units that begin with an even multiple of their size connect to those behind them. Each
 * port, that of a unit's first process, is accepted at only once: a joiner that is early could
 * otherwise be taken for another. */
static MPI_Comm join_joiners(const xmpi_units_t *units, int i, MPI_Comm own,
                             const xmpi_port_t *ports)
{
    MPI_Comm current = own;
    for (int size = 1; size < units->n; size *= 2) {
        int root = i - i % size, behind = root + size;
        if (root % (2 * size) != 0)
            current = merge(accept(ports[units->first[root]].name, current), 1, current, own);
        else if (behind < units->n)
            current = merge(connect(ports[units->first[behind]].name, current), 0, current, own);
    }
    return current;
}

/* Joiners that were spawned one by one, or group by group, join one another in a tree; those of one
 * spawn are together already, and the first of them that joins is the first of their world. Then
 * all of them join the members, who wait in accept(), where MPICH does not spin. Ports rather than
 * MPI_Intercomm_create over the intercommunicator with the parent: only accept and connect tell
 * MPICH's ch3 about the processes on the other side that were started elsewhere. (And only for
 * processes of different worlds: when both sides share one, its connections are counted wrongly and
 * a later disconnect waits for ever. Processes of one world are joined by group.) */
static MPI_Comm join_by_ports(const xmpi_change_t *change, const xmpi_shared_t *shared,
                              xmpi_world_t *world, int me, const xmpi_port_t *ports)
{
    xmpi_units_t units;
    MPI_Comm merged, ordered;
    if (xmpi_change_units(change, shared, &units) != XMPI_OK)
        xmpi_misuse("no memory for a list of %d processes", change->joiners);
    bool grouped = units.n < change->joiners;
    if (me < change->olds) {
        const char *leader = me == 0 ? ports[change->joiners].name : "";
        merged = merge(accept(leader, world->comm), 0, world->comm, world->comm);
        if (me == 0)
            PMPI_Close_port(leader);
    } else {
        int i = me - change->olds;
        bool alone = shared->process[change->process[me]].group == 0;
        MPI_Comm unit = alone ? world->self : world->initial;
        MPI_Comm joiners = join_joiners(&units, units.of[i], unit, ports);
        PMPI_Close_port(ports[i].name);
        merged = merge(connect(ports[change->joiners].name, joiners), 1, joiners, unit);
    }
    xmpi_units_free(&units);
    if (!grouped)
        return merged;
    PMPI_Comm_split(merged, 0, me, &ordered); /* the MPI has numbered a group as it liked */
    PMPI_Comm_disconnect(&merged);
    return ordered;
}

/* All were started together: one call over the private duplicate of that world. */
static MPI_Comm join_by_group(const xmpi_change_t *change, const xmpi_shared_t *shared,
                              const xmpi_world_t *world)
{
    MPI_Group all, taking_part;
    MPI_Comm transit = MPI_COMM_NULL;
    int *ranks = calloc((size_t)change->transit, sizeof *ranks);
    if (ranks == NULL)
        xmpi_misuse("no memory for a list of %d processes", change->transit);
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
    if (xmpi_change_all_initial(change, shared))
        return join_by_group(change, shared, world);
    return join_by_ports(change, shared, world, me, ports);
}

/* Transit ranks by new rank. How many there are. */
static int order_by_new_rank(const xmpi_change_t *change, int *ranks)
{
    int members = 0;
    for (int i = 0; i < change->transit; i++) {
        if (change->new_rank[i] < 0)
            continue;
        ranks[change->new_rank[i]] = i;
        members++;
    }
    return members;
}

/* By the N members alone: who leaves does not get connected to those that come, nor waits for them.
 */
static MPI_Comm create(MPI_Comm of, int n, const int *ranks)
{
    int mine;
    MPI_Group all, members;
    MPI_Comm made = MPI_COMM_NULL;
    PMPI_Comm_group(of, &all);
    PMPI_Group_incl(all, n, ranks, &members);
    PMPI_Group_rank(members, &mine);
    if (mine != MPI_UNDEFINED)
        PMPI_Comm_create_group(of, members, TAG_MEMBERS, &made);
    PMPI_Group_free(&members);
    PMPI_Group_free(&all);
    return made;
}

static bool are_first(int n, const int *ranks)
{
    for (int i = 0; i < n; i++)
        if (ranks[i] != i)
            return false;
    return true;
}

/* MPICH's ch3 lets a communicator of the first ranks of another have all connections of that one:
 * who leaves would wait for the end of its own until that communicator ends. Of the same in reverse
 * order it has not, nor of that in reverse order again. RANKS: those, changed. */
static MPI_Comm create_of_first(MPI_Comm transit, int n, int *ranks)
{
    int rank;
    MPI_Comm made = MPI_COMM_NULL;
    PMPI_Comm_rank(transit, &rank);
    if (n == 1 && rank == 0)
        PMPI_Comm_dup(MPI_COMM_SELF, &made);
    if (n == 1)
        return made;
    for (int i = 0; i < n; i++)
        ranks[i] = n - 1 - i;
    MPI_Comm reverse = create(transit, n, ranks);
    if (reverse == MPI_COMM_NULL)
        return MPI_COMM_NULL;
    made = create(reverse, n, ranks);
    PMPI_Comm_free(&reverse);
    return made;
}

MPI_Comm xmpi_join_finish(const xmpi_change_t *change, MPI_Comm transit)
{
    if (xmpi_change_keeps_ranks(change))
        return transit;
    int *ranks = calloc((size_t)change->transit, sizeof *ranks);
    if (ranks == NULL)
        xmpi_misuse("no memory for a list of %d processes", change->transit);
    int n = order_by_new_rank(change, ranks);
    MPI_Comm made = change->leavers > 0 && are_first(n, ranks) ? create_of_first(transit, n, ranks)
                                                               : create(transit, n, ranks);
    free(ranks);
    return made;
}

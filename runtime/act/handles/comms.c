/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators and groups. */
#include "act/handles/comms.h"

#include <stdlib.h>

#include "act/handles/attributes.h"
#include "act/handles/table/entries.h"
#include "act/handles/objects.h"

int *xmpi_group_ranks(MPI_Group group, int *n)
{
    MPI_Group world;
    PMPI_Group_size(group, n);
    int *own = malloc(2 * ((size_t)*n + 1) * sizeof *own);
    if (own == NULL)
        return NULL;
    int *there = own + *n;
    for (int i = 0; i < *n; i++)
        own[i] = i;
    PMPI_Comm_group(xmpi_handles.world, &world);
    PMPI_Group_translate_ranks(group, *n, own, world, there);
    PMPI_Group_free(&world);
    for (int i = 0; i < *n; i++)
        own[i] = there[i];
    return own;
}

/* --- asking ------------------------------------------------------------------------------------
 */

static void put_group(xmpi_pack_t *pack, MPI_Group group)
{
    int n = 0;
    int *rank = xmpi_group_ranks(group, &n);
    if (rank == NULL)
        pack->status = XMPI_ERR_MEMORY;
    else
        xmpi_pack_put_array(pack, rank, n, sizeof *rank);
    free(rank);
}

static void put_members(xmpi_pack_t *pack, MPI_Comm comm, int inter)
{
    MPI_Group group;
    PMPI_Comm_group(comm, &group);
    put_group(pack, group);
    PMPI_Group_free(&group);
    if (!inter)
        return;
    PMPI_Comm_remote_group(comm, &group);
    put_group(pack, group);
    PMPI_Group_free(&group);
}

enum { ARRAYS = 4 }; /* of a topology */

/* Arrays of integers (malloc). */
typedef struct {
    int kind;    /* as by MPI_Topo_test */
    int weighed; /* of a distributed graph */
    int n[ARRAYS];
    int *of[ARRAYS];
} topology_t;

static bool make_arrays(topology_t *topology)
{
    bool made = true;
    for (int i = 0; i < ARRAYS; i++) {
        topology->of[i] = calloc((size_t)topology->n[i] + 1, sizeof(int));
        made = made && topology->of[i] != NULL;
    }
    return made;
}

static void free_arrays(topology_t *topology)
{
    for (int i = 0; i < ARRAYS; i++)
        free(topology->of[i]);
}

static bool ask_topology(MPI_Comm comm, topology_t *topology)
{
    int *n = topology->n;
    *topology = (topology_t){.kind = MPI_UNDEFINED};
    PMPI_Topo_test(comm, &topology->kind);
    if (topology->kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &n[0]);
        n[1] = n[2] = n[0];
    } else if (topology->kind == MPI_GRAPH) {
        PMPI_Graphdims_get(comm, &n[0], &n[1]);
    } else if (topology->kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &n[0], &n[2], &topology->weighed);
        n[1] = n[0];
        n[3] = n[2];
    }
    if (!make_arrays(topology))
        return false;
    int **of = topology->of;
    if (topology->kind == MPI_CART)
        PMPI_Cart_get(comm, n[0], of[0], of[1], of[2]);
    else if (topology->kind == MPI_GRAPH)
        PMPI_Graph_get(comm, n[0], n[1], of[0], of[1]);
    else if (topology->kind == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors(comm, n[0], of[0], of[1], n[2], of[2], of[3]);
    return true;
}

static void put_topology(xmpi_pack_t *pack, MPI_Comm comm, int inter)
{
    topology_t topology = {.kind = MPI_UNDEFINED};
    if (!inter && !ask_topology(comm, &topology))
        pack->status = XMPI_ERR_MEMORY;
    xmpi_pack_put(pack, &topology.kind, sizeof topology.kind);
    xmpi_pack_put(pack, &topology.weighed, sizeof topology.weighed);
    for (int i = 0; i < ARRAYS; i++)
        xmpi_pack_put_array(pack, topology.of[i], topology.n[i], sizeof(int));
    free_arrays(&topology);
}

/* What the program has given to it: name, error handler, infos, attributes. */
static void put_marks(xmpi_pack_t *pack, MPI_Comm comm, bool hinted)
{
    int length = 0;
    char name[MPI_MAX_OBJECT_NAME] = "";
    MPI_Errhandler handler;
    MPI_Info info;
    xmpi_errhandler_made_t made = {0};
    PMPI_Comm_get_name(comm, name, &length);
    xmpi_pack_put_text(pack, name);
    PMPI_Comm_get_errhandler(comm, &handler);
    const xmpi_errhandler_made_t *known = xmpi_functions_of_errhandler(handler);
    if (xmpi_handle_is_made(XMPI_HANDLE_ERRHANDLER, handler) && known != NULL)
        made = *known;
    int ours = xmpi_handle_ours(XMPI_HANDLE_ERRHANDLER, handler);
    xmpi_pack_put(pack, &handler, sizeof handler);
    xmpi_pack_put(pack, &ours, sizeof ours);
    xmpi_pack_put(pack, &made, sizeof made);
    PMPI_Errhandler_free(&handler);
    int hints = hinted;
    xmpi_pack_put(pack, &hints, sizeof hints);
    if (hinted) {
        PMPI_Comm_get_info(comm, &info);
        xmpi_info_put(pack, info);
        PMPI_Info_free(&info);
    }
    xmpi_attributes_put(pack, XMPI_OF_COMM, comm);
}

static int by_id(const void *a, const void *b)
{
    const xmpi_handle_t *first = xmpi_handle_at(XMPI_HANDLE_COMM, *(const int *)a);
    const xmpi_handle_t *second = xmpi_handle_at(XMPI_HANDLE_COMM, *(const int *)b);
    xmpi_comm_id_t f = ((const xmpi_comm_made_t *)first->made)->id,
                   s = ((const xmpi_comm_made_t *)second->made)->id;
    return f.high != s.high ? (f.high > s.high) - (f.high < s.high)
                            : (f.low > s.low) - (f.low < s.low);
}

static void put_comm(xmpi_pack_t *pack, int handle)
{
    int inter = 0;
    const xmpi_handle_t *entry = xmpi_handle_at(XMPI_HANDLE_COMM, handle);
    const xmpi_comm_made_t *made = entry->made;
    PMPI_Comm_test_inter(entry->real, &inter);
    xmpi_entry_put(pack, XMPI_HANDLE_COMM, handle, entry);
    xmpi_pack_put(pack, made, sizeof *made);
    xmpi_pack_put(pack, &inter, sizeof inter);
    put_members(pack, entry->real, inter);
    put_topology(pack, entry->real, inter);
    put_marks(pack, entry->real, made->hinted);
}

static void put_groups(xmpi_pack_t *pack)
{
    uint32_t number = 0;
    int n = xmpi_entries(XMPI_HANDLE_GROUP);
    const xmpi_handle_t *entry;
    xmpi_pack_put(pack, &n, sizeof n);
    while ((entry = xmpi_handle_next(XMPI_HANDLE_GROUP, &number)) != NULL) {
        xmpi_entry_put(pack, XMPI_HANDLE_GROUP, MPI_GROUP_NULL + (int)number, entry);
        put_group(pack, entry->real);
    }
}

void xmpi_comms_put(xmpi_pack_t *pack)
{
    uint32_t number = 0;
    int n = 0, comms = xmpi_entries(XMPI_HANDLE_COMM);
    int *handle = malloc(((size_t)comms + 1) * sizeof *handle);
    if (handle == NULL) {
        pack->status = XMPI_ERR_MEMORY;
        return;
    }
    while (n < comms && xmpi_handle_next(XMPI_HANDLE_COMM, &number) != NULL)
        handle[n++] = MPI_COMM_NULL + (int)number;
    qsort(handle, (size_t)n, sizeof *handle, by_id);
    xmpi_pack_put(pack, &xmpi_handles.world_made, sizeof xmpi_handles.world_made);
    xmpi_pack_put(pack, &xmpi_handles.self_made, sizeof xmpi_handles.self_made);
    put_marks(pack, xmpi_handles.world, xmpi_handles.world_made.hinted);
    put_marks(pack, MPI_COMM_SELF, xmpi_handles.self_made.hinted);
    xmpi_pack_put(pack, &n, sizeof n);
    for (int i = 0; i < n; i++)
        put_comm(pack, handle[i]);
    put_groups(pack);
    free(handle);
}

/* --- making ------------------------------------------------------------------------------------
 */

typedef struct {
    int n;
    int *rank; /* malloc */
} members_t;

static members_t get_members(xmpi_pack_t *pack)
{
    members_t members = {0};
    members.rank = xmpi_pack_get_array(pack, &members.n, sizeof *members.rank);
    return members;
}

static bool any_moved(const members_t *members, const xmpi_next_world_t *next)
{
    for (int i = 0; i < members->n; i++)
        if (next->moved == NULL || (members->rank[i] >= 0 && next->moved[members->rank[i]]))
            return true;
    return false;
}

static int make_group(const members_t *members, MPI_Comm of, MPI_Group *group)
{
    MPI_Group world;
    PMPI_Comm_group(of, &world);
    int result = PMPI_Group_incl(world, members->n, members->rank, group);
    PMPI_Group_free(&world);
    return result;
}

static int make_intra(const members_t *members, MPI_Comm world, MPI_Comm *comm)
{
    MPI_Group group;
    int result = make_group(members, world, &group);
    if (result != MPI_SUCCESS)
        return result;
    result = PMPI_Comm_create_group(world, group, 0, comm);
    PMPI_Group_free(&group);
    return result;
}

/* The first members of the two groups lead. */
static int make_inter(const members_t *members, MPI_Comm world, MPI_Comm *comm)
{
    MPI_Comm local;
    int result = make_intra(&members[0], world, &local);
    if (result != MPI_SUCCESS)
        return result;
    result = PMPI_Intercomm_create(local, 0, world, members[1].rank[0], 0, comm);
    PMPI_Comm_free(&local);
    return result;
}

static int put_on(const topology_t *topology, MPI_Comm comm, MPI_Comm *made)
{
    int *const *of = topology->of;
    const int *n = topology->n;
    if (topology->kind == MPI_CART)
        return PMPI_Cart_create(comm, n[0], of[0], of[1], 0, made);
    if (topology->kind == MPI_GRAPH)
        return PMPI_Graph_create(comm, n[0], of[0], of[1], 0, made);
    const int *in = topology->weighed ? of[1] : MPI_UNWEIGHTED;
    const int *out = topology->weighed ? of[3] : MPI_UNWEIGHTED;
    return PMPI_Dist_graph_create_adjacent(
        comm, n[0], of[0], n[0] > 0 || in == MPI_UNWEIGHTED ? in : MPI_WEIGHTS_EMPTY, n[2], of[2],
        n[2] > 0 || out == MPI_UNWEIGHTED ? out : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, made);
}

/* Whether they are all processes of WORLD, in its order. */
static bool are_world(const members_t *members, MPI_Comm world)
{
    int size, rank = 0;
    PMPI_Comm_size(world, &size);
    while (rank < members->n && members->rank[rank] == rank)
        rank++;
    return rank == size && members->n == size;
}

static int add_topology(const topology_t *topology, MPI_Comm *comm)
{
    MPI_Comm made;
    if (topology->kind == MPI_UNDEFINED)
        return MPI_SUCCESS;
    int result = put_on(topology, *comm, &made);
    if (result != MPI_SUCCESS)
        return result;
    PMPI_Comm_free(comm);
    *comm = made;
    return MPI_SUCCESS;
}

static void get_topology(xmpi_pack_t *pack, topology_t *topology)
{
    *topology = (topology_t){0};
    xmpi_pack_get(pack, &topology->kind, sizeof topology->kind);
    xmpi_pack_get(pack, &topology->weighed, sizeof topology->weighed);
    for (int i = 0; i < ARRAYS; i++)
        topology->of[i] = xmpi_pack_get_array(pack, &topology->n[i], sizeof(int));
}

/* HANDLER is that of the process that had it. What the program has freed is known by how it was
 * made. */
static void set_errhandler(MPI_Comm comm, MPI_Errhandler handler, int ours,
                           const xmpi_errhandler_made_t *made, bool taken)
{
    const xmpi_handle_t *entry = xmpi_handle_at(XMPI_HANDLE_ERRHANDLER, ours);
    if (handler == MPI_ERRORS_ARE_FATAL)
        return; /* or it might be set that never was (base/quiet.h) */
    if (!taken || made->function == NULL)
        PMPI_Comm_set_errhandler(comm, handler);
    else if (entry != NULL)
        PMPI_Comm_set_errhandler(comm, entry->real);
    else if (xmpi_functions_errhandler(made, &handler) == MPI_SUCCESS) {
        PMPI_Comm_set_errhandler(comm, handler);
        PMPI_Errhandler_free(&handler);
    }
}

/* COMM may be MPI_COMM_NULL: they are left out. WHOLE: the name and what handles errors as well. */
static void get_marks(xmpi_pack_t *pack, MPI_Comm comm, bool taken, bool whole)
{
    int hints = 0, ours = 0;
    MPI_Errhandler handler;
    xmpi_errhandler_made_t made;
    const char *name = xmpi_pack_view_text(pack);
    xmpi_pack_get(pack, &handler, sizeof handler);
    xmpi_pack_get(pack, &ours, sizeof ours);
    xmpi_pack_get(pack, &made, sizeof made);
    xmpi_pack_get(pack, &hints, sizeof hints);
    MPI_Info info = hints && pack->status == XMPI_OK ? xmpi_info_get(pack) : MPI_INFO_NULL;
    bool set = comm != MPI_COMM_NULL && pack->status == XMPI_OK;
    if (set && whole && name[0] != '\0')
        PMPI_Comm_set_name(comm, name);
    if (set && whole)
        set_errhandler(comm, handler, ours, &made, taken);
    if (set && info != MPI_INFO_NULL)
        PMPI_Comm_set_info(comm, info);
    if (info != MPI_INFO_NULL)
        PMPI_Info_free(&info);
    if (set)
        xmpi_attributes_get(pack, XMPI_OF_COMM, comm);
    else
        xmpi_attributes_skip(pack);
}

/* A topology of all is put on WORLD, which nobody has given anything yet that is inherited: others
 * are made twice, without and with it. */
static int make_one(const members_t *members, const topology_t *topology, MPI_Comm world,
                    MPI_Comm *comm)
{
    bool inter = members[1].rank != NULL;
    if (!inter && topology->kind != MPI_UNDEFINED && are_world(&members[0], world))
        return put_on(topology, world, comm);
    int result = inter ? make_inter(members, world, comm) : make_intra(&members[0], world, comm);
    return result == MPI_SUCCESS ? add_topology(topology, comm) : result;
}

/* All are made again, also those whose members stay: MPICH's ch3 lets a communicator of the first
 * ranks of another one have that one's connections, all of them, so that it would keep those to a
 * process that leaves, which waits for their end. */
static void make_comm(xmpi_pack_t *pack, xmpi_handle_t *entry, const members_t *members,
                      const topology_t *topology, const xmpi_next_world_t *next)
{
    MPI_Comm comm = MPI_COMM_NULL;
    if (pack->status == XMPI_OK && entry->ahead == 0) {
        int result = make_one(members, topology, next->world, &comm);
        entry->ahead = comm == MPI_COMM_NULL ? 0 : comm;
        if (result != MPI_SUCCESS)
            pack->status = XMPI_ERR_INTERNAL;
    }
    get_marks(pack, comm, next->taken, true);
}

static void get_comm(xmpi_pack_t *pack, const xmpi_next_world_t *next)
{
    int handle = 0, inter = 0;
    xmpi_comm_made_t made;
    members_t members[2] = {0};
    topology_t topology;
    xmpi_handle_t *entry = NULL;
    if (next->taken)
        entry = xmpi_entry_get(pack, XMPI_HANDLE_COMM, &handle);
    else
        entry = xmpi_entry_skip(pack, XMPI_HANDLE_COMM);
    xmpi_pack_get(pack, &made, sizeof made);
    if (next->taken && entry != NULL && (entry->made = malloc(sizeof made)) != NULL)
        *(xmpi_comm_made_t *)entry->made = made;
    xmpi_pack_get(pack, &inter, sizeof inter);
    members[0] = get_members(pack);
    if (inter)
        members[1] = get_members(pack);
    get_topology(pack, &topology);
    if (entry == NULL || entry->made == NULL)
        pack->status = pack->status == XMPI_OK ? XMPI_ERR_MEMORY : pack->status;
    if (pack->status == XMPI_OK)
        make_comm(pack, entry, members, &topology, next);
    free(members[0].rank);
    free(members[1].rank);
    free_arrays(&topology);
}

static void get_group(xmpi_pack_t *pack, const xmpi_next_world_t *next)
{
    int handle;
    MPI_Group group;
    xmpi_handle_t *entry = next->taken ? xmpi_entry_get(pack, XMPI_HANDLE_GROUP, &handle)
                                       : xmpi_entry_skip(pack, XMPI_HANDLE_GROUP);
    members_t members = get_members(pack);
    if (pack->status == XMPI_OK && (next->taken || any_moved(&members, next))) {
        if (make_group(&members, next->world, &group) == MPI_SUCCESS)
            entry->ahead = group;
        else
            pack->status = XMPI_ERR_INTERNAL;
    }
    free(members.rank);
}

void xmpi_comms_get(xmpi_pack_t *pack, const xmpi_next_world_t *next)
{
    int n = 0;
    xmpi_comm_made_t world_made, self_made;
    xmpi_pack_get(pack, &world_made, sizeof world_made);
    xmpi_pack_get(pack, &self_made, sizeof self_made);
    if (next->taken) {
        xmpi_handles.world_made = world_made;
        xmpi_handles.self_made = self_made;
    }
    size_t marks = pack->at;
    get_marks(pack, MPI_COMM_NULL, next->taken, next->taken);
    get_marks(pack, next->taken ? MPI_COMM_SELF : MPI_COMM_NULL, next->taken, true);
    xmpi_pack_get(pack, &n, sizeof n);
    for (int i = 0; i < n && pack->status == XMPI_OK; i++)
        get_comm(pack, next);
    xmpi_pack_get(pack, &n, sizeof n);
    for (int i = 0; i < n && pack->status == XMPI_OK; i++)
        get_group(pack, next);
    size_t end = pack->at;
    pack->at = marks; /* what the world has is inherited by what is made of it */
    get_marks(pack, next->world, next->taken, next->taken);
    pack->at = end;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What the wrappers do with handles, but for requests. */
#include "act/handles/table/wrap.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define XMPI_COLLECTIVE_PLAIN /* of the program's communicators, between two groups too */
#include "base/collective.h"
#include "base/export.h"
#include "base/misuse.h"

/* --- given -------------------------------------------------------------------------------------
 */

void xmpi_handle_given(xmpi_handle_kind_t kind, int *handle, const char *call, const void *place)
{
    if (handle != NULL && xmpi_handle_is_made(kind, *handle))
        *handle = xmpi_handle_add(kind, *handle, call, place);
}

/* The MPI counts error handlers each time that it gives them, other objects that are asked for here
 * not. */
void xmpi_handle_given_again(xmpi_handle_kind_t kind, int *handle, const char *call,
                             const void *place)
{
    if (handle == NULL || !xmpi_handle_is_made(kind, *handle))
        return;
    int real = *handle, ours = xmpi_handle_ours(kind, real);
    if (ours == real) {
        *handle = xmpi_handle_add(kind, real, call, place);
        return;
    }
    *handle = ours;
    if (kind == XMPI_HANDLE_COMM)
        return;
    xmpi_handle_at(kind, ours)->refs++;
    if (kind == XMPI_HANDLE_ERRHANDLER)
        PMPI_Errhandler_free(&real);
    else
        PMPI_Type_free(&real);
}

/* --- communicators -----------------------------------------------------------------------------
 */

/* NULL: it is none of ours. */
static xmpi_comm_made_t *made_of(MPI_Comm comm)
{
    if (comm == MPI_COMM_WORLD)
        return &xmpi_handles.world_made;
    if (comm == MPI_COMM_SELF)
        return &xmpi_handles.self_made;
    xmpi_handle_t *entry = xmpi_handle_at(XMPI_HANDLE_COMM, comm);
    return entry == NULL ? NULL : entry->made;
}

uint64_t xmpi_comm_child(MPI_Comm comm)
{
    xmpi_comm_made_t *made = made_of(comm);
    return made == NULL ? 1 : ++made->children;
}

void xmpi_comm_hinted(MPI_Comm comm)
{
    xmpi_comm_made_t *made = made_of(comm);
    if (made != NULL)
        made->hinted = true;
}

static xmpi_comm_id_t id_of(const uint64_t *word, size_t words)
{
    XXH128_hash_t hash = XXH3_128bits(word, words * sizeof *word);
    return (xmpi_comm_id_t){.high = hash.high64, .low = hash.low64};
}

static int rank_in_world(MPI_Group group, MPI_Group world)
{
    int first = 0, rank = MPI_UNDEFINED;
    PMPI_Group_translate_ranks(group, 1, &first, world, &rank);
    return rank;
}

/* The rank in the world of the first member, of both groups of an intercommunicator. */
static int first_member(MPI_Comm comm, bool inter)
{
    MPI_Group group, world;
    PMPI_Comm_group(xmpi_handles.world, &world);
    PMPI_Comm_group(comm, &group);
    int first = rank_in_world(group, world);
    PMPI_Group_free(&group);
    if (inter) {
        PMPI_Comm_remote_group(comm, &group);
        int other = rank_in_world(group, world);
        first = other < first ? other : first;
        PMPI_Group_free(&group);
    }
    PMPI_Group_free(&world);
    return first;
}

/* One that the first member of COMM proposes, to its members; of both groups of an
 * intercommunicator, to both: each tells the other, and is told by it what it has told. */
static xmpi_comm_id_t agree(MPI_Comm comm, bool inter)
{
    int rank, of_world;
    xmpi_comm_id_t id = {0}, other = {0}, own = {0};
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_rank(xmpi_handles.world, &of_world);
    if (rank == 0)
        id = id_of((uint64_t[]){(uint64_t)of_world, ++xmpi_handles.serial}, 2);
    if (!inter) {
        PMPI_Bcast(&id, sizeof id, MPI_BYTE, 0, comm);
        return id;
    }
    PMPI_Allreduce(&id, &other, 2, MPI_UINT64_T, MPI_BXOR, comm);
    id = rank == 0 ? other : (xmpi_comm_id_t){0};
    PMPI_Allreduce(&id, &own, 2, MPI_UINT64_T, MPI_BXOR, comm);
    bool first = own.high < other.high || (own.high == other.high && own.low < other.low);
    xmpi_comm_id_t low = first ? own : other, high = first ? other : own;
    return id_of((uint64_t[]){low.high, low.low, high.high, high.low}, 4);
}

/* (A duplicate that is still being made cannot be asked; it has the members of its parent.) */
static xmpi_comm_id_t derive(MPI_Comm comm, const xmpi_comm_made_t *parent, uint64_t number,
                             bool inter, const char *call)
{
    uint64_t first = strstr(call, "dup") == NULL ? (uint64_t)first_member(comm, inter) : 0;
    return id_of((uint64_t[]){parent->id.high, parent->id.low, number, first}, 4);
}

static bool connects(const char *call)
{
    return strstr(call, "spawn") != NULL || strstr(call, "accept") != NULL ||
           strstr(call, "connect") != NULL || strstr(call, "join") != NULL;
}

void xmpi_comm_given(MPI_Comm *comm, MPI_Comm parent, uint64_t number, bool hinted,
                     const char *call, const void *place)
{
    int inter = 0;
    const xmpi_comm_made_t *of = made_of(parent);
    if (comm == NULL || !xmpi_handle_is_made(XMPI_HANDLE_COMM, *comm))
        return;
    xmpi_comm_made_t *made = calloc(1, sizeof *made);
    if (made == NULL)
        xmpi_misuse("no memory for a communicator of the program");
    if (strstr(call, "idup") == NULL)
        PMPI_Comm_test_inter(*comm, &inter);
    made->hinted = hinted || (of != NULL && of->hinted && strstr(call, "dup") != NULL);
    if (number > 0 && of != NULL)
        made->id = derive(*comm, of, number, inter != 0, call);
    else if (!connects(call))
        made->id = agree(*comm, inter != 0);
    *comm = xmpi_handle_add(XMPI_HANDLE_COMM, *comm, call, place);
    xmpi_handle_at(XMPI_HANDLE_COMM, *comm)->made = made;
}

/* --- taken away --------------------------------------------------------------------------------
 */

bool xmpi_handle_kept(xmpi_handle_kind_t kind, int *handle, int *real)
{
    xmpi_handle_t *entry = xmpi_handle_at(kind, *handle);
    *real = entry == NULL ? *handle : entry->real;
    if (entry == NULL || entry->refs == 1)
        return false;
    entry->refs--;
    if (kind == XMPI_HANDLE_COMM)
        ((xmpi_comm_made_t *)entry->made)->freed = true;
    *handle = xmpi_handle_null(kind);
    return true;
}

void xmpi_handle_left(xmpi_handle_kind_t kind, int *handle, int real)
{
    if (xmpi_handle_at(kind, *handle) == NULL || real != xmpi_handle_null(kind)) {
        if (xmpi_handle_at(kind, *handle) == NULL)
            *handle = real;
        return;
    }
    xmpi_handle_drop(kind, *handle);
    *handle = real;
}

/* --- arrays ------------------------------------------------------------------------------------
 */

const int *xmpi_reals(xmpi_handle_kind_t kind, int64_t n, const int *from, int **made)
{
    *made = NULL;
    if (!xmpi_handles.on || n <= 0 || from == NULL)
        return from;
    *made = malloc((size_t)n * sizeof **made);
    if (*made == NULL)
        xmpi_misuse("no memory for %lld handles of the program", (long long)n);
    for (int64_t i = 0; i < n; i++)
        (*made)[i] = xmpi_real(kind, xmpi_handle_null(kind), from[i]);
    return *made;
}

int xmpi_parts(MPI_Comm comm, bool neighbors, bool sent)
{
    int n = 0, other = 0, inter = 0, topology = MPI_UNDEFINED;
    if (!xmpi_handles.on || comm == MPI_COMM_NULL)
        return 0;
    if (!neighbors) {
        PMPI_Comm_test_inter(comm, &inter);
        inter ? PMPI_Comm_remote_size(comm, &n) : PMPI_Comm_size(comm, &n);
        return n;
    }
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART) {
        PMPI_Cartdim_get(comm, &n);
        return 2 * n;
    }
    if (topology == MPI_GRAPH) {
        PMPI_Comm_rank(comm, &other);
        PMPI_Graph_neighbors_count(comm, other, &n);
        return n;
    }
    if (topology == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors_count(comm, sent ? &other : &n, sent ? &n : &other, &(int){0});
    return n;
}

int xmpi_at_root(MPI_Comm comm, int root, int n)
{
    int rank = -1;
    if (xmpi_handles.on && comm != MPI_COMM_NULL)
        PMPI_Comm_rank(comm, &rank);
    return rank == root ? n : 0;
}

/* --- what keeps the program here ---------------------------------------------------------------
 */

bool xmpi_comm_is_alone(MPI_Comm comm)
{
    int size = 0, inter = 1;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_test_inter(comm, &inter);
    return size == 1 && !inter;
}

void xmpi_pin_add(xmpi_pin_kind_t kind, int64_t handle, bool alone, const char *call,
                  const void *place)
{
    xmpi_handles_t *all = &xmpi_handles;
    pthread_mutex_lock(&all->lock);
    if (all->pins == all->pin_room) {
        int room = 2 * all->pin_room + 8;
        xmpi_pin_t *more = realloc(all->pin, (size_t)room * sizeof *more);
        if (more == NULL)
            xmpi_misuse("no memory for a list of %d things that the program has open", room);
        all->pin = more;
        all->pin_room = room;
    }
    all->pin[all->pins++] = (xmpi_pin_t){kind, alone, handle, call, place};
    pthread_mutex_unlock(&all->lock);
}

void xmpi_pin_drop(xmpi_pin_kind_t kind, int64_t handle)
{
    xmpi_handles_t *all = &xmpi_handles;
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < all->pins; i++)
        if (all->pin[i].kind == kind && all->pin[i].handle == handle) {
            all->pin[i] = all->pin[--all->pins];
            break;
        }
    pthread_mutex_unlock(&all->lock);
}

/* The MPI does not tell what buffer it has been given. */
static int attached(int result, void *buffer, int64_t bytes)
{
    if (result == MPI_SUCCESS) {
        xmpi_handles.buffer = buffer;
        xmpi_handles.buffer_bytes = bytes;
    }
    return result;
}

XMPI_EXPORT int MPI_Buffer_attach(void *buffer, int bytes)
{
    return attached(PMPI_Buffer_attach(buffer, bytes), buffer, bytes);
}

XMPI_EXPORT int MPI_Buffer_detach(void *buffer, int *bytes)
{
    return attached(PMPI_Buffer_detach(buffer, bytes), NULL, 0);
}

#if MPI_VERSION >= 4
XMPI_EXPORT int MPI_Buffer_attach_c(void *buffer, MPI_Count bytes)
{
    return attached(PMPI_Buffer_attach_c(buffer, bytes), buffer, bytes);
}

XMPI_EXPORT int MPI_Buffer_detach_c(void *buffer, MPI_Count *bytes)
{
    return attached(PMPI_Buffer_detach_c(buffer, bytes), NULL, 0);
}
#endif

/* --- datatypes ---------------------------------------------------------------------------------
 */

XMPI_EXPORT int MPI_Type_commit(MPI_Datatype *type)
{
    if (type == NULL)
        return PMPI_Type_commit(type);
    MPI_Datatype real = xmpi_real_type(*type);
    return PMPI_Type_commit(&real);
}

XMPI_EXPORT int MPI_Type_get_contents(MPI_Datatype type, int integers, int addresses, int datatypes,
                                      int *integer, MPI_Aint *address, MPI_Datatype *datatype)
{
    int n[4] = {0};
    MPI_Datatype real = xmpi_real_type(type);
    int result =
        PMPI_Type_get_contents(real, integers, addresses, datatypes, integer, address, datatype);
    if (!xmpi_handles.on || result != MPI_SUCCESS)
        return result;
    PMPI_Type_get_envelope(real, &n[0], &n[1], &n[2], &n[3]);
    for (int i = 0; i < n[2]; i++)
        xmpi_handle_given_again(XMPI_HANDLE_TYPE, &datatype[i], "MPI_Type_get_contents",
                                XMPI_PLACE);
    return result;
}

#if MPI_VERSION >= 4
XMPI_EXPORT int MPI_Type_get_contents_c(MPI_Datatype type, MPI_Count integers, MPI_Count addresses,
                                        MPI_Count counts, MPI_Count datatypes, int *integer,
                                        MPI_Aint *address, MPI_Count *count, MPI_Datatype *datatype)
{
    int combiner;
    MPI_Count n[4] = {0};
    MPI_Datatype real = xmpi_real_type(type);
    int result = PMPI_Type_get_contents_c(real, integers, addresses, counts, datatypes, integer,
                                          address, count, datatype);
    if (!xmpi_handles.on || result != MPI_SUCCESS)
        return result;
    PMPI_Type_get_envelope_c(real, &n[0], &n[1], &n[2], &n[3], &combiner);
    for (MPI_Count i = 0; i < n[3]; i++)
        xmpi_handle_given_again(XMPI_HANDLE_TYPE, &datatype[i], "MPI_Type_get_contents_c",
                                XMPI_PLACE);
    return result;
}
#endif

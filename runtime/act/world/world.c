/* SPDX-License-Identifier: BSD-3-Clause
 * World: the communicator that MPI_COMM_WORLD stands for. */
#include "act/world/world.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "act/handles/handles.h"
#include "act/handles/table/table.h"
#include "act/world/derived.h"
#include "base/collective.h"
#include "base/export.h"
#include "base/misuse.h"

xmpi_world_t xmpi_world;

bool xmpi_leads(void)
{
    return xmpi_world.rank == 0;
}

MPI_Comm xmpi_world_of(MPI_Comm comm, const char *call)
{
    if (comm != MPI_COMM_WORLD && xmpi_derived_gone > 0)
        xmpi_derived_used(comm, call);
    if (comm != MPI_COMM_WORLD || xmpi_world.state == XMPI_STATE_PLAIN)
        return xmpi_real_comm(comm);
    if (xmpi_world.state == XMPI_STATE_REMOVED)
        xmpi_misuse("%s after XMPI_Remove: this process has no world any more", call);
    if (xmpi_world.state == XMPI_STATE_JOINING)
        xmpi_misuse("%s before the loop: a joining process has no world there; mark the statement "
                    "#pragma xmpi initial or #pragma xmpi setup",
                    call);
    xmpi_world.asked++;
    return xmpi_world.comm;
}

MPI_Comm xmpi_world_local(MPI_Comm comm)
{
    if (comm != MPI_COMM_WORLD || xmpi_world.state != XMPI_STATE_RUNNING)
        return xmpi_real_comm(comm);
    return xmpi_world.comm;
}

void xmpi_world_connected(MPI_Comm other, const char *call)
{
    if (other != MPI_COMM_NULL)
        xmpi_world.connected = call;
}

void xmpi_world_open(xmpi_world_t *world)
{
    PMPI_Comm_dup(MPI_COMM_WORLD, &world->initial);
    PMPI_Comm_dup(MPI_COMM_SELF, &world->self);
    PMPI_Comm_set_errhandler(world->self, MPI_ERRORS_RETURN);
    world->comm = MPI_COMM_WORLD;
    world->moves = MPI_COMM_NULL;
    PMPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &world->size);
}

/* No duplicate: attributes that the program has given to its world would be copied, by functions of
 * its own. */
MPI_Comm xmpi_world_moves(xmpi_world_t *world)
{
    MPI_Group all;
    if (world->moves == MPI_COMM_NULL) {
        PMPI_Comm_group(world->comm, &all);
        PMPI_Comm_create(world->comm, all, &world->moves);
        PMPI_Group_free(&all);
    }
    return world->moves;
}

/* The first piece tells the length, and holds all where that is short. MPI would send more round a
 * ring, with as many messages as the square of the ranks (of 96 processes on two cores those took
 * 0.1 s); so it goes in pieces, unless it is so long that what each passes on counts. */
enum { PIECE = 8192, LONG = 1 << 20 };

typedef struct {
    int64_t size;
    char bytes[PIECE - sizeof(int64_t)];
} head_t;

static void tell_rest(MPI_Comm comm, char *data, int64_t size)
{
    int64_t piece = size < LONG ? PIECE : size;
    for (int64_t at = 0; at < size; at += piece)
        PMPI_Bcast(data + at, (int)(size - at < piece ? size - at : piece), MPI_BYTE, 0, comm);
}

xmpi_status_t xmpi_world_tell(MPI_Comm comm, int rank, xmpi_pack_t *pack)
{
    head_t head = {.size = (int64_t)pack->size};
    if (rank == 0 && pack->size > 0)
        memcpy(head.bytes, pack->data,
               pack->size < sizeof head.bytes ? pack->size : sizeof head.bytes);
    PMPI_Bcast(&head, sizeof head, MPI_BYTE, 0, comm);
    if (rank != 0 && head.size > 0) {
        pack->data = malloc((size_t)head.size);
        pack->size = pack->room = (size_t)head.size;
        pack->status = pack->data == NULL ? XMPI_ERR_MEMORY : XMPI_OK;
        if (pack->data == NULL)
            return XMPI_ERR_MEMORY;
        memcpy(pack->data, head.bytes,
               pack->size < sizeof head.bytes ? pack->size : sizeof head.bytes);
    }
    int64_t told = (int64_t)sizeof head.bytes;
    if (head.size > told)
        tell_rest(comm, pack->data + told, head.size - told);
    return pack->status;
}

static void disconnect(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL && *comm != MPI_COMM_WORLD)
        PMPI_Comm_disconnect(comm);
    *comm = MPI_COMM_NULL;
}

/* Another communicator connects the same processes, so that nobody has to wait for them. */
static void release(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        PMPI_Comm_free(comm);
}

/* What the program has given to its world stays: error handler and name. */
static void inherit(MPI_Comm from, MPI_Comm to)
{
    int length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Errhandler handler;
    PMPI_Comm_get_errhandler(from, &handler);
    if (handler != MPI_ERRORS_ARE_FATAL) /* or it might be set that never was (base/quiet.h) */
        PMPI_Comm_set_errhandler(to, handler);
    PMPI_Errhandler_free(&handler);
    PMPI_Comm_get_name(from, name, &length);
    PMPI_Comm_set_name(to, name);
}

/* Error handlers that every process has; others are functions of the program. */
static const MPI_Errhandler *common_handlers(int *n)
{
    static MPI_Errhandler common[3];
    *n = 0;
    common[(*n)++] = MPI_ERRORS_ARE_FATAL;
    common[(*n)++] = MPI_ERRORS_RETURN;
#ifdef MPI_ERRORS_ABORT
    common[(*n)++] = MPI_ERRORS_ABORT;
#endif
    return common;
}

static MPI_Comm present(const xmpi_world_t *world)
{
    return world->comm == MPI_COMM_NULL ? MPI_COMM_WORLD : world->comm;
}

/* Of the common ones; as many as there are: none of them. */
static int number_of_handler(MPI_Comm comm)
{
    int n, which = 0;
    MPI_Errhandler handler;
    const MPI_Errhandler *common = common_handlers(&n);
    PMPI_Comm_get_errhandler(comm, &handler);
    while (which < n && common[which] != handler)
        which++;
    PMPI_Errhandler_free(&handler);
    return which;
}

void xmpi_world_put_marks(xmpi_pack_t *pack, const xmpi_world_t *world)
{
    int length, which = number_of_handler(present(world));
    char name[MPI_MAX_OBJECT_NAME] = "";
    PMPI_Comm_get_name(present(world), name, &length);
    xmpi_pack_put(pack, &which, sizeof which);
    xmpi_pack_put_text(pack, name);
}

/* (A function of the program's is set by the statement that has set it on the others.) */
void xmpi_world_get_marks(xmpi_pack_t *pack, const xmpi_world_t *world)
{
    int n, which = 0;
    const MPI_Errhandler *common = common_handlers(&n);
    xmpi_pack_get(pack, &which, sizeof which);
    const char *name = xmpi_pack_view_text(pack);
    if (which < n && which != number_of_handler(present(world))) {
        PMPI_Comm_set_errhandler(present(world), common[which]);
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, common[which]);
    }
    if (name != NULL)
        PMPI_Comm_set_name(present(world), name);
}

void xmpi_world_replace(xmpi_world_t *world, MPI_Comm comm)
{
    MPI_Comm old = present(world);
    xmpi_handles_detach(); /* messages that have been in a buffer keep the old one for ever */
    xmpi_handles_attach();
    if (comm != MPI_COMM_NULL) {
        inherit(old, comm);
        PMPI_Comm_rank(comm, &world->rank);
        PMPI_Comm_size(comm, &world->size);
    }
    release(&world->moves);
    disconnect(&world->comm);
    world->comm = comm;
    if (world == &xmpi_world)
        xmpi_handles.world = present(world);
}

void xmpi_world_enter(xmpi_world_t *world, MPI_Comm comm, xmpi_world_t *before)
{
    *before = *world;
    world->comm = comm;
    world->moves = MPI_COMM_NULL;
    if (comm != MPI_COMM_NULL) {
        PMPI_Comm_rank(comm, &world->rank);
        PMPI_Comm_size(comm, &world->size);
    }
    if (world == &xmpi_world)
        xmpi_handles.world = present(world);
}

void xmpi_world_return(xmpi_world_t *world, const xmpi_world_t *before)
{
    release(&world->moves);
    release(&world->comm);
    *world = *before;
    if (world == &xmpi_world)
        xmpi_handles.world = present(world);
}

void xmpi_world_leave(xmpi_world_t *before)
{
    release(&before->moves);
    disconnect(&before->comm);
}

void xmpi_world_close(xmpi_world_t *world)
{
    disconnect(&world->moves);
    disconnect(&world->comm);
    disconnect(&world->initial);
    disconnect(&world->self);
}

/* Errors of calls without a communicator go to the MPI's own world, which is another one after a
 * change of members. */
XMPI_EXPORT int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    MPI_Comm world = xmpi_world_local(comm);
    handler = xmpi_real_errhandler(handler);
    int result = PMPI_Comm_set_errhandler(world, handler);
    if (result == MPI_SUCCESS && comm == MPI_COMM_WORLD && world != comm)
        result = PMPI_Comm_set_errhandler(comm, handler);
    return result;
}

XMPI_EXPORT int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler)
{
    return MPI_Comm_set_errhandler(comm, handler);
}

XMPI_EXPORT int MPI_Comm_set_name(MPI_Comm comm, const char *name)
{
    return PMPI_Comm_set_name(xmpi_world_local(comm), name);
}

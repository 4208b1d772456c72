/* SPDX-License-Identifier: BSD-3-Clause
 * Going elsewhere with handles. */
#include "act/handles/handles.h"

#include <stdlib.h>
#include <string.h>

#include "act/handles/attributes.h"
#include "act/handles/comms.h"
#include "act/handles/objects.h"
#include "act/handles/requests.h"
#include "act/handles/sends.h"

/* What has come from another process and is not in effect. */
static struct {
    bool there;
    xmpi_handles_t handles;
    xmpi_pack_t pack; /* of which there is more to be read */
} incoming;

static MPI_Comm next_world = MPI_COMM_NULL; /* for which things have been made */

/* (The lock is nobody's: the program stands still.) */
static void exchange(void)
{
    xmpi_handles_t present = xmpi_handles;
    xmpi_handles = incoming.handles;
    incoming.handles = present;
}

void xmpi_handles_begin(void)
{
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    xmpi_handles.on = true;
    xmpi_handles.several = level == MPI_THREAD_MULTIPLE;
    xmpi_handles.world_made.id.low = 1;
    xmpi_handles.self_made.id.low = 2;
}

void xmpi_handles_put(xmpi_pack_t *pack)
{
    xmpi_pack_put(pack, &xmpi_handles.serial, sizeof xmpi_handles.serial);
    xmpi_pack_put(pack, &xmpi_handles.buffer, sizeof xmpi_handles.buffer);
    xmpi_pack_put(pack, &xmpi_handles.buffer_bytes, sizeof xmpi_handles.buffer_bytes);
    xmpi_sends_put(pack);
    xmpi_objects_put(pack);
    xmpi_comms_put(pack);
    xmpi_requests_put(pack);
}

/* A copy of its own: what is read last is read in the next world. */
static bool copy_pack(const xmpi_pack_t *pack)
{
    incoming.pack = (xmpi_pack_t){0};
    xmpi_pack_put(&incoming.pack, pack->data + pack->at, pack->size - pack->at);
    return incoming.pack.status == XMPI_OK;
}

xmpi_status_t xmpi_handles_get(const xmpi_pack_t *pack)
{
    if (!copy_pack(pack))
        return incoming.pack.status;
    incoming.there = true;
    incoming.handles = (xmpi_handles_t){.on = true,
                                        .several = xmpi_handles.several,
                                        .lock = PTHREAD_MUTEX_INITIALIZER,
                                        .world = xmpi_handles.world};
    exchange();
    xmpi_pack_get(&incoming.pack, &xmpi_handles.serial, sizeof xmpi_handles.serial);
    xmpi_pack_get(&incoming.pack, &xmpi_handles.buffer, sizeof xmpi_handles.buffer);
    xmpi_pack_get(&incoming.pack, &xmpi_handles.buffer_bytes, sizeof xmpi_handles.buffer_bytes);
    xmpi_sends_get(&incoming.pack);
    xmpi_objects_get(&incoming.pack);
    exchange();
    return incoming.pack.status;
}

static xmpi_status_t make(xmpi_pack_t *pack, const xmpi_next_world_t *next)
{
    xmpi_handles.quiet = true; /* (MPICH duplicates MPI_COMM_SELF for a grid of no dimensions) */
    xmpi_comms_get(pack, next);
    if (pack->status == XMPI_OK)
        xmpi_requests_get(pack, next->taken, next->world);
    xmpi_handles.quiet = false;
    xmpi_handles_claimed();
    return pack->status;
}

xmpi_status_t xmpi_handles_make(MPI_Comm world, const bool *moved)
{
    xmpi_next_world_t next = {.world = world, .moved = moved, .taken = incoming.there};
    next_world = world;
    if (incoming.there) {
        exchange();
        make(&incoming.pack, &next);
        exchange();
        return incoming.pack.status;
    }
    xmpi_pack_t own = {0};
    xmpi_comms_put(&own);
    xmpi_requests_put(&own);
    xmpi_status_t status = own.status == XMPI_OK ? make(&own, &next) : own.status;
    xmpi_pack_free(&own);
    return status;
}

/* --- freeing -----------------------------------------------------------------------------------
 * Without calls of the program's functions.
 */

static const xmpi_handle_kind_t of_world[] = {XMPI_HANDLE_REQUEST, XMPI_HANDLE_GROUP,
                                              XMPI_HANDLE_COMM};
enum { OF_WORLD = sizeof of_world / sizeof *of_world };

static void free_real(xmpi_handle_kind_t kind, int real)
{
    if (!xmpi_handle_is_made(kind, real))
        return;
    if (kind == XMPI_HANDLE_REQUEST)
        PMPI_Request_free(&real);
    else if (kind == XMPI_HANDLE_GROUP)
        PMPI_Group_free(&real);
    else
        PMPI_Comm_free(&real);
}

/* What is ahead takes the place of what is there, or goes. */
static void settle(bool in_effect)
{
    for (int i = 0; i < OF_WORLD; i++) {
        uint32_t number = 0;
        xmpi_handle_t *entry;
        while ((entry = xmpi_handle_next(of_world[i], &number)) != NULL) {
            if (entry->ahead == 0)
                continue;
            free_real(of_world[i], in_effect ? entry->real : entry->ahead);
            if (in_effect)
                entry->real = entry->ahead;
            entry->ahead = 0;
        }
    }
}

static void free_all(void)
{
    xmpi_handles.quiet = true;
    settle(false);
    for (int i = 0; i < OF_WORLD; i++) {
        uint32_t number = 0;
        const xmpi_handle_t *entry;
        while ((entry = xmpi_handle_next(of_world[i], &number)) != NULL)
            free_real(of_world[i], entry->real);
    }
    xmpi_objects_free();
    xmpi_handles.quiet = false;
}

static void drop_incoming(void)
{
    xmpi_pack_free(&incoming.pack);
    incoming.there = false;
}

static bool detached; /* the buffer that the program has attached, while it moves */

void xmpi_handles_detach(void)
{
    void *buffer;
    int bytes;
    if (xmpi_handles.buffer == NULL || detached)
        return;
    PMPI_Buffer_detach(&buffer, &bytes);
    detached = true;
}

void xmpi_handles_attach(void)
{
    if (xmpi_handles.buffer != NULL)
        PMPI_Buffer_attach(xmpi_handles.buffer, (int)xmpi_handles.buffer_bytes);
    detached = false;
}

void xmpi_handles_leave(void)
{
    if (!xmpi_handles.on)
        return;
    xmpi_attributes_clear(xmpi_handles.world);
    xmpi_attributes_clear(MPI_COMM_SELF);
    xmpi_handles_detach();
    detached = false;
    free_all();
    xmpi_requests_empty();
    xmpi_handles_empty();
    xmpi_sends_free();
    xmpi_handles.buffer = NULL;
    xmpi_handles.serial = 0;
    xmpi_handles.world_made = (xmpi_comm_made_t){.id = {.low = 1}};
    xmpi_handles.self_made = (xmpi_comm_made_t){.id = {.low = 2}};
}

/* What handles errors in the world is copied from the old one (act/world/world.c). */
static void hand_on_errhandler(MPI_Comm from, MPI_Comm to)
{
    MPI_Errhandler handler;
    PMPI_Comm_get_errhandler(from, &handler);
    if (handler != MPI_ERRORS_ARE_FATAL)
        PMPI_Comm_set_errhandler(to, handler);
    PMPI_Errhandler_free(&handler);
}

static void take_over(void)
{
    MPI_Comm old = xmpi_handles.world;
    xmpi_handles_leave();
    exchange();
    hand_on_errhandler(next_world, old);
    hand_on_errhandler(next_world, MPI_COMM_WORLD);
    xmpi_handles_attach();
    settle(true);
    drop_incoming();
}

void xmpi_handles_switch(void)
{
    if (!xmpi_handles.on || next_world == MPI_COMM_NULL)
        return;
    if (incoming.there) {
        take_over();
    } else {
        if (detached)
            xmpi_handles_attach();
        xmpi_attributes_clear(xmpi_handles.world);
        xmpi_handles.quiet = true;
        settle(true);
        xmpi_handles.quiet = false;
    }
    xmpi_handles.world = next_world;
    next_world = MPI_COMM_NULL;
    xmpi_handles_forget_sends();
}

void xmpi_handles_cancel(void)
{
    if (next_world != MPI_COMM_NULL && !incoming.there)
        xmpi_attributes_clear(next_world);
    xmpi_handles.quiet = true;
    settle(false);
    xmpi_handles.quiet = false;
    if (incoming.there) {
        exchange();
        if (next_world != MPI_COMM_NULL) {
            xmpi_attributes_clear(next_world);
            xmpi_attributes_clear(MPI_COMM_SELF);
        }
        free_all();
        xmpi_requests_empty();
        xmpi_handles_empty();
        xmpi_sends_free();
        exchange();
        drop_incoming();
    }
    if (detached)
        xmpi_handles_attach();
    next_world = MPI_COMM_NULL;
}

/* --- starting over -----------------------------------------------------------------------------
 */

static xmpi_handles_t aside; /* what the program had before */

static void swap_aside(void)
{
    xmpi_handles_t present = xmpi_handles;
    xmpi_handles = aside;
    aside = present;
}

void xmpi_handles_set_aside(MPI_Comm world)
{
    if (!xmpi_handles.on)
        return;
    xmpi_handles_detach();
    detached = false;
    aside = (xmpi_handles_t){.on = true,
                             .several = xmpi_handles.several,
                             .lock = PTHREAD_MUTEX_INITIALIZER,
                             .world = world,
                             .world_made.id.low = 1,
                             .self_made.id.low = 2};
    swap_aside();
}

void xmpi_handles_drop_aside(void)
{
    if (!aside.on)
        return;
    swap_aside();
    xmpi_attributes_clear(xmpi_handles.world);
    free_all();
    xmpi_requests_empty();
    xmpi_handles_empty();
    xmpi_sends_free();
    swap_aside();
    aside = (xmpi_handles_t){.on = false};
}

void xmpi_handles_take_back(void)
{
    if (!aside.on)
        return;
    xmpi_handles_detach();
    free_all();
    xmpi_requests_empty();
    xmpi_handles_empty();
    xmpi_sends_free();
    swap_aside();
    aside = (xmpi_handles_t){.on = false};
    xmpi_handles_attach();
}

static bool ends_with(const char *call, const char *end)
{
    size_t length = strlen(call), most = strlen(end);
    return length >= most && strcmp(call + length - most, end) == 0;
}

/* A program may end with requests that it has lost sight of, as of a send whose variable has been
 * given to another one. Each holds its communicator, and MPI_Comm_disconnect waits for it for ever.
 * What nobody has sent by now does not come. Requests of collective operations cannot be freed. */
static void free_left(const xmpi_handle_t *entry)
{
    MPI_Request request = entry->real;
    int complete = 0;
    const bool receives = ends_with(entry->call, "recv");
    if (!xmpi_request_is_persistent(entry) && receives)
        PMPI_Cancel(&request);
    if (xmpi_request_is_persistent(entry) || receives || ends_with(entry->call, "send"))
        free_real(XMPI_HANDLE_REQUEST, request);
    else
        PMPI_Test(&request, &complete, MPI_STATUS_IGNORE);
}

void xmpi_handles_close(void)
{
    uint32_t number = 0;
    const xmpi_handle_t *entry;
    while ((entry = xmpi_handle_next(XMPI_HANDLE_REQUEST, &number)) != NULL)
        free_left(entry);
    drop_incoming();
}

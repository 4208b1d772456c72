/* SPDX-License-Identifier: BSD-3-Clause
 * The list of the program's persistent requests. */
#include "act/world/requests.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "act/handles/table/wrap.h"
#include "act/world/world.h"
#include "base/export.h"
#include "base/misuse.h"

/* One that the program has made, and where it has put it. */
typedef struct {
    MPI_Request handle;
    const MPI_Request *at;
    bool collective; /* of a collective operation; else of messages */
    bool freed;      /* by a change; the program may still have the handle */
} persistent_t;

/* Any thread of the program may make requests. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
    persistent_t *request; /* malloc */
    int n, room;
    int freed; /* how many of them are */
} requests;

/* -1: there is none. */
static int find(MPI_Request handle, bool freed)
{
    for (int i = 0; i < requests.n; i++)
        if (requests.request[i].handle == handle && requests.request[i].freed == freed)
            return i;
    return -1;
}

/* The freed one that the program still has in the variable AT; -1: none. */
static int find_freed_at(const MPI_Request *at)
{
    for (int i = 0; i < requests.n; i++)
        if (requests.request[i].freed && requests.request[i].at == at)
            return i;
    return -1;
}

static void drop(int i)
{
    requests.freed -= requests.request[i].freed;
    requests.request[i] = requests.request[--requests.n];
}

static void make_room(void)
{
    if (requests.n < requests.room)
        return;
    int room = requests.room > 0 ? 2 * requests.room : 8;
    persistent_t *more = realloc(requests.request, (size_t)room * sizeof *more);
    if (more == NULL)
        xmpi_misuse("no memory for a list of %d persistent requests", room);
    requests.request = more;
    requests.room = room;
}

void xmpi_requests_made(const MPI_Request *request, bool collective)
{
    if (xmpi_world.state == XMPI_STATE_PLAIN)
        return;
    pthread_mutex_lock(&lock);
    int before = find_freed_at(request);
    if (before >= 0)
        drop(before);
    make_room();
    requests.request[requests.n++] =
        (persistent_t){.handle = *request, .at = request, .collective = collective};
    pthread_mutex_unlock(&lock);
}

/* The MPI gives the handle of a freed request to another one: it is the old one only where nothing
 * that is in use has it. */
static bool is_freed(MPI_Request handle)
{
    return handle != MPI_REQUEST_NULL && find(handle, false) < 0 &&
           find(handle, true) >= 0;
}

void xmpi_requests_started(int n, const MPI_Request *request, const char *call)
{
    if (requests.freed == 0 || request == NULL)
        return;
    for (int i = 0; i < n; i++)
        if (is_freed(request[i]))
            xmpi_misuse("%s of a persistent request that a change of the layout has freed; make it "
                        "in a statement marked #pragma xmpi setup, which is run again then",
                        call);
}

bool xmpi_requests_mixed(void)
{
    int collective = 0;
    for (int i = 0; i < requests.n; i++)
        collective += requests.request[i].collective;
    return collective > 0 && collective < requests.n;
}

static void check_inactive(MPI_Request request)
{
    int complete = 1;
    PMPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
    if (!complete)
        xmpi_misuse("a persistent request is still active when an iteration ends, where the layout "
                    "changes; wait for it (MPI_Wait) in the iteration that starts it");
}

void xmpi_requests_free(void)
{
    for (int i = 0; i < requests.n; i++) {
        persistent_t *one = &requests.request[i];
        MPI_Request handle = one->handle;
        if (one->freed)
            continue;
        check_inactive(handle);
        PMPI_Request_free(&handle);
        one->freed = true;
        requests.freed++;
    }
}

void xmpi_requests_close(void)
{
    for (int i = 0; i < requests.n; i++)
        if (!requests.request[i].freed)
            PMPI_Request_free(&requests.request[i].handle);
    free(requests.request);
    memset(&requests, 0, sizeof requests);
}

/* A setup that frees what it has made before it makes it anew finds it freed. */
static bool forget(const MPI_Request *request)
{
    bool freed = false;
    pthread_mutex_lock(&lock);
    int i = find_freed_at(request);
    if (i < 0 || requests.request[i].handle != *request)
        i = find(*request, false);
    if (i < 0)
        i = find(*request, true);
    if (i >= 0) {
        freed = requests.request[i].freed;
        drop(i);
    }
    pthread_mutex_unlock(&lock);
    return freed;
}

XMPI_EXPORT int MPI_Request_free(MPI_Request *request)
{
    if (request != NULL && xmpi_request_freed(request))
        return MPI_SUCCESS;
    if (request == NULL || !forget(request))
        return PMPI_Request_free(request);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

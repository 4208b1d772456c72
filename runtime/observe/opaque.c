/* SPDX-License-Identifier: BSD-3-Clause
 * Opaque requests: those of non-blocking I/O and generalized ones. */
#include "observe/opaque.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/misuse.h"

atomic_int xmpi_opaque_known;

static xmpi_opaque_request_t *known; /* malloc */
static int room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void make_room(int n)
{
    if (n < room)
        return;
    room = room > 0 ? 2 * room : 16;
    known = realloc(known, (size_t)room * sizeof *known);
    if (known == NULL)
        xmpi_misuse("no memory for a list of %d requests", room);
}

static void put_in(xmpi_opaque_request_t request)
{
    int n = atomic_load(&xmpi_opaque_known);
    make_room(n);
    known[n] = request;
    atomic_store(&xmpi_opaque_known, n + 1);
}

/* Whether it was there; what is known of it into TAKEN. */
static bool take_out(MPI_Request handle, xmpi_opaque_request_t *taken)
{
    int n = atomic_load(&xmpi_opaque_known);
    for (int i = 0; i < n; i++)
        if (known[i].handle == handle) {
            *taken = known[i];
            known[i] = known[n - 1];
            atomic_store(&xmpi_opaque_known, n - 1);
            return true;
        }
    return false;
}

void xmpi_opaque_made(MPI_Request handle, bool file)
{
    xmpi_opaque_request_t taken;
    if (handle == MPI_REQUEST_NULL)
        return;
    pthread_mutex_lock(&lock);
    take_out(handle, &taken);
    put_in((xmpi_opaque_request_t){handle, file});
    pthread_mutex_unlock(&lock);
}

static void add_found(xmpi_opaque_t *found, int count, xmpi_opaque_request_t request)
{
    if (found->request == NULL)
        found->request = malloc((size_t)count * sizeof *found->request);
    if (found->request == NULL)
        xmpi_misuse("no memory for a list of %d requests", count);
    found->request[found->n++] = request;
    found->files &= request.file;
}

xmpi_opaque_t xmpi_opaque_find(int count, const MPI_Request *request)
{
    xmpi_opaque_t found = {.files = true};
    int others = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count && request != NULL; i++) {
        xmpi_opaque_request_t taken;
        if (request[i] == MPI_REQUEST_NULL)
            continue;
        if (take_out(request[i], &taken))
            add_found(&found, count, taken);
        else
            others++;
    }
    pthread_mutex_unlock(&lock);
    found.files &= found.n > 0 && others == 0;
    return found;
}

void xmpi_opaque_put_back(int count, const MPI_Request *request, xmpi_opaque_t *found)
{
    for (int i = 0; i < found->n; i++)
        for (int k = 0; k < count; k++)
            if (request[k] == found->request[i].handle) {
                xmpi_opaque_made(request[k], found->request[i].file);
                break;
            }
    free(found->request);
    found->request = NULL;
    found->n = 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Requests of the program. */
#include "act/handles/again.h"
#include "act/handles/requests.h"

#include <stdlib.h>
#include <string.h>

#include "act/handles/table/wrap.h"
#include "base/misuse.h"

/* --- around calls ------------------------------------------------------------------------------
 */

MPI_Request *xmpi_requests_take(xmpi_taken_t *taken, int n, MPI_Request *request)
{
    taken->n = 0;
    if (!xmpi_handles.on || n <= 0 || request == NULL)
        return request;
    taken->real = taken->few;
    if (n > XMPI_FEW_REQUESTS && (taken->real = malloc((size_t)n * sizeof *request)) == NULL)
        xmpi_misuse("no memory for %d requests of the program", n);
    taken->n = n;
    taken->program = request;
    for (int i = 0; i < n; i++)
        taken->real[i] = xmpi_real_request(request[i]);
    return taken->real;
}

bool xmpi_request_is_persistent(const xmpi_handle_t *entry)
{
    const xmpi_request_made_t *made = entry->made;
    return made != NULL && made->persistent;
}

static void free_types(const xmpi_handle_t *entry)
{
    const xmpi_request_made_t *made = entry->made;
    for (int i = 0; made != NULL && i < 2; i++) {
        free(made->types[i].ours);
        free(made->types[i].real);
    }
}

void xmpi_requests_empty(void)
{
    uint32_t number = 0;
    const xmpi_handle_t *entry;
    while ((entry = xmpi_handle_next(XMPI_HANDLE_REQUEST, &number)) != NULL)
        free_types(entry);
}

static void release(int handle, xmpi_handle_t *entry)
{
    if (entry->made != NULL)
        free_types(entry);
    xmpi_handle_free(XMPI_HANDLE_REQUEST, handle, entry);
}

static void set_active(const xmpi_handle_t *entry, bool active)
{
    if (entry != NULL && entry->made != NULL)
        ((xmpi_request_made_t *)entry->made)->active = active;
}

/* Those that the MPI has freed as they are complete are the program's no more. CHANGED: those that
 * stay, persistent ones, all have become ACTIVE, or inactive. */
static void give_back(xmpi_taken_t *taken, bool changed, bool active)
{
    for (int i = 0; i < taken->n; i++) {
        xmpi_handle_t *entry = xmpi_handle_at(XMPI_HANDLE_REQUEST, taken->program[i]);
        if (entry == NULL) {
            taken->program[i] = taken->real[i];
        } else if (taken->real[i] != entry->real) {
            release(taken->program[i], entry);
            taken->program[i] = taken->real[i];
        } else if (changed) {
            set_active(entry, active);
        }
    }
    if (taken->real != taken->few)
        free(taken->real);
}

/* Where the MPI says that there is nothing to wait for all are inactive, also those that have been
 * started: a message from or to MPI_PROC_NULL may be done at once. */
void xmpi_requests_back(xmpi_taken_t *taken, int done, const int *indices)
{
    if (taken->n == 0)
        return;
    if (done == MPI_UNDEFINED || (done == 1 && indices != NULL && indices[0] == MPI_UNDEFINED))
        done = XMPI_ALL_DONE;
    for (int i = 0; i < done && indices != NULL; i++)
        if (indices[i] >= 0 && indices[i] < taken->n)
            set_active(xmpi_handle_at(XMPI_HANDLE_REQUEST, taken->program[indices[i]]), false);
    give_back(taken, done == XMPI_ALL_DONE, false);
}

void xmpi_requests_began(xmpi_taken_t *taken, bool it_has)
{
    if (taken->n > 0)
        give_back(taken, it_has, true);
}

static xmpi_request_made_t *new_made(void)
{
    xmpi_request_made_t *made = calloc(1, sizeof *made);
    if (made == NULL)
        xmpi_misuse("no memory for a request of the program");
    return made;
}

void xmpi_request_given(MPI_Request *request, int *sent, int *received, const char *call,
                        const void *place)
{
    if (request == NULL || !xmpi_handle_is_made(XMPI_HANDLE_REQUEST, *request)) {
        free(sent); /* it is complete */
        free(received);
        return;
    }
    *request = xmpi_handle_add(XMPI_HANDLE_REQUEST, *request, call, place);
    if (sent == NULL && received == NULL)
        return;
    xmpi_request_made_t *made = new_made();
    made->types[0].real = sent;
    made->types[1].real = received;
    xmpi_handle_at(XMPI_HANDLE_REQUEST, *request)->made = made;
}

/* --- what persistent ones need -----------------------------------------------------------------
 * It stays although the program frees it: so it does with the MPI.
 */

static bool kind_of(char letter, xmpi_handle_kind_t *kind)
{
    *kind = letter == 'C' ? XMPI_HANDLE_COMM : letter == 'T' ? XMPI_HANDLE_TYPE : XMPI_HANDLE_OP;
    return letter == 'C' || letter == 'T' || letter == 'O';
}

static void refer(xmpi_handle_kind_t kind, int handle)
{
    xmpi_handle_t *entry = xmpi_handle_at(kind, handle);
    if (entry != NULL)
        entry->refs++;
}

static void refer_to_all(const xmpi_request_made_t *made)
{
    xmpi_handle_kind_t kind;
    const char *kinds = xmpi_again[made->again].kinds;
    for (int i = 0; kinds[i] != '\0'; i++)
        if (kind_of(kinds[i], &kind))
            refer(kind, (int)made->word[i]);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < made->types[k].n; i++)
            refer(XMPI_HANDLE_TYPE, made->types[k].ours[i]);
}

/* The last reference frees what the program has freed long ago. */
static void refer_no_more(xmpi_handle_kind_t kind, int handle)
{
    xmpi_handle_t *entry = xmpi_handle_at(kind, handle);
    if (entry == NULL || --entry->refs > 0)
        return;
    int real = entry->real;
    entry->refs = 1; /* which is dropped here */
    if (kind == XMPI_HANDLE_COMM)
        PMPI_Comm_free(&real);
    else if (kind == XMPI_HANDLE_TYPE)
        PMPI_Type_free(&real);
    else
        PMPI_Op_free(&real);
    xmpi_handle_drop(kind, handle);
}

static void forget_all(xmpi_request_made_t *made)
{
    xmpi_handle_kind_t kind;
    const char *kinds = xmpi_again[made->again].kinds;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < made->types[k].n; i++)
            refer_no_more(XMPI_HANDLE_TYPE, made->types[k].ours[i]);
    for (int i = 0; kinds[i] != '\0'; i++)
        if (kind_of(kinds[i], &kind))
            refer_no_more(kind, (int)made->word[i]);
}

MPI_Comm xmpi_ahead_comm(int64_t comm)
{
    const xmpi_handle_t *entry = xmpi_handle_at(XMPI_HANDLE_COMM, (int)comm);
    return entry == NULL ? (MPI_Comm)comm : entry->ahead != 0 ? entry->ahead : entry->real;
}

/* A copy of the program's array, which may be another one when it is needed again. */
static void keep_types(xmpi_types_t *types, int64_t array, int n, int *real)
{
    types->real = real;
    if (real == NULL || n <= 0)
        return;
    types->ours = malloc((size_t)n * sizeof(int));
    if (types->ours == NULL)
        xmpi_misuse("no memory for %d datatypes of the program", n);
    memcpy(types->ours, (const void *)(intptr_t)array, (size_t)n * sizeof(int));
    types->n = n;
}

static MPI_Comm comm_of(const xmpi_again_t *again, const int64_t *word)
{
    for (int i = 0; again->kinds[i] != '\0'; i++)
        if (again->kinds[i] == 'C')
            return word[i] == MPI_COMM_WORLD ? xmpi_handles.world
                                             : xmpi_real_comm((MPI_Comm)word[i]);
    return MPI_COMM_NULL;
}

void xmpi_persistent_given(MPI_Request *request, int *sent, int *received, int again,
                           const int64_t *word, const void *place)
{
    xmpi_request_made_t *made = new_made();
    const xmpi_again_t *call = &xmpi_again[again];
    made->persistent = true;
    made->again = again;
    for (int i = 0; call->kinds[i] != '\0'; i++) {
        made->word[i] = word[i];
        if (call->kinds[i] == 'S')
            keep_types(&made->types[0], word[i],
                       xmpi_parts(comm_of(call, word), call->neighbors, true), sent);
        if (call->kinds[i] == 'R')
            keep_types(&made->types[1], word[i],
                       xmpi_parts(comm_of(call, word), call->neighbors, false), received);
    }
    refer_to_all(made);
    *request = xmpi_handle_add(XMPI_HANDLE_REQUEST, *request, call->name, place);
    xmpi_handle_at(XMPI_HANDLE_REQUEST, *request)->made = made;
}

bool xmpi_request_freed(MPI_Request *request)
{
    xmpi_handle_t *entry = xmpi_handle_at(XMPI_HANDLE_REQUEST, *request);
    xmpi_request_made_t *made = entry == NULL ? NULL : entry->made;
    if (entry == NULL)
        return false;
    PMPI_Request_free(&entry->real);
    if (made != NULL && made->persistent)
        forget_all(made);
    release(*request, entry);
    *request = MPI_REQUEST_NULL;
    return true;
}

/* --- going elsewhere ---------------------------------------------------------------------------
 */

static void put_types(xmpi_pack_t *pack, const xmpi_types_t *types)
{
    xmpi_pack_put_array(pack, types->ours, types->n, sizeof(int));
}

static int by_serial(const void *a, const void *b)
{
    const xmpi_handle_t *const *first = a, *const *second = b;
    return ((*first)->serial > (*second)->serial) - ((*first)->serial < (*second)->serial);
}

/* In the order in which the program has made them: on a communicator all members make those of
 * collective operations in the same order. */
void xmpi_requests_put(xmpi_pack_t *pack)
{
    uint32_t number = 0;
    int n = 0;
    xmpi_handle_t *entry;
    xmpi_handle_t **all =
        malloc(((size_t)xmpi_handles.table[XMPI_HANDLE_REQUEST].n + 1) * sizeof *all);
    if (all == NULL)
        pack->status = XMPI_ERR_MEMORY;
    while (all != NULL && (entry = xmpi_handle_next(XMPI_HANDLE_REQUEST, &number)) != NULL)
        if (xmpi_request_is_persistent(entry)) {
            entry->ahead = (int)number; /* for a moment */
            all[n++] = entry;
        }
    if (n > 0)
        qsort(all, (size_t)n, sizeof(xmpi_handle_t *), by_serial);
    xmpi_pack_put(pack, &n, sizeof n);
    for (int i = 0; i < n; i++) {
        const xmpi_request_made_t *made = all[i]->made;
        int handle = MPI_REQUEST_NULL + all[i]->ahead;
        all[i]->ahead = 0;
        xmpi_pack_put(pack, &handle, sizeof handle);
        xmpi_pack_put(pack, all[i], sizeof *all[i]);
        xmpi_pack_put(pack, made, sizeof *made);
        put_types(pack, &made->types[0]);
        put_types(pack, &made->types[1]);
    }
    free(all);
}

static void get_types(xmpi_pack_t *pack, xmpi_types_t *types)
{
    *types = (xmpi_types_t){0};
    types->ours = xmpi_pack_get_array(pack, &types->n, sizeof(int));
    types->real = malloc(((size_t)types->n + 1) * sizeof(int));
    if (types->real == NULL)
        pack->status = XMPI_ERR_MEMORY;
    for (int i = 0; types->real != NULL && i < types->n; i++)
        types->real[i] = xmpi_real_type(types->ours[i]);
}

/* Another entry for it where it is taken over. */
static xmpi_handle_t *entry_for(int handle, xmpi_handle_t *copy, const xmpi_request_made_t *made)
{
    if (copy == NULL)
        return xmpi_handle_at(XMPI_HANDLE_REQUEST, handle);
    copy->call = xmpi_again[made->again].name;
    xmpi_handle_t *entry = xmpi_handle_claim(XMPI_HANDLE_REQUEST, handle, copy);
    entry->made = new_made();
    *(xmpi_request_made_t *)entry->made = *made;
    return entry;
}

static bool has_moved(const xmpi_request_made_t *made, MPI_Comm world)
{
    const char *kinds = xmpi_again[made->again].kinds;
    for (int i = 0; kinds[i] != '\0'; i++)
        if (kinds[i] == 'C' && made->word[i] == MPI_COMM_WORLD)
            return world != xmpi_handles.world;
        else if (kinds[i] == 'C') {
            const xmpi_handle_t *comm = xmpi_handle_at(XMPI_HANDLE_COMM, (int)made->word[i]);
            return comm != NULL && comm->ahead != 0;
        }
    return false;
}

static int make(const xmpi_request_made_t *made, const xmpi_types_t *types, MPI_Comm world,
                MPI_Request *request)
{
    int64_t word[XMPI_WORDS_MAX];
    const xmpi_again_t *again = &xmpi_again[made->again];
    for (int i = 0; again->kinds[i] != '\0'; i++) {
        word[i] = made->word[i];
        if (again->kinds[i] == 'C')
            word[i] = word[i] == MPI_COMM_WORLD ? world : xmpi_ahead_comm(word[i]);
        if (again->kinds[i] == 'T')
            word[i] = xmpi_real_type((MPI_Datatype)word[i]);
        if (again->kinds[i] == 'O')
            word[i] = xmpi_real_op((MPI_Op)word[i]);
    }
    return again->make(word, types[0].real, types[1].real, request);
}

void xmpi_requests_get(xmpi_pack_t *pack, bool taken, MPI_Comm world)
{
    int n = 0, handle;
    xmpi_pack_get(pack, &n, sizeof n);
    for (int i = 0; i < n && pack->status == XMPI_OK; i++) {
        xmpi_handle_t copy;
        xmpi_request_made_t made;
        MPI_Request request;
        xmpi_pack_get(pack, &handle, sizeof handle);
        xmpi_pack_get(pack, &copy, sizeof copy);
        xmpi_pack_get(pack, &made, sizeof made);
        get_types(pack, &made.types[0]);
        get_types(pack, &made.types[1]);
        if (pack->status != XMPI_OK)
            return;
        xmpi_handle_t *entry = entry_for(handle, taken ? &copy : NULL, &made);
        const xmpi_request_made_t *kept = entry->made;
        if ((taken || has_moved(&made, world)) &&
            make(&made, kept->types, world, &request) == MPI_SUCCESS)
            entry->ahead = request;
        else if (taken || has_moved(&made, world))
            pack->status = XMPI_ERR_INTERNAL;
        for (int k = 0; k < 2 && !taken; k++) {
            free(made.types[k].ours);
            free(made.types[k].real);
        }
    }
}

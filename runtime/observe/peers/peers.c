/* SPDX-License-Identifier: BSD-3-Clause
 * Whom this process sends how much to. */
#include "observe/peers/peers.h"

#include <stdlib.h>
#include <string.h>

#include "decide/messages/messages.h"
#include "observe/peers/comms.h"
#include "observe/peers/prepared.h"
#include "observe/peers/row.h"

/* Operations of a program that are alike; more of them become messages at once. */
enum { ALIKE_MAX = 64 };

typedef struct {
    int comm; /* number (observe/peers/comms.h) */
    xmpi_kind_t kind;
    bool posted, own, ordered;
    int root;
    int64_t bytes, elements;
    int64_t calls;
} alike_t;

static struct {
    xmpi_row_t row;
    alike_t alike[ALIKE_MAX];
    int n, last;         /* entries; that of the last call: programs repeat themselves in order */
    bool prepares;       /* what comes is of a persistent request */
    xmpi_row_t prepared; /* what that is */
    xmpi_talk_t *copy;   /* malloc: the row as it was told last */
} peers = {.row.most = XMPI_PEERS_MAX, .prepared.most = XMPI_PEERS_MAX};

/* --- messages ----------------------------------------------------------------------------------
 */

static void add(int comm, int peer, int64_t messages, int64_t bytes)
{
    const xmpi_peers_comm_t *place = xmpi_peers_comm(comm);
    if (peer == place->rank && !place->inter) /* to itself */
        return;
    xmpi_row_add(peers.prepares ? &peers.prepared : &peers.row, xmpi_peers_world_rank(comm, peer),
                 messages, bytes);
}

/* Messages of an operation that was made so often. */
typedef struct {
    int comm;
    int64_t calls;
} many_t;

static void add_many(void *taker, int peer, int64_t messages, int64_t bytes)
{
    const many_t *many = taker;
    add(many->comm, peer, many->calls * messages, many->calls * bytes);
}

static void unfold(int comm, const xmpi_operation_t *operation, int64_t calls)
{
    many_t many = {.comm = comm, .calls = calls};
    xmpi_messages(operation, add_many, &many);
}

static xmpi_operation_t operation_of(const alike_t *alike)
{
    const xmpi_peers_comm_t *comm = xmpi_peers_comm(alike->comm);
    return (xmpi_operation_t){.kind = alike->kind,
                              .posted = alike->posted,
                              .members = comm->size,
                              .rank = comm->rank,
                              .root = alike->root,
                              .bytes = alike->bytes,
                              .elements = alike->elements,
                              .own = alike->own,
                              .ordered = alike->ordered};
}

/* All that was only counted becomes messages. */
static void unfold_all(void)
{
    bool prepares = peers.prepares;
    peers.prepares = false;
    for (int i = 0; i < peers.n; i++) {
        xmpi_operation_t operation = operation_of(&peers.alike[i]);
        unfold(peers.alike[i].comm, &operation, peers.alike[i].calls);
    }
    peers.n = peers.last = 0;
    peers.prepares = prepares;
}

/* --- calls -------------------------------------------------------------------------------------
 */

static bool is_alike(const alike_t *a, const alike_t *b)
{
    return a->bytes == b->bytes && a->kind == b->kind && a->comm == b->comm &&
           a->elements == b->elements && a->root == b->root && a->posted == b->posted &&
           a->own == b->own && a->ordered == b->ordered;
}

static void count(const alike_t *call)
{
    int n = peers.n, at = peers.last;
    for (int i = 0; i < n; i++) {
        at = at + 1 < n ? at + 1 : 0;
        if (is_alike(&peers.alike[at], call)) {
            peers.alike[at].calls++;
            peers.last = at;
            return;
        }
    }
    if (n == ALIKE_MAX)
        unfold_all();
    peers.last = peers.n++;
    peers.alike[peers.last] = *call;
    peers.alike[peers.last].calls = 1;
}

/* The communicator of a collective operation among its members; -1: it is not counted. */
static int among_members(MPI_Comm comm)
{
    int number = xmpi_peers_find(comm, unfold_all);
    return number >= 0 && !xmpi_peers_comm(number)->inter ? number : -1;
}

static void take(const alike_t *call)
{
    if (!peers.prepares) {
        count(call);
        return;
    }
    xmpi_operation_t operation = operation_of(call);
    unfold(call->comm, &operation, 1);
}

void xmpi_peers_sent(int dest, int64_t bytes, MPI_Comm comm)
{
    int number = dest >= 0 ? xmpi_peers_find(comm, unfold_all) : -1;
    if (number >= 0)
        add(number, dest, 1, bytes);
}

void xmpi_peers_moved(xmpi_kind_t kind, bool posted, int root, int64_t bytes, MPI_Comm comm)
{
    alike_t call = {
        .comm = among_members(comm), .kind = kind, .posted = posted, .root = root, .bytes = bytes};
    if (call.comm >= 0)
        take(&call);
}

/* The MPI's own operations: the first ones are most of all. */
static bool is_own(MPI_Op op)
{
    const MPI_Op predefined[] = {MPI_SUM,    MPI_MAX,    MPI_MIN,   MPI_PROD,   MPI_LOR,
                                 MPI_LAND,   MPI_LXOR,   MPI_BOR,   MPI_BAND,   MPI_BXOR,
                                 MPI_MAXLOC, MPI_MINLOC, MPI_NO_OP, MPI_REPLACE};
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (op == predefined[i])
            return false;
    return true;
}

static bool is_ordered(MPI_Op op)
{
    int commutes = 1;
    PMPI_Op_commutative(op, &commutes);
    return !commutes;
}

void xmpi_peers_reduced(xmpi_kind_t kind, bool posted, int root, int64_t bytes, int64_t elements,
                        MPI_Op op, MPI_Comm comm)
{
    bool own = is_own(op);
    alike_t call = {.comm = among_members(comm),
                    .kind = kind,
                    .posted = posted,
                    .own = own,
                    .ordered = own && is_ordered(op),
                    .root = root,
                    .bytes = bytes,
                    .elements = elements};
    if (call.comm >= 0)
        take(&call);
}

/* --- calls with counts -------------------------------------------------------------------------
 */

static int64_t bytes_at(const void *counts, size_t size, MPI_Datatype type,
                        const MPI_Datatype *types, int i)
{
    int width = 0;
    int64_t n = size == sizeof(int) ? ((const int *)counts)[i] : ((const int64_t *)counts)[i];
    if (n > 0)
        PMPI_Type_size(types != NULL ? types[i] : type, &width);
    return n * width;
}

/* The bytes of N parts; malloc. NULL: no memory. */
static int64_t *bytes_of(const void *counts, size_t size, MPI_Datatype type,
                         const MPI_Datatype *types, int n)
{
    int64_t *bytes = malloc((size_t)n * sizeof *bytes);
    for (int i = 0; i < n && bytes != NULL; i++)
        bytes[i] = bytes_at(counts, size, type, types, i);
    return bytes;
}

void xmpi_peers_parts(xmpi_kind_t kind, bool posted, int root, const void *counts, size_t size,
                      MPI_Datatype type, const MPI_Datatype *types, MPI_Op op, MPI_Comm comm)
{
    int number = among_members(comm);
    if (number < 0)
        return;
    const xmpi_peers_comm_t *place = xmpi_peers_comm(number);
    if (kind == XMPI_KIND_SCATTERV && place->rank != root)
        return;
    int64_t *block = bytes_of(counts, size, type, types, place->size);
    const xmpi_operation_t operation = {.kind = kind,
                                        .posted = posted,
                                        .members = place->size,
                                        .rank = place->rank,
                                        .root = root,
                                        .block = block,
                                        .own = op != MPI_OP_NULL && is_own(op),
                                        .ordered =
                                            op != MPI_OP_NULL && is_own(op) && is_ordered(op)};
    if (block != NULL)
        unfold(number, &operation, 1);
    free(block);
}

void xmpi_peers_neighbours(int64_t bytes, const void *counts, size_t size, MPI_Datatype type,
                           const MPI_Datatype *types, MPI_Comm comm)
{
    int number = among_members(comm);
    if (number < 0 || !xmpi_peers_ask_neighbours(number))
        return;
    const xmpi_peers_comm_t *place = xmpi_peers_comm(number);
    for (int i = 0; i < place->neighbours; i++)
        if (place->neighbour[i] >= 0)
            add(number, place->neighbour[i], 1,
                counts != NULL ? bytes_at(counts, size, type, types, i) : bytes);
}

/* --- persistent requests -----------------------------------------------------------------------
 */

bool xmpi_peers_prepare(bool watched)
{
    return peers.prepares = watched;
}

void xmpi_peers_prepared(MPI_Request request)
{
    if (!peers.prepares)
        return;
    xmpi_talk_t *talk = xmpi_row_list(&peers.prepared);
    peers.prepares = false;
    xmpi_prepared_put(request, talk != NULL ? peers.prepared.n : 0, talk);
    xmpi_row_clear(&peers.prepared);
    free(talk);
}

void xmpi_peers_started(int n, const MPI_Request *request)
{
    for (int i = 0; i < n; i++) {
        int entries = 0;
        const xmpi_talk_t *talk = xmpi_prepared_get(request[i], &entries);
        for (int k = 0; k < entries && talk != NULL; k++)
            xmpi_row_add(&peers.row, talk[k].peer, talk[k].messages, talk[k].bytes);
    }
}

/* --- the row -----------------------------------------------------------------------------------
 */

void xmpi_peers_begin(void)
{
    peers.n = peers.last = 0;
    xmpi_row_clear(&peers.row);
    xmpi_peers_forget_comms();
}

int xmpi_peers_row(const xmpi_talk_t **talk, int64_t *rest)
{
    unfold_all();
    free(peers.copy);
    *talk = peers.copy = xmpi_row_list(&peers.row);
    *rest = peers.row.rest;
    return peers.copy != NULL ? peers.row.n : 0;
}

void xmpi_peers_end(void)
{
    xmpi_peers_begin();
    free(peers.copy);
    peers.copy = NULL;
    xmpi_prepared_free();
}

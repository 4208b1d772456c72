/* SPDX-License-Identifier: BSD-3-Clause
 * Whom this process sends how much to. */
#include "observe/peers/peers.h"

#include <stdlib.h>
#include <string.h>

#include "decide/messages/messages.h"
#include "observe/peers/comms.h"
#include "observe/peers/prepared.h"
#include "observe/peers/row.h"
#include "observe/peers/type_size.h"

/* Operations of a program that are alike; more of them become messages at once. */
enum { ALIKE_MAX = 64 };

/* In one cache line: a program has often used all of its caches for itself between two calls. */
typedef struct {
    int64_t bytes, elements;
    int64_t calls;
    const void *counts; /* with counts for each member: these (malloc in an entry), else NULL */
    uint64_t digest;    /* of them, which tells them apart without a look at where they are kept */
    int root;
    int width;    /* bytes of an element that they count */
    int16_t comm; /* number (observe/peers/comms.h) */
    int16_t kind; /* xmpi_kind_t */
    uint8_t size; /* of one of the counts: int or int64_t */
    bool posted, own, ordered;
} alike_t;

static struct {
    int n, last;   /* entries; that of the last call: programs repeat themselves in order */
    bool prepares; /* what comes is of a persistent request */
    xmpi_row_t row;
    alike_t alike[ALIKE_MAX] __attribute__((aligned(64)));
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

static int64_t count_at(const void *counts, size_t size, int i)
{
    return size == sizeof(int) ? ((const int *)counts)[i] : ((const int64_t *)counts)[i];
}

/* The bytes of N parts; malloc. NULL: no memory. */
static int64_t *bytes_of(const void *counts, size_t size, int width, int n)
{
    int64_t *bytes = malloc((size_t)n * sizeof *bytes);
    for (int i = 0; i < n && bytes != NULL; i++)
        bytes[i] = count_at(counts, size, i) * width;
    return bytes;
}

/* Messages of a call with counts are left out where there is no memory for them. */
static void unfold_alike(const alike_t *alike, int64_t calls)
{
    const xmpi_peers_comm_t *comm = xmpi_peers_comm(alike->comm);
    int64_t *block = NULL;
    if (alike->counts != NULL) {
        block = bytes_of(alike->counts, alike->size, alike->width, comm->size);
        if (block == NULL)
            return;
    }
    const xmpi_operation_t operation = {.kind = (xmpi_kind_t)alike->kind,
                                        .posted = alike->posted,
                                        .members = comm->size,
                                        .rank = comm->rank,
                                        .root = alike->root,
                                        .bytes = alike->bytes,
                                        .elements = alike->elements,
                                        .block = block,
                                        .own = alike->own,
                                        .ordered = alike->ordered};
    unfold(alike->comm, &operation, calls);
    free(block);
}

static void forget_all(void)
{
    for (int i = 0; i < peers.n; i++)
        free((void *)peers.alike[i].counts);
    peers.n = peers.last = 0;
}

/* All that was only counted becomes messages. */
static void unfold_all(void)
{
    bool prepares = peers.prepares;
    peers.prepares = false;
    for (int i = 0; i < peers.n; i++)
        unfold_alike(&peers.alike[i], peers.alike[i].calls);
    forget_all();
    peers.prepares = prepares;
}

/* --- calls -------------------------------------------------------------------------------------
 */

static size_t length_of(const alike_t *call)
{
    return (size_t)xmpi_peers_comm(call->comm)->size * call->size;
}

/* Of the N counts, each mixed in by the finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t digest_of(const void *counts, size_t size, int n)
{
    uint64_t digest = (uint64_t)size;
    for (int i = 0; i < n; i++) {
        digest ^= (uint64_t)count_at(counts, size, i);
        digest = (digest ^ digest >> 30) * 0xbf58476d1ce4e5b9u;
        digest = (digest ^ digest >> 27) * 0x94d049bb133111ebu;
    }
    return digest;
}

static bool is_alike(const alike_t *a, const alike_t *b)
{
    return a->bytes == b->bytes && a->kind == b->kind && a->comm == b->comm &&
           a->elements == b->elements && a->root == b->root && a->posted == b->posted &&
           a->own == b->own && a->ordered == b->ordered && a->digest == b->digest &&
           a->width == b->width;
}

/* A copy of CALL with its own counts is kept. False: no memory. */
static bool keep(const alike_t *call)
{
    void *counts = call->counts != NULL ? malloc(length_of(call)) : NULL;
    if (call->counts != NULL && counts == NULL)
        return false;
    if (counts != NULL)
        memcpy(counts, call->counts, length_of(call));
    peers.last = peers.n++;
    peers.alike[peers.last] = *call;
    peers.alike[peers.last].counts = counts;
    peers.alike[peers.last].calls = 1;
    return true;
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
    if (!keep(call))
        unfold_alike(call, 1);
}

/* The communicator of a collective operation among its members; -1: it is not counted. */
static int among_members(MPI_Comm comm)
{
    int number = xmpi_peers_find(comm, unfold_all);
    return number >= 0 && !xmpi_peers_comm(number)->inter ? number : -1;
}

static void take(const alike_t *call)
{
    if (peers.prepares)
        unfold_alike(call, 1);
    else
        count(call);
}

void xmpi_peers_sent(int dest, int64_t bytes, MPI_Comm comm)
{
    int number = dest >= 0 ? xmpi_peers_find(comm, unfold_all) : -1;
    if (number >= 0)
        add(number, dest, 1, bytes);
}

void xmpi_peers_moved(xmpi_kind_t kind, bool posted, int root, int64_t bytes, MPI_Comm comm)
{
    alike_t call = {.comm = (int16_t)among_members(comm),
                    .kind = (int16_t)kind,
                    .posted = posted,
                    .root = root,
                    .bytes = bytes};
    if (call.comm >= 0)
        take(&call);
}

/* Not one of the MPI's: the first ones are most of all. */
static bool is_own(MPI_Op op)
{
    static const MPI_Op predefined[] = {MPI_SUM,    MPI_MAX,    MPI_MIN,   MPI_PROD,   MPI_LOR,
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
    alike_t call = {.comm = (int16_t)among_members(comm),
                    .kind = (int16_t)kind,
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
    int64_t n = count_at(counts, size, i);
    return n > 0 ? n * xmpi_type_size(types != NULL ? types[i] : type) : 0;
}

/* The bytes of N parts of TYPES; malloc. NULL: no memory. */
static int64_t *bytes_of_types(const void *counts, size_t size, const MPI_Datatype *types, int n)
{
    int64_t *bytes = malloc((size_t)n * sizeof *bytes);
    for (int i = 0; i < n && bytes != NULL; i++)
        bytes[i] = bytes_at(counts, size, MPI_DATATYPE_NULL, types, i);
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
    bool own = op != MPI_OP_NULL && is_own(op);
    int64_t *bytes = types != NULL ? bytes_of_types(counts, size, types, place->size) : NULL;
    if (types != NULL && bytes == NULL)
        return;
    const alike_t call = {.comm = (int16_t)number,
                          .kind = (int16_t)kind,
                          .posted = posted,
                          .own = own,
                          .ordered = own && is_ordered(op),
                          .root = root,
                          .counts = bytes != NULL ? bytes : counts,
                          .digest = bytes != NULL ? digest_of(bytes, sizeof *bytes, place->size)
                                                  : digest_of(counts, size, place->size),
                          .size = (uint8_t)(bytes != NULL ? sizeof *bytes : size),
                          .width = bytes != NULL ? 1 : xmpi_type_size(type)};
    take(&call);
    free(bytes);
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
    forget_all();
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

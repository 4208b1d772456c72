/* SPDX-License-Identifier: BSD-3-Clause
 * Posting: messages as calls of MPI. */
#include "act/moving/post.h"

#include "act/data/piece_map.h"
#include "act/moving/direct.h"
#include "decide/layout/transfer.h"

/* The largest message: counts of MPI calls are ints. */
static const int64_t chunk_bytes = (int64_t)1 << 30;

/* Strips of an extent that one message takes; 0: even one is too wide. */
static int64_t strips_at_once(const xmpi_extent_t *extent)
{
    return extent->width > chunk_bytes ? 0 : chunk_bytes / extent->width;
}

int64_t xmpi_exchange_chunks(const xmpi_extent_t *extent)
{
    int64_t at_once = strips_at_once(extent);
    if (at_once == 0)
        return extent->strips * ((extent->width + chunk_bytes - 1) / chunk_bytes);
    return (extent->strips + at_once - 1) / at_once;
}

/* --- posting ---------------------------------------------------------------------------------- */

static void post(xmpi_exchange_t *exchange, const xmpi_message_t *message, char *at, int count,
                 MPI_Datatype datatype, int64_t bytes)
{
    MPI_Request *request = &exchange->request[exchange->requests++];
    int tag = exchange->tags + message->array;
    if (message->sending) {
        PMPI_Isend(at, count, datatype, message->peer, tag, exchange->comm, request);
        return;
    }
    PMPI_Irecv(at, count, datatype, message->peer, tag, exchange->comm, request);
    exchange->received_bytes += bytes;
    exchange->received_messages++;
}

static void post_strip(xmpi_exchange_t *exchange, const xmpi_message_t *message, char *at,
                       int64_t width)
{
    for (int64_t done = 0; done < width; done += chunk_bytes) {
        int64_t bytes = width - done < chunk_bytes ? width - done : chunk_bytes;
        post(exchange, message, at + done, (int)bytes, MPI_BYTE, bytes);
    }
}

/* STRIPS strips as one message. */
static void post_strips(xmpi_exchange_t *exchange, const xmpi_message_t *message, char *at,
                        int64_t strips)
{
    const xmpi_extent_t *extent = &message->extent;
    MPI_Datatype *datatype = &exchange->datatype[exchange->datatypes++];
    PMPI_Type_create_hvector((int)strips, (int)extent->width, extent->stride, MPI_BYTE, datatype);
    PMPI_Type_commit(datatype);
    post(exchange, message, at, 1, *datatype, strips * extent->width);
}

/* Both sides cut an extent alike, as they see the same width and strips. */
void xmpi_exchange_post_one(xmpi_exchange_t *exchange, const xmpi_message_t *message)
{
    const xmpi_extent_t *extent = &message->extent;
    int64_t at_once = strips_at_once(extent);
    char *at = message->base + extent->offset;
    for (int64_t i = 0; i < extent->strips;) {
        int64_t left = extent->strips - i, strips = left < at_once ? left : at_once;
        if (strips > 1)
            post_strips(exchange, message, at + i * extent->stride, strips);
        else
            post_strip(exchange, message, at + i * extent->stride, extent->width);
        i += strips > 1 ? strips : 1;
    }
}

void xmpi_exchange_count(xmpi_exchange_t *exchange, const xmpi_message_t *message)
{
    exchange->received_bytes += xmpi_extent_bytes(&message->extent);
    exchange->received_messages++;
}

void xmpi_exchange_offer(xmpi_exchange_t *exchange, int i)
{
    const xmpi_message_t *message = &exchange->message[i];
    xmpi_offer_t *offer = &exchange->offer[i];
    int tag = exchange->tags + XMPI_TAG_OFFER + message->array;
    if (!message->sending) {
        PMPI_Irecv(offer, sizeof *offer, MPI_BYTE, message->peer, tag, exchange->comm,
                   &exchange->offer_request[i]);
        return;
    }
    *offer = xmpi_direct_offer(exchange, message);
    PMPI_Isend(offer, sizeof *offer, MPI_BYTE, message->peer, tag, exchange->comm,
               &exchange->request[exchange->requests++]);
}

/* --- joining messages of a pair -----------------------------------------------------------------
 */

/* N times TYPE, STRIDE apart, where N may be more than an int can count. TYPE is freed. */
static MPI_Datatype repeat(int64_t n, int64_t stride, MPI_Datatype type)
{
    const int64_t most = (int64_t)1 << 24;
    MPI_Datatype many, rest, types[2], all;
    if (n <= most) {
        PMPI_Type_create_hvector((int)n, 1, stride, type, &all);
        PMPI_Type_free(&type);
        return all;
    }
    PMPI_Type_create_hvector((int)most, 1, stride, type, &many);
    PMPI_Type_create_hvector((int)(n % most), 1, stride, type, &rest);
    PMPI_Type_create_hvector((int)(n / most), 1, most * stride, many, &types[0]);
    types[1] = rest;
    PMPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, n / most * most * stride}, types,
                            &all);
    PMPI_Type_free(&many);
    PMPI_Type_free(&types[0]);
    PMPI_Type_free(&rest);
    PMPI_Type_free(&type);
    return all;
}

MPI_Datatype xmpi_exchange_describe(const xmpi_extent_t *extent)
{
    int whole = (int)(extent->width / chunk_bytes), rest = (int)(extent->width % chunk_bytes);
    MPI_Datatype chunk, strip;
    if (whole == 0) {
        PMPI_Type_contiguous(rest, MPI_BYTE, &strip);
    } else {
        PMPI_Type_contiguous((int)chunk_bytes, MPI_BYTE, &chunk);
        PMPI_Type_create_struct(2, (int[]){whole, rest},
                                (MPI_Aint[]){0, (MPI_Aint)whole * chunk_bytes},
                                (MPI_Datatype[]){chunk, MPI_BYTE}, &strip);
        PMPI_Type_free(&chunk);
    }
    return repeat(extent->strips, extent->stride, strip);
}

static bool is_small(const xmpi_message_t *message)
{
    return xmpi_extent_bytes(&message->extent) <= XMPI_SMALL_BYTES;
}

/* The messages with PEER that both SIZE and TAKE accept. */
static int select_messages(const xmpi_exchange_t *exchange, int peer, bool sending,
                           bool (*size)(const xmpi_message_t *),
                           bool (*take)(const xmpi_message_t *))
{
    int n = 0;
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        if (message->peer == peer && message->sending == sending && size(message) && take(message))
            exchange->selected[n++] = i;
    }
    return n;
}

/* Those that were selected, N of them. */
static MPI_Datatype join(xmpi_exchange_t *exchange, bool sending, int n)
{
    if (n == 0)
        return MPI_DATATYPE_NULL;
    MPI_Datatype *joined = &exchange->datatype[exchange->datatypes++];
    for (int i = 0; i < n; i++) {
        const xmpi_message_t *message = &exchange->message[exchange->selected[i]];
        exchange->ones[i] = 1;
        exchange->part[i] = xmpi_exchange_describe(&message->extent);
        PMPI_Get_address(message->base + message->extent.offset, &exchange->address[i]);
        if (!sending)
            exchange->received_bytes += xmpi_extent_bytes(&message->extent);
    }
    PMPI_Type_create_struct(n, exchange->ones, exchange->address, exchange->part, joined);
    PMPI_Type_commit(joined);
    for (int i = 0; i < n; i++)
        PMPI_Type_free(&exchange->part[i]);
    exchange->received_messages += !sending;
    return *joined;
}

MPI_Datatype xmpi_exchange_join(xmpi_exchange_t *exchange, int peer, bool sending,
                                bool (*take)(const xmpi_message_t *))
{
    return join(exchange, sending,
                select_messages(exchange, peer, sending, xmpi_exchange_any, take));
}

/* --- messages between each pair ------------------------------------------------------------------
 */

bool xmpi_exchange_any(const xmpi_message_t *message)
{
    (void)message;
    return true;
}

static bool is_alike(const xmpi_message_t *a, const xmpi_message_t *b)
{
    return a->peer == b->peer && a->sending == b->sending && is_small(a) && is_small(b);
}

/* How many small ones TAKE accepts of a pair, if message I is the first of them, else 0. Both sides
 * count the same. */
static int count_small(const xmpi_exchange_t *exchange, int i, bool (*take)(const xmpi_message_t *))
{
    int n = 0;
    for (int k = 0; k < exchange->messages; k++) {
        if (!take(&exchange->message[k]) || !is_alike(&exchange->message[k], &exchange->message[i]))
            continue;
        if (k < i)
            return 0;
        n++;
    }
    return n;
}

static void post_joined(xmpi_exchange_t *exchange, const xmpi_message_t *first,
                        bool (*take)(const xmpi_message_t *))
{
    int n = select_messages(exchange, first->peer, first->sending, is_small, take);
    MPI_Datatype type = join(exchange, first->sending, n);
    MPI_Request *request = &exchange->request[exchange->requests++];
    int tag = exchange->tags + XMPI_TAG_JOINED;
    if (first->sending)
        PMPI_Isend(MPI_BOTTOM, 1, type, first->peer, tag, exchange->comm, request);
    else
        PMPI_Irecv(MPI_BOTTOM, 1, type, first->peer, tag, exchange->comm, request);
}

void xmpi_exchange_post(xmpi_exchange_t *exchange, bool (*take)(const xmpi_message_t *))
{
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        int small = is_small(message) ? count_small(exchange, i, take) : 1;
        if (!take(message) || small == 0)
            continue;
        if (small > 1)
            post_joined(exchange, message, take);
        else
            xmpi_exchange_post_one(exchange, message);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Node: all processes are on one node and read one another's memory. Where pieces lie that others
 * want stands in the memory that they share, in the room of who has them, since all have agreed to
 * move; and who has them waits until they have been read. Where they are small they lie in that
 * memory themselves, and nobody waits. Only what would be read in many narrow strips goes point to
 * point, and all that is for a process that could not read. */
#include <string.h>

#include "act/moving/direct.h"
#include "act/moving/post.h"

/* A piece that its peer is to read, in the memory of who has it or in what that has laid out; in
 * the order of messages. Plain data. */
typedef struct {
    int32_t peer, array;
    uint64_t address;
    int64_t stride;
} place_t;

typedef struct {
    int64_t n, laid_out; /* all of them are, or none */
    place_t place[];
} places_t;

enum { PLACES = (XMPI_NODE_ROOM - sizeof(places_t)) / sizeof(place_t) };

static bool is_read(const xmpi_message_t *message)
{
    return message->extent.strips == 1 || message->extent.width >= XMPI_DIRECT_WIDTH;
}

static bool is_other(const xmpi_message_t *message)
{
    return !is_read(message);
}

/* Whether message I is the first with this peer in this direction that is read: there are as many
 * of these as peers. */
static bool is_first(const xmpi_exchange_t *exchange, int i)
{
    const xmpi_message_t *message = &exchange->message[i];
    for (int k = 0; k < i; k++) {
        const xmpi_message_t *other = &exchange->message[k];
        if (other->peer == message->peer && other->sending == message->sending && is_read(other))
            return false;
    }
    return is_read(message);
}

static void lend(const xmpi_exchange_t *exchange)
{
    int readers = 0;
    for (int i = 0; i < exchange->messages; i++)
        readers += exchange->message[i].sending && is_first(exchange, i);
    xmpi_node_lend(exchange->node, readers);
}

static place_t place_of(const xmpi_message_t *message)
{
    return (place_t){message->peer, message->array,
                     (uintptr_t)message->base + (uint64_t)message->extent.offset,
                     message->extent.stride};
}

static void copy_strips(const xmpi_extent_t *extent, char *to, int64_t to_stride, const char *from,
                        int64_t from_stride)
{
    for (int64_t i = 0; i < extent->strips; i++)
        memcpy(to + i * to_stride, from + i * from_stride, (size_t)extent->width);
}

/* Copies the pieces to where all can read them, and says where they lie there. */
static void lay_out(const xmpi_exchange_t *exchange, places_t *mine, char *data)
{
    int64_t used = 0;
    for (int i = 0, n = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        const xmpi_extent_t *extent = &message->extent;
        if (!message->sending || !is_read(message))
            continue;
        copy_strips(extent, data + used, extent->width, message->base + extent->offset,
                    extent->stride);
        mine->place[n].address = (uint64_t)used;
        mine->place[n++].stride = extent->width;
        used += xmpi_extent_bytes(extent);
    }
    mine->laid_out = true;
}

/* Who has more of them than there is room for leaves some out: they are not found, and go as
 * messages like all others. */
static void tell_places(const xmpi_exchange_t *exchange)
{
    places_t *mine = xmpi_node_room(exchange->node);
    int64_t all = 0, bytes = 0;
    *mine = (places_t){0};
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        if (!message->sending || !is_read(message))
            continue;
        if (mine->n < PLACES)
            mine->place[mine->n++] = place_of(message);
        all++;
        bytes += xmpi_extent_bytes(&message->extent);
    }
    char *data = all == mine->n && bytes > 0 && bytes <= XMPI_NODE_DATA
                     ? xmpi_node_lay_out(exchange->node)
                     : NULL;
    if (data != NULL)
        lay_out(exchange, mine, data);
    else
        lend(exchange);
}

bool xmpi_exchange_tell_ahead(xmpi_exchange_t *exchange, const xmpi_message_t *message, int n)
{
    if (exchange->node == NULL)
        return false;
    exchange->message = message;
    exchange->messages = n;
    tell_places(exchange);
    return true;
}

static void begin(xmpi_exchange_t *exchange)
{
    xmpi_exchange_post(exchange, is_other);
}

/* Of message I, whose sender has as many pieces of the same array for us as we have messages of it.
 */
static const place_t *find(const xmpi_exchange_t *exchange, int i)
{
    const xmpi_message_t *message = &exchange->message[i];
    const places_t *theirs = xmpi_node_room_of(exchange->node, message->peer);
    int before = 0;
    for (int k = 0; k < i; k++) {
        const xmpi_message_t *other = &exchange->message[k];
        before += !other->sending && other->peer == message->peer &&
                  other->array == message->array && is_read(other);
    }
    for (int64_t k = 0; k < theirs->n; k++)
        if (theirs->place[k].peer == exchange->rank && theirs->place[k].array == message->array &&
            before-- == 0)
            return &theirs->place[k];
    return NULL;
}

static bool has_laid_out(const xmpi_exchange_t *exchange, int rank)
{
    const places_t *theirs = xmpi_node_room_of(exchange->node, rank);
    return theirs->laid_out != 0;
}

static bool read_one(const xmpi_exchange_t *exchange, int i)
{
    const xmpi_message_t *message = &exchange->message[i];
    const place_t *place = find(exchange, i);
    if (place != NULL && has_laid_out(exchange, message->peer)) {
        const char *from = xmpi_node_laid_out(exchange->node, message->peer) + place->address;
        copy_strips(&message->extent, message->base + message->extent.offset,
                    message->extent.stride, from, place->stride);
        return true;
    }
    return place != NULL && xmpi_direct_read(xmpi_node_process(exchange->node, message->peer),
                                             message, place->address, place->stride);
}

/* All that lies in the memory of others, or nothing of that counts. */
static void copy(xmpi_exchange_t *exchange)
{
    exchange->unread = false;
    for (int i = 0; i < exchange->messages; i++)
        if (!exchange->message[i].sending && is_read(&exchange->message[i]) &&
            !read_one(exchange, i))
            exchange->unread = true;
}

static void reply(xmpi_exchange_t *exchange)
{
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        if (message->sending || !is_read(message))
            continue;
        bool laid_out = has_laid_out(exchange, message->peer);
        if (!laid_out && is_first(exchange, i))
            xmpi_node_have_read(exchange->node, message->peer, !exchange->unread);
        if (laid_out || !exchange->unread)
            xmpi_exchange_count(exchange, message);
        else
            xmpi_exchange_post_one(exchange, message);
    }
}

/* Nobody changes what others may still read. Who could not is sent all of it. */
static bool go_on(xmpi_exchange_t *exchange, bool wait)
{
    (void)wait; /* nobody does not: it is not for the background */
    if (has_laid_out(exchange, exchange->rank))
        return true;
    xmpi_node_wait(exchange->node);
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        if (message->sending && is_read(message) &&
            !xmpi_node_could_read(exchange->node, message->peer))
            xmpi_exchange_post_one(exchange, message);
    }
    return true;
}

const xmpi_strategy_t xmpi_strategy_node = {
    .name = "node", .begin = begin, .copy = copy, .reply = reply, .go_on = go_on};

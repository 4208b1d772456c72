/* SPDX-License-Identifier: BSD-3-Clause
 * Node: all processes are on one node and read one another's memory. Where pieces lie that others
 * want stands in the memory that they share, in the room of who has them, since all have agreed to
 * move; and who has them waits until they have been read. Only what would be read in many narrow
 * strips goes point to point, and all that is for a process that could not read. */
#include "act/moving/direct.h"
#include "act/moving/post.h"

/* A piece that its peer is to read; in the order of messages. Plain data. */
typedef struct {
    int32_t peer, array;
    uint64_t address;
    int64_t stride;
} place_t;

typedef struct {
    int64_t n;
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

/* Who has more of them than there is room for leaves some out: they are not found, and go as
 * messages like all others. */
static void tell_places(const xmpi_exchange_t *exchange)
{
    places_t *mine = xmpi_node_room(exchange->node, exchange->rank);
    mine->n = 0;
    for (int i = 0; i < exchange->messages && mine->n < PLACES; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        if (message->sending && is_read(message))
            mine->place[mine->n++] =
                (place_t){message->peer, message->array,
                          (uintptr_t)message->base + (uint64_t)message->extent.offset,
                          message->extent.stride};
    }
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
    const places_t *theirs = xmpi_node_room(exchange->node, message->peer);
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

static bool read_one(const xmpi_exchange_t *exchange, int i)
{
    const xmpi_message_t *message = &exchange->message[i];
    const place_t *place = find(exchange, i);
    return place != NULL && xmpi_direct_read(xmpi_node_process(exchange->node, message->peer),
                                             message, place->address, place->stride);
}

/* All of it, or nothing counts. */
static void copy(xmpi_exchange_t *exchange)
{
    exchange->unread = false;
    for (int i = 0; i < exchange->messages && !exchange->unread; i++)
        exchange->unread = !exchange->message[i].sending && is_read(&exchange->message[i]) &&
                           !read_one(exchange, i);
}

static void reply(xmpi_exchange_t *exchange)
{
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        if (!message->sending && is_first(exchange, i))
            xmpi_node_have_read(exchange->node, message->peer, !exchange->unread);
        if (!message->sending && is_read(message) && !exchange->unread)
            xmpi_exchange_count(exchange, message);
        else if (!message->sending && is_read(message))
            xmpi_exchange_post_one(exchange, message);
    }
}

/* Nobody changes what others may still read. Who could not is sent all of it. */
static bool go_on(xmpi_exchange_t *exchange, bool wait)
{
    (void)wait; /* nobody does not: it is not for the background */
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

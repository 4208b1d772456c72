/* SPDX-License-Identifier: BSD-3-Clause
 * Moving images between processes. */
#define _GNU_SOURCE
#include "act/image/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "act/moving/direct.h"
#include "act/image/touched.h"
#include "act/moving/pages.h"
#include "base/collective.h"
#include "base/misuse.h"

enum { TAG_OFFER = 7001, TAG_SPANS, TAG_ANSWER, TAG_BYTES };
enum { MOST_SPANS = 1 << 20, BATCH = 256, STEP = 4 << 20, MESSAGE = 64 << 20 };

/* What is offered to who receives. Plain data. */
typedef struct {
    uint64_t host;
    int64_t process, spans;
} offer_t;

static void find_partners(const xmpi_change_t *change, int me, xmpi_image_move_t *move)
{
    move->to = -1;
    move->from = change->new_rank[me] == me ? -1 : change->new_rank[me];
    for (int i = 0; i < change->transit && me < change->olds; i++)
        if (change->new_rank[i] == me && i != me)
            move->to = i;
}

/* --- what is sent --------------------------------------------------------------------------------
 */

/* All of the variables, since those of the other process have values already; of the arena, which
 * is empty there, what has been touched. */
static xmpi_status_t list_spans(xmpi_image_move_t *move)
{
    xmpi_span_t *all = malloc(MOST_SPANS * sizeof *all);
    xmpi_spans_t touched = {.status = XMPI_OK};
    if (all == NULL)
        return XMPI_ERR_MEMORY;
    size_t n = move->image->spans(all, MOST_SPANS);
    for (size_t i = 0; i < n; i++)
        if (all[i].from >= move->image->arena.from)
            xmpi_spans_add_touched(&touched, &all[i]);
        else
            xmpi_spans_add(&touched, all[i].from, all[i].to);
    free(all);
    move->here = touched.span;
    move->heres = touched.n;
    return n < MOST_SPANS ? touched.status : XMPI_ERR_MEMORY;
}

static int64_t bytes_of(const xmpi_span_t *span, int64_t n)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < n; i++)
        bytes += (int64_t)(span[i].to - span[i].from);
    return bytes;
}

/* --- what comes ----------------------------------------------------------------------------------
 */

/* Where the bytes of ADDRESS, of the span that begins with DONE bytes in all, go meanwhile. */
static char *place_of(const xmpi_image_move_t *move, uintptr_t address, size_t done)
{
    return move->staged != NULL ? move->staged + done : (char *)address;
}

/* Reads all spans out of the memory of PROCESS. */
static bool pull(const xmpi_image_move_t *move, pid_t process)
{
    struct iovec here[BATCH], there[BATCH];
    size_t done = 0;
    for (int64_t i = 0; i < move->spans;) {
        size_t bytes = 0, inside = 0;
        int n = 0;
        for (; i < move->spans && n < BATCH && bytes < STEP; n++) {
            uintptr_t at = move->span[i].from + inside;
            size_t left = move->span[i].to - at, piece = left < STEP - bytes ? left : STEP - bytes;
            here[n] = (struct iovec){place_of(move, at, done + bytes), piece};
            there[n] = (struct iovec){(void *)at, piece};
            bytes += piece;
            inside = piece < left ? inside + piece : 0;
            i += inside == 0;
        }
        if (process_vm_readv(process, here, (unsigned long)n, there, (unsigned long)n, 0) !=
            (ssize_t)bytes)
            return false;
        done += bytes;
        while (inside > 0) { /* the rest of a long one */
            uintptr_t at = move->span[i].from + inside;
            size_t left = move->span[i].to - at, piece = left < STEP ? left : STEP;
            struct iovec to = {place_of(move, at, done), piece}, from = {(void *)at, piece};
            xmpi_pages_populate(to.iov_base, piece);
            if (process_vm_readv(process, &to, 1, &from, 1, 0) != (ssize_t)piece)
                return false;
            done += piece;
            inside = piece < left ? inside + piece : 0;
            i += inside == 0;
        }
    }
    return true;
}

static void receive(const xmpi_image_move_t *move, MPI_Comm transit)
{
    size_t done = 0;
    for (int64_t i = 0; i < move->spans; i++)
        for (uintptr_t at = move->span[i].from; at < move->span[i].to;) {
            size_t left = move->span[i].to - at, piece = left < MESSAGE ? left : MESSAGE;
            PMPI_Recv(place_of(move, at, done), (int)piece, MPI_BYTE, move->from, TAG_BYTES,
                      transit, MPI_STATUS_IGNORE);
            at += piece;
            done += piece;
        }
}

/* Room for what comes: its own places, or memory aside where there is a program. */
static xmpi_status_t make_room(xmpi_image_move_t *move)
{
    move->bytes = bytes_of(move->span, move->spans);
    if (move->to < 0) {
        move->image->clear();
        return XMPI_OK;
    }
    move->staged_bytes = (size_t)move->bytes;
    move->staged =
        mmap(NULL, move->staged_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (move->staged != MAP_FAILED)
        return XMPI_OK;
    move->staged = NULL;
    return XMPI_ERR_MEMORY;
}

/* --- the exchange --------------------------------------------------------------------------------
 */

/* The messages of one process. */
typedef struct {
    MPI_Comm transit;
    offer_t offer, offered;
    int answer, answered;
    MPI_Request request[4];
    int requests;
} talk_t;

enum { PULLED, SEND, REFUSED };

static void offer(xmpi_image_move_t *move, talk_t *talk)
{
    if (move->to < 0)
        return;
    talk->offer = (offer_t){xmpi_direct_host(), getpid(), move->heres};
    PMPI_Isend(&talk->offer, sizeof talk->offer, MPI_BYTE, move->to, TAG_OFFER, talk->transit,
               &talk->request[talk->requests++]);
    PMPI_Isend(move->here, (int)(move->heres * (int64_t)sizeof *move->here), MPI_BYTE, move->to,
               TAG_SPANS, talk->transit, &talk->request[talk->requests++]);
    PMPI_Irecv(&talk->answered, 1, MPI_INT, move->to, TAG_ANSWER, talk->transit,
               &talk->request[talk->requests++]);
}

static xmpi_status_t answer(xmpi_image_move_t *move, talk_t *talk)
{
    if (move->from < 0)
        return XMPI_OK;
    PMPI_Recv(&talk->offered, sizeof talk->offered, MPI_BYTE, move->from, TAG_OFFER, talk->transit,
              MPI_STATUS_IGNORE);
    move->spans = talk->offered.spans;
    move->span = malloc((size_t)(move->spans + 1) * sizeof *move->span);
    if (move->span == NULL)
        xmpi_misuse("no memory for a list of %lld places", (long long)move->spans);
    PMPI_Recv(move->span, (int)(move->spans * (int64_t)sizeof *move->span), MPI_BYTE, move->from,
              TAG_SPANS, talk->transit, MPI_STATUS_IGNORE);
    xmpi_status_t status = move->spans > 0 ? make_room(move) : XMPI_ERR_MEMORY;
    bool near = move->direct && talk->offered.host != 0 && talk->offered.host == xmpi_direct_host();
    talk->answer = status != XMPI_OK                                  ? REFUSED
                   : near && pull(move, (pid_t)talk->offered.process) ? PULLED
                                                                      : SEND;
    PMPI_Send(&talk->answer, 1, MPI_INT, move->from, TAG_ANSWER, talk->transit);
    return status;
}

/* Those that cannot read get it all in messages, one for each piece of a span. */
static void send(const xmpi_image_move_t *move, MPI_Comm transit)
{
    for (int64_t i = 0; i < move->heres; i++)
        for (uintptr_t at = move->here[i].from; at < move->here[i].to;) {
            size_t left = move->here[i].to - at, piece = left < MESSAGE ? left : MESSAGE;
            PMPI_Send((const void *)at, (int)piece, MPI_BYTE, move->to, TAG_BYTES, transit);
            at += piece;
        }
}

/* A circle of processes that all send first would wait for ever: in it the one that receives from
 * the highest rank, which is below it, receives first. */
static void send_and_receive(xmpi_image_move_t *move, const talk_t *talk, int me)
{
    bool sends = move->to >= 0 && talk->answered == SEND;
    bool receives = move->from >= 0 && talk->answer == SEND;
    bool first = !receives || move->from > me;
    if (sends && first)
        send(move, talk->transit);
    if (receives)
        receive(move, talk->transit);
    if (sends && !first)
        send(move, talk->transit);
}

xmpi_status_t xmpi_image_move(const xmpi_image_t *image, const xmpi_change_t *change,
                              MPI_Comm transit, int me, xmpi_move_strategy_t strategy,
                              xmpi_image_move_t *move)
{
    talk_t talk = {.transit = transit};
    xmpi_status_t status = XMPI_OK;
    *move = (xmpi_image_move_t){.image = image, .direct = strategy == XMPI_MOVE_AUTO};
    find_partners(change, me, move);
    if (move->to < 0 && move->from < 0)
        return XMPI_OK;
    image->pack();
    move->packed = true;
    if (move->to >= 0)
        status = list_spans(move);
    if (status != XMPI_OK)
        move->heres = 0; /* who would receive it says no */
    offer(move, &talk);
    xmpi_status_t received = answer(move, &talk);
    PMPI_Waitall(talk.requests, talk.request, MPI_STATUSES_IGNORE);
    send_and_receive(move, &talk, me);
    if (received == XMPI_OK && move->from >= 0 && move->to < 0 && !image->unpack(move->why))
        received = XMPI_ERR_PROCESS;
    move->messages = move->from >= 0 && talk.answer == SEND ? move->spans : 0;
    return status != XMPI_OK ? status : received;
}

static void move_free(xmpi_image_move_t *move)
{
    if (move->staged != NULL)
        munmap(move->staged, move->staged_bytes);
    free(move->here);
    free(move->span);
    move->staged = NULL;
    move->here = move->span = NULL;
}

static void put_in_place(const xmpi_image_move_t *move)
{
    size_t done = 0;
    for (int64_t i = 0; i < move->spans; i++) {
        size_t bytes = move->span[i].to - move->span[i].from;
        memcpy((char *)move->span[i].from, move->staged + done, bytes);
        done += bytes;
    }
}

void xmpi_image_commit(xmpi_image_move_t *move)
{
    if (move->to >= 0)
        move->image->left();
    if (move->staged != NULL) {
        move->image->clear();
        put_in_place(move);
        if (!move->image->unpack(move->why))
            xmpi_misuse("a process that others have exchanged cannot go on: %s", move->why);
    }
    move_free(move);
}

void xmpi_image_cancel(xmpi_image_move_t *move)
{
    if (move->to >= 0 && move->packed)
        move->image->stay();
    move_free(move);
}

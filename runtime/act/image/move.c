/* SPDX-License-Identifier: BSD-3-Clause
 * Moving images between processes. */
#define _GNU_SOURCE
#include "act/image/move.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "act/image/pages.h"
#include "act/machine/memory.h"
#include "act/moving/direct.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "base/process/seconds.h"

enum { TAG_OFFER = 7001, TAG_SPANS, TAG_KEPT, TAG_ANSWER, TAG_BYTES };
enum { MOST_SPANS = 1 << 20, MOST_ROUNDS = 10 };

/* Less is not worth another round; nor is what is hardly less than the last one, but for the first,
 * which takes much longer than others, as there is no memory yet where it goes. */
static const int64_t least_ahead = 1 << 20;

/* Bytes for which there is room anyway, so that nobody looks, which takes as long as to send them.
 */
static const int64_t unasked = 16 << 20;

static const double shrinking = 0.75;

void xmpi_image_open(const xmpi_image_t *image, const xmpi_change_t *change, MPI_Comm transit,
                     int me, xmpi_move_strategy_t strategy, double patience, xmpi_image_gone_t gone,
                     const void *context, xmpi_image_move_t *move)
{
    *move = (xmpi_image_move_t){.image = image,
                                .transit = transit,
                                .to = -1,
                                .from = change->new_rank[me] == me ? -1 : change->new_rank[me],
                                .joins = me >= change->olds,
                                .direct = strategy == XMPI_MOVE_AUTO,
                                .patience = patience,
                                .gone = gone,
                                .context = context,
                                .answering = MPI_REQUEST_NULL};
    for (int i = 0; i < change->transit && me < change->olds; i++)
        if (change->new_rank[i] == me && i != me)
            move->to = i;
    move->to_joiner = move->to >= change->olds;
}

/* --- what is sent --------------------------------------------------------------------------------
 */

/* All that the program has in use; malloc, NULL without memory for it. */
static xmpi_span_t *spans_of(const xmpi_image_t *image, size_t *n)
{
    xmpi_span_t *all = malloc(MOST_SPANS * sizeof *all);
    *n = all != NULL ? image->spans(all, MOST_SPANS) : 0;
    if (*n < MOST_SPANS)
        return all;
    free(all);
    return NULL;
}

int64_t xmpi_image_bytes(const xmpi_image_t *image)
{
    size_t n;
    xmpi_span_t *all = spans_of(image, &n);
    xmpi_spans_t spans = {.span = all, .n = (int64_t)n};
    int64_t bytes = all != NULL ? xmpi_spans_bytes(&spans) : 0;
    free(all);
    return bytes;
}

static bool differs(int64_t bytes, int64_t from)
{
    return llabs(bytes - from) > from / 16;
}

static bool is_power_of_2(int64_t n)
{
    return (n & (n - 1)) == 0;
}

int64_t xmpi_image_touched(const xmpi_image_t *image, xmpi_image_size_t *size)
{
    size_t n;
    xmpi_spans_t touched = {.status = XMPI_OK};
    xmpi_span_t *all = spans_of(image, &n);
    xmpi_spans_t spans = {.span = all, .n = (int64_t)n};
    int64_t used = all != NULL ? xmpi_spans_bytes(&spans) : 0;
    bool other = differs(used, size->used);
    size->asked = other ? 0 : size->asked + 1;
    if (other || (differs(size->touched, used) && is_power_of_2(size->asked))) {
        for (size_t i = 0; i < n; i++)
            xmpi_spans_add_touched(&touched, &all[i]);
        size->used = used;
        size->touched = xmpi_spans_bytes(&touched);
        xmpi_spans_free(&touched);
    }
    free(all);
    return size->touched;
}

/* What of the arena was touched. */
static bool list_touched(const xmpi_image_t *image, xmpi_spans_t *spans)
{
    size_t n;
    xmpi_span_t *all = spans_of(image, &n);
    xmpi_spans_free(spans);
    for (size_t i = 0; i < n; i++)
        if (all[i].from >= image->arena.from)
            xmpi_spans_add_touched(spans, &all[i]);
    free(all);
    return all != NULL && spans->status == XMPI_OK;
}

/* What of the arena was written since the last round, for HERE. ANEW: from here on it is followed
 * for the next one. */
static bool list_written(xmpi_image_move_t *move, bool anew)
{
    size_t n;
    xmpi_look_t how = xmpi_follow_look(&move->follow, anew);
    xmpi_span_t *all = spans_of(move->image, &n);
    bool told = all != NULL;
    xmpi_spans_free(&move->here);
    for (size_t i = 0; i < n && told; i++)
        if (all[i].from >= move->image->arena.from)
            told = xmpi_spans_look(&all[i], how, &move->here);
    free(all);
    if (told && anew)
        told = xmpi_follow_again(&move->follow);
    return told && move->here.status == XMPI_OK;
}

/* The variables, all of them, since those of the other process have values already. */
static bool add_variables(const xmpi_image_t *image, xmpi_spans_t *spans)
{
    size_t n;
    xmpi_span_t *all = spans_of(image, &n);
    for (size_t i = 0; i < n; i++)
        if (all[i].from < image->arena.from)
            xmpi_spans_add(spans, all[i].from, all[i].to);
    free(all);
    return all != NULL && spans->status == XMPI_OK;
}

bool xmpi_image_list(const xmpi_image_t *image, xmpi_spans_t *spans)
{
    return list_touched(image, spans) && add_variables(image, spans);
}

/* What comes last, for HERE. */
static bool list_last(xmpi_image_move_t *move)
{
    bool told = xmpi_follow_is_on(&move->follow) && list_written(move, false);
    return (told || list_touched(move->image, &move->here)) &&
           add_variables(move->image, &move->here);
}

static void ask(xmpi_image_move_t *move)
{
    move->asked = PMPI_Irecv(&move->answer, sizeof move->answer, MPI_BYTE, move->to, TAG_ANSWER,
                             move->transit, &move->answering) == MPI_SUCCESS;
    move->asked_at = move->looked_at = xmpi_seconds_now();
    if (!move->asked)
        move->fault = XMPI_IMAGE_LOST;
}

static void send_list(xmpi_image_move_t *move, const xmpi_spans_t *spans, int tag)
{
    if (xmpi_sendings_add(&move->sendings, spans->span, spans->n * (int64_t)sizeof *spans->span,
                          move->to, tag, move->transit) != XMPI_OK)
        move->fault = XMPI_IMAGE_LOST;
}

/* Tells the other side what there is: HERE, and of the last round behind others also what is left
 * of what it has, which is found while it gets the others. (An empty list says that it is not
 * known.) */
static void make_offer(xmpi_image_move_t *move, xmpi_image_word_t what)
{
    bool behind = what == XMPI_IMAGE_LAST && move->rounds > 0;
    move->offer = (xmpi_image_offer_t){.what = what,
                                       .process = getpid(),
                                       .host = xmpi_direct_host(),
                                       .spans = move->here.n,
                                       .kept = behind};
    if (xmpi_sendings_add(&move->sendings, &move->offer, sizeof move->offer, move->to, TAG_OFFER,
                          move->transit) != XMPI_OK)
        move->fault = XMPI_IMAGE_LOST;
    if (move->here.n > 0)
        send_list(move, &move->here, TAG_SPANS);
    if (behind && !list_touched(move->image, &move->kept))
        xmpi_spans_free(&move->kept);
    if (behind)
        send_list(move, &move->kept, TAG_KEPT);
    ask(move);
}

/* Whether nothing more is to be hoped for. Asking takes a connection. (Without a member nobody goes
 * on anyway.) */
static bool is_lost(xmpi_image_move_t *move)
{
    static const double often = 0.05;
    double at = xmpi_seconds_now();
    if (!move->to_joiner || at - move->looked_at < often)
        return false;
    move->looked_at = at;
    return at - move->asked_at > move->patience || move->gone(move->context, move->to);
}

/* Gets on with the answer; whether there is nothing more to wait for. */
static bool advance(xmpi_image_move_t *move)
{
    int there = 0;
    if (!move->asked || move->fault == XMPI_IMAGE_LOST)
        return true;
    if (PMPI_Test(&move->answering, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
        (!there && is_lost(move))) {
        move->fault = XMPI_IMAGE_LOST;
        return true;
    }
    if (!there)
        return false;
    if (move->answer.send) {
        if (xmpi_bytes_send(&move->here, move->to, TAG_BYTES, move->transit, &move->sendings) !=
            XMPI_OK)
            move->fault = XMPI_IMAGE_LOST;
        ask(move);
        return false;
    }
    while (!xmpi_sendings_over(&move->sendings))
        ; /* they have been received */
    xmpi_sendings_free(&move->sendings);
    move->asked = false;
    move->fault = (xmpi_image_fault_t)move->answer.fault;
    if (move->fault != XMPI_IMAGE_FINE)
        memcpy(move->why, move->answer.why, sizeof move->why);
    return true;
}

/* By looking all the time in the short run, as those that are quick are many, and while it has
 * messages to send, which get on in calls of MPI; then again after a part of what it has waited
 * for, as many may wait beside those that copy. */
static void await(xmpi_image_move_t *move)
{
    static const double short_run = 500e-6, part = 1.0 / 32, longest = 0.01;
    double since = xmpi_seconds_now();
    while (!advance(move)) {
        double now = xmpi_seconds_now();
        if (!xmpi_sendings_over(&move->sendings))
            since = now;
        double moment = (now - since) * part < longest ? (now - since) * part : longest;
        const struct timespec time = {.tv_nsec = (long)(moment * 1e9)};
        if (now - since < short_run)
            sched_yield();
        else
            nanosleep(&time, NULL);
    }
}

/* --- ahead ---------------------------------------------------------------------------------------
 */

bool xmpi_image_ahead(xmpi_image_move_t *move)
{
    move->starting = move->to_joiner && list_touched(move->image, &move->here) &&
                     xmpi_follow_begin(&move->follow, &move->here);
    return move->starting;
}

/* Whether the first round has begun; where it cannot, all comes last. */
static bool start(xmpi_image_move_t *move)
{
    xmpi_follow_state_t state = xmpi_follow_state(&move->follow);
    move->starting = state == XMPI_FOLLOW_BEGINS;
    if (state == XMPI_FOLLOW_FAILED)
        xmpi_follow_end(&move->follow);
    if (state != XMPI_FOLLOW_GOES_ON)
        return false;
    move->rounds = 1;
    move->last_bytes = xmpi_spans_bytes(&move->here);
    make_offer(move, XMPI_IMAGE_AHEAD);
    return true;
}

static bool is_worth_a_round(xmpi_image_move_t *move)
{
    if (move->rounds == MOST_ROUNDS || !list_written(move, false))
        return false;
    int64_t bytes = xmpi_spans_bytes(&move->here);
    return bytes > least_ahead &&
           (move->rounds == 1 || (double)bytes < shrinking * (double)move->last_bytes);
}

bool xmpi_image_tend(xmpi_image_move_t *move)
{
    if (move->starting && start(move))
        return false;
    if (move->starting || !advance(move))
        return false;
    if (move->fault != XMPI_IMAGE_FINE || move->rounds == 0 || !is_worth_a_round(move))
        return true;
    if (!list_written(move, true)) {    /* what is written is not known any more */
        xmpi_follow_end(&move->follow); /* all of it comes last */
        return true;
    }
    move->rounds++;
    move->last_bytes = xmpi_spans_bytes(&move->here);
    make_offer(move, XMPI_IMAGE_AHEAD);
    return false;
}

/* --- what comes ----------------------------------------------------------------------------------
 */

static void receive_list(const xmpi_image_move_t *move, int64_t n, int tag, xmpi_spans_t *spans)
{
    xmpi_spans_free(spans);
    spans->span = malloc((size_t)(n + 1) * sizeof *spans->span);
    if (spans->span == NULL)
        xmpi_misuse("no memory for a list of %lld places", (long long)n);
    spans->n = spans->room = n;
    if (n > 0)
        PMPI_Recv(spans->span, (int)(n * (int64_t)sizeof *spans->span), MPI_BYTE, move->from, tag,
                  move->transit, MPI_STATUS_IGNORE);
}

/* Room for what comes: its own places, or memory aside where there is a program. */
static xmpi_image_fault_t make_room(xmpi_image_move_t *move)
{
    int64_t bytes = xmpi_spans_bytes(&move->span);
    bool first = move->had.n == 0;
    int64_t left = first && bytes > unasked ? xmpi_memory_available() : bytes;
    if (left < bytes) {
        snprintf(move->why, sizeof move->why, "%lld MiB are needed, and %lld left",
                 (long long)(bytes >> 20), (long long)(left >> 20));
        return XMPI_IMAGE_NO_MEMORY;
    }
    if (move->joins) {
        if (first)
            move->image->clear();
        xmpi_image_pages_make(&move->image->arena, &move->span);
        return XMPI_IMAGE_FINE;
    }
    move->staged_bytes = (size_t)bytes;
    move->staged =
        mmap(NULL, move->staged_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (move->staged == MAP_FAILED) {
        move->staged = NULL;
        return XMPI_IMAGE_NO_MEMORY;
    }
    madvise(move->staged, move->staged_bytes, MADV_HUGEPAGE);
    return XMPI_IMAGE_FINE;
}

static void note_had(xmpi_image_move_t *move)
{
    for (int64_t i = 0; i < move->span.n; i++)
        xmpi_spans_add(&move->had, move->span.span[i].from, move->span.span[i].to);
    if (move->had.status != XMPI_OK)
        xmpi_misuse("no memory for a list of %lld places", (long long)move->had.n);
}

static void reply(const xmpi_image_move_t *move, bool send, xmpi_image_fault_t fault)
{
    xmpi_image_answer_t answer = {.send = send, .fault = fault};
    memcpy(answer.why, move->why, sizeof answer.why);
    PMPI_Send(&answer, sizeof answer, MPI_BYTE, move->from, TAG_ANSWER, move->transit);
}

/* Two that exchange their programs each wait for the other. Who joins may have been given up. */
static bool get_on(void *context)
{
    xmpi_image_move_t *move = context;
    int told = 0;
    if (move->joins)
        PMPI_Iprobe(move->from, TAG_OFFER, move->transit, &told, MPI_STATUS_IGNORE);
    else
        advance(move);
    return !told;
}

static void get_bytes(xmpi_image_move_t *move, const xmpi_image_offer_t *offer)
{
    bool near = move->direct && offer->host != 0 && offer->host == xmpi_direct_host();
    int64_t bytes = xmpi_spans_bytes(&move->span);
    bool ahead = offer->what == XMPI_IMAGE_AHEAD;
    *(ahead ? &move->ahead : &move->bytes) += bytes;
    if (near && xmpi_bytes_pull((pid_t)offer->process, &move->span, move->staged, !ahead))
        return;
    reply(move, true, XMPI_IMAGE_FINE);
    if (xmpi_bytes_receive(&move->span, move->staged, move->from, TAG_BYTES, move->transit, get_on,
                           move) != XMPI_OK)
        move->got = XMPI_IMAGE_LOST;
    move->messages += ahead ? 0 : move->span.n;
}

static void receive_kept(xmpi_image_move_t *move)
{
    int bytes = 0;
    MPI_Status status;
    if (PMPI_Probe(move->from, TAG_KEPT, move->transit, &status) == MPI_SUCCESS)
        PMPI_Get_count(&status, MPI_BYTE, &bytes);
    if (bytes == 0 && move->got == XMPI_IMAGE_FINE)
        move->got = XMPI_IMAGE_NO_MEMORY;
    receive_list(move, bytes / (int)sizeof(xmpi_span_t), TAG_KEPT, &move->kept);
    if (bytes == 0)
        PMPI_Recv(NULL, 0, MPI_BYTE, move->from, TAG_KEPT, move->transit, MPI_STATUS_IGNORE);
}

/* What OFFER tells of, and the answer. */
static xmpi_image_fault_t take(xmpi_image_move_t *move, const xmpi_image_offer_t *offer)
{
    bool last = offer->what == XMPI_IMAGE_LAST;
    receive_list(move, offer->spans, TAG_SPANS, &move->span);
    if (last && move->span.n == 0) /* it could not be listed */
        move->got = XMPI_IMAGE_NO_MEMORY;
    if (move->got == XMPI_IMAGE_FINE)
        move->got = make_room(move);
    if (move->got == XMPI_IMAGE_FINE)
        get_bytes(move, offer);
    if (offer->kept > 0)
        receive_kept(move);
    if (move->got == XMPI_IMAGE_FINE && last && move->joins) {
        if (move->had.n > 0)
            xmpi_image_pages_drop(&move->had, &move->kept);
        move->unpacked = move->image->unpack(move->why);
        move->got = move->unpacked ? XMPI_IMAGE_FINE : XMPI_IMAGE_NOT_WHOLE;
    } else if (move->got == XMPI_IMAGE_FINE && !last) {
        note_had(move);
    }
    reply(move, false, move->got);
    return move->got;
}

static void hear_offer(const xmpi_image_move_t *move, xmpi_image_offer_t *offer)
{
    PMPI_Recv(offer, sizeof *offer, MPI_BYTE, move->from, TAG_OFFER, move->transit,
              MPI_STATUS_IGNORE);
}

xmpi_image_fault_t xmpi_image_serve(xmpi_image_move_t *move, xmpi_image_word_t *word)
{
    xmpi_image_offer_t offer;
    move->image->let_go();
    do {
        hear_offer(move, &offer);
        *word = (xmpi_image_word_t)offer.what;
        move->last_at = PMPI_Wtime();
        if (*word == XMPI_IMAGE_AHEAD || *word == XMPI_IMAGE_LAST)
            take(move, &offer);
    } while (*word == XMPI_IMAGE_AHEAD);
    return move->got;
}

/* --- the last of it ------------------------------------------------------------------------------
 */

xmpi_image_fault_t xmpi_image_last(xmpi_image_move_t *move)
{
    xmpi_image_offer_t offer;
    if (move->to < 0 && move->from < 0)
        return XMPI_IMAGE_FINE;
    move->image->pack();
    move->packed = true;
    if (move->to >= 0) {
        if (!list_last(move))
            xmpi_spans_free(&move->here); /* who would receive it says no */
        make_offer(move, XMPI_IMAGE_LAST);
    }
    if (move->from >= 0) {
        hear_offer(move, &offer);
        take(move, &offer);
    }
    if (move->to >= 0)
        await(move);
    return move->fault > move->got ? move->fault : move->got;
}

xmpi_image_fault_t xmpi_image_look_again(xmpi_image_move_t *move)
{
    if (move->to_joiner && move->gone(move->context, move->to))
        move->fault = XMPI_IMAGE_LOST;
    return move->fault;
}

void xmpi_image_tell(xmpi_image_move_t *move, xmpi_image_word_t word)
{
    MPI_Request request;
    bool lost = move->fault == XMPI_IMAGE_LOST;
    if (!move->to_joiner || (lost && move->gone(move->context, move->to)))
        return; /* (to write to who has ended would be a signal) */
    xmpi_image_offer_t *offer = calloc(1, sizeof *offer);
    if (offer == NULL)
        xmpi_misuse("no memory to tell a process to take over");
    offer->what = word;
    int status =
        PMPI_Isend(offer, sizeof *offer, MPI_BYTE, move->to, TAG_OFFER, move->transit, &request);
    if (status != MPI_SUCCESS || lost)
        return; /* (whether it is ever read is not known) */
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    free(offer);
}

xmpi_image_word_t xmpi_image_hear(xmpi_image_move_t *move)
{
    xmpi_image_offer_t offer = {.what = XMPI_IMAGE_OFF};
    hear_offer(move, &offer);
    return (xmpi_image_word_t)offer.what;
}

static void put_in_place(const xmpi_image_move_t *move)
{
    size_t done = 0;
    for (int64_t i = 0; i < move->span.n; i++) {
        size_t bytes = move->span.span[i].to - move->span.span[i].from;
        memcpy((char *)move->span.span[i].from, move->staged + done, bytes);
        done += bytes;
    }
}

void xmpi_image_commit(xmpi_image_move_t *move)
{
    if (move->to >= 0)
        move->image->left();
    move->leaves = move->to >= 0 && move->from < 0;
    if (move->staged != NULL) {
        move->image->clear();
        xmpi_image_pages_make(&move->image->arena, &move->span);
        put_in_place(move);
        if (!move->image->unpack(move->why))
            xmpi_misuse("a process that others have exchanged cannot go on: %s", move->why);
    }
}

void xmpi_image_release(xmpi_image_move_t *move)
{
    if (move->leaves)
        move->image->clear();
    xmpi_follow_end(&move->follow);
    if (move->fault == XMPI_IMAGE_LOST) /* MPI may still look at what was to be sent */
        move->here = move->kept = (xmpi_spans_t){0};
    if (move->staged != NULL)
        munmap(move->staged, move->staged_bytes);
    if (move->answering != MPI_REQUEST_NULL) {
        PMPI_Cancel(&move->answering);
        PMPI_Request_free(&move->answering);
    }
    xmpi_sendings_free(&move->sendings);
    xmpi_spans_free(&move->here);
    xmpi_spans_free(&move->kept);
    xmpi_spans_free(&move->span);
    xmpi_spans_free(&move->had);
    move->staged = NULL;
}

void xmpi_image_cancel(xmpi_image_move_t *move)
{
    if (move->to >= 0 && move->packed)
        move->image->stay();
    if (move->unpacked)
        move->image->left();
    if (move->had.n > 0 || move->unpacked)
        move->image->clear();
    xmpi_image_release(move);
}

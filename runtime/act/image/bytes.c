/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes of an image on their way. */
#define _GNU_SOURCE
#include "act/image/bytes.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "act/moving/storage/pages.h"

enum { BATCH = 256, STEP = 4 << 20, MESSAGE = 64 << 20, PAGE = 4096 };

/* Less is read in the time that it takes to begin a thread, or little more. */
static const int64_t least_to_share = 1 << 20;

/* Where the bytes of ADDRESS, of the span that begins with DONE bytes in all, go meanwhile. */
static char *place_of(char *staged, uintptr_t address, size_t done)
{
    return staged != NULL ? staged + done : (char *)address;
}

static bool pull(pid_t process, const xmpi_spans_t *spans, char *staged)
{
    struct iovec here[BATCH], there[BATCH];
    const xmpi_span_t *span = spans->span;
    size_t done = 0;
    for (int64_t i = 0; i < spans->n;) {
        size_t bytes = 0, inside = 0;
        int n = 0;
        for (; i < spans->n && n < BATCH && bytes < STEP; n++) {
            uintptr_t at = span[i].from + inside;
            size_t left = span[i].to - at, piece = left < STEP - bytes ? left : STEP - bytes;
            here[n] = (struct iovec){place_of(staged, at, done + bytes), piece};
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
            uintptr_t at = span[i].from + inside;
            size_t left = span[i].to - at, piece = left < STEP ? left : STEP;
            struct iovec to = {place_of(staged, at, done), piece}, from = {(void *)at, piece};
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

/* --- by two threads -----------------------------------------------------------------------------
 */

typedef struct {
    pid_t process;
    xmpi_spans_t spans;
    char *staged;
    bool done;
} part_t;

static void *pull_part(void *argument)
{
    part_t *part = argument;
    part->done = pull(part->process, &part->spans, part->staged);
    return NULL;
}

/* Splits PART behind whole pages at about half of its BYTES: what follows is for OTHER. False:
 * no memory. */
static bool split(part_t *part, int64_t bytes, part_t *other)
{
    int64_t i = 0, n = part->spans.n, first = 0;
    const xmpi_span_t *span = part->spans.span;
    while (first + (int64_t)(span[i].to - span[i].from) < bytes / 2) {
        first += (int64_t)(span[i].to - span[i].from);
        i++;
    }
    uintptr_t at = (span[i].from + (uintptr_t)(bytes / 2 - first)) / PAGE * PAGE;
    at = at > span[i].from ? at : span[i].to;
    xmpi_spans_t before = {.status = XMPI_OK}, behind = {.status = XMPI_OK};
    for (int64_t k = 0; k <= i; k++)
        xmpi_spans_add(&before, span[k].from, k < i ? span[k].to : at);
    if (at < span[i].to)
        xmpi_spans_add(&behind, at, span[i].to);
    for (int64_t k = i + 1; k < n; k++)
        xmpi_spans_add(&behind, span[k].from, span[k].to);
    *other = *part;
    if (part->staged != NULL)
        other->staged += xmpi_spans_bytes(&before);
    part->spans = before;
    other->spans = behind;
    return before.status == XMPI_OK && behind.status == XMPI_OK;
}

/* Signals are for the program's own threads. */
static bool begin(pthread_t *thread, part_t *part)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(thread, NULL, pull_part, part) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun;
}

bool xmpi_bytes_pull(pid_t process, const xmpi_spans_t *spans, char *staged, bool shared)
{
    pthread_t thread;
    int64_t bytes = shared ? xmpi_spans_bytes(spans) : 0;
    part_t mine = {.process = process, .spans = *spans, .staged = staged}, other;
    if (bytes < least_to_share)
        return pull(process, spans, staged);
    if (split(&mine, bytes, &other) && begin(&thread, &other)) {
        pull_part(&mine);
        pthread_join(thread, NULL);
    } else {
        mine.done = other.done = pull(process, spans, staged);
    }
    xmpi_spans_free(&mine.spans);
    xmpi_spans_free(&other.spans);
    return mine.done && other.done;
}

/* --- in messages --------------------------------------------------------------------------------
 */

xmpi_status_t xmpi_sendings_add(xmpi_sendings_t *sendings, const void *bytes, int64_t size, int to,
                                int tag, MPI_Comm comm)
{
    if (sendings->n == sendings->room) {
        int room = sendings->room > 0 ? 2 * sendings->room : 64;
        MPI_Request *grown = realloc(sendings->request, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return XMPI_ERR_MEMORY;
        sendings->request = grown;
        sendings->room = room;
    }
    return PMPI_Isend(bytes, (int)size, MPI_BYTE, to, tag, comm,
                      &sendings->request[sendings->n++]) == MPI_SUCCESS
               ? XMPI_OK
               : XMPI_ERR_PROCESS;
}

xmpi_status_t xmpi_bytes_send(const xmpi_spans_t *spans, int to, int tag, MPI_Comm comm,
                              xmpi_sendings_t *sendings)
{
    xmpi_status_t status = XMPI_OK;
    for (int64_t i = 0; i < spans->n; i++)
        for (uintptr_t at = spans->span[i].from; at < spans->span[i].to && status == XMPI_OK;) {
            size_t left = spans->span[i].to - at, piece = left < MESSAGE ? left : MESSAGE;
            status = xmpi_sendings_add(sendings, (const void *)at, (int64_t)piece, to, tag, comm);
            at += piece;
        }
    return status;
}

static bool receive(char *to, size_t size, int from, int tag, MPI_Comm comm,
                    bool (*meanwhile)(void *), void *context)
{
    MPI_Request request;
    int there = 0;
    bool good = PMPI_Irecv(to, (int)size, MPI_BYTE, from, tag, comm, &request) == MPI_SUCCESS;
    bool comes = true;
    while (good && comes && !there) {
        good = PMPI_Test(&request, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS;
        comes = there || meanwhile(context);
        if (!there)
            sched_yield();
    }
    if (good && !there) {
        PMPI_Cancel(&request);
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return good && there;
}

xmpi_status_t xmpi_bytes_receive(const xmpi_spans_t *spans, char *staged, int from, int tag,
                                 MPI_Comm comm, bool (*meanwhile)(void *), void *context)
{
    size_t done = 0;
    for (int64_t i = 0; i < spans->n; i++)
        for (uintptr_t at = spans->span[i].from; at < spans->span[i].to;) {
            size_t left = spans->span[i].to - at, piece = left < MESSAGE ? left : MESSAGE;
            if (!receive(place_of(staged, at, done), piece, from, tag, comm, meanwhile, context))
                return XMPI_ERR_PROCESS;
            at += piece;
            done += piece;
        }
    return XMPI_OK;
}

bool xmpi_sendings_over(xmpi_sendings_t *sendings)
{
    int over = 1;
    for (int i = 0; i < sendings->n && over; i++)
        if (sendings->request[i] != MPI_REQUEST_NULL)
            PMPI_Test(&sendings->request[i], &over, MPI_STATUS_IGNORE);
    return over != 0;
}

void xmpi_sendings_free(xmpi_sendings_t *sendings)
{
    for (int i = 0; i < sendings->n; i++)
        if (sendings->request[i] != MPI_REQUEST_NULL)
            PMPI_Request_free(&sendings->request[i]);
    free(sendings->request);
    *sendings = (xmpi_sendings_t){0};
}

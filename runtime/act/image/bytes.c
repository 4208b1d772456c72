/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes of an image on their way. */
#define _GNU_SOURCE
#include "act/image/bytes.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "act/moving/pages.h"

enum { BATCH = 256, STEP = 4 << 20, MESSAGE = 64 << 20 };

/* Where the bytes of ADDRESS, of the span that begins with DONE bytes in all, go meanwhile. */
static char *place_of(char *staged, uintptr_t address, size_t done)
{
    return staged != NULL ? staged + done : (char *)address;
}

bool xmpi_bytes_pull(pid_t process, const xmpi_spans_t *spans, char *staged)
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

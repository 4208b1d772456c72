/* SPDX-License-Identifier: BSD-3-Clause
 * Opaque requests: those of non-blocking I/O and generalized ones. MPICH moves them on in its own
 * calls only, so that nobody else may wait for them; and the time in which a member waits for a
 * file is I/O, not communication. */
#ifndef XMPI_OBSERVE_OPAQUE_H
#define XMPI_OBSERVE_OPAQUE_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
    MPI_Request handle;
    bool file;
} xmpi_opaque_request_t;

/* Those among the requests of a call. */
typedef struct {
    int n;
    bool files;                     /* the call has none but requests of files */
    xmpi_opaque_request_t *request; /* malloc */
} xmpi_opaque_t;

/* How many are known. */
extern atomic_int xmpi_opaque_known;

/* REQUEST has been made: by a call of MPI-IO, or it is a generalized one. */
void xmpi_opaque_made(MPI_Request request, bool file);

/* Before a call that completes requests: takes those that are opaque out of what is known, to be
 * put back after the call, unless it has completed them. (One that is completed
 * otherwise is forgotten when the MPI gives its handle to another one.) */
xmpi_opaque_t xmpi_opaque_find(int count, const MPI_Request *request);
void xmpi_opaque_put_back(int count, const MPI_Request *request, xmpi_opaque_t *found);

/* The same, cheap for programs that have none. */
static inline xmpi_opaque_t xmpi_opaque_take(int count, const MPI_Request *request)
{
    if (atomic_load_explicit(&xmpi_opaque_known, memory_order_relaxed) == 0)
        return (xmpi_opaque_t){0};
    return xmpi_opaque_find(count, request);
}

static inline void xmpi_opaque_keep(int count, const MPI_Request *request, xmpi_opaque_t *found)
{
    if (found->n > 0)
        xmpi_opaque_put_back(count, request, found);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes of an image on their way: read out of the memory of a process of the same node, or in
 * messages. */
#ifndef XMPI_ACT_IMAGE_BYTES_H
#define XMPI_ACT_IMAGE_BYTES_H

#include <mpi.h>
#include <sys/types.h>

#include "act/image/touched.h"

/* Messages that were begun. */
typedef struct {
    MPI_Request *request; /* malloc */
    int n, room;
} xmpi_sendings_t;

/* Reads SPANS out of PROCESS, to the same places here, or one after another to STAGED;
 * SHARED: with a second thread, as a processor has nothing else to do (PROCESS's, which waits).
 * False: it may not, or the process is gone. */
bool xmpi_bytes_pull(pid_t process, const xmpi_spans_t *spans, char *staged, bool shared);

/* The same by messages, which the other side begins and this one receives; MEANWHILE is called with
 * CONTEXT as long as one does not come, and says whether it still may. Else, and at an error of
 * MPI's, XMPI_ERR_PROCESS. */
xmpi_status_t xmpi_bytes_send(const xmpi_spans_t *spans, int to, int tag, MPI_Comm comm,
                              xmpi_sendings_t *sendings);
xmpi_status_t xmpi_bytes_receive(const xmpi_spans_t *spans, char *staged, int from, int tag,
                                 MPI_Comm comm, bool (*meanwhile)(void *), void *context);

/* Another message, of bytes that stay until it is over. */
xmpi_status_t xmpi_sendings_add(xmpi_sendings_t *sendings, const void *bytes, int64_t size, int to,
                                int tag, MPI_Comm comm);

/* Whether all are over; those that are not are forgotten by free. */
bool xmpi_sendings_over(xmpi_sendings_t *sendings);
void xmpi_sendings_free(xmpi_sendings_t *sendings);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Writer: turns events into lines of a file in a thread of its own, off the program's critical
 * path. The thread calls neither MPI nor the program, takes no signals, and sleeps while nothing
 * happens. */
#ifndef XMPI_TRACE_WRITER_H
#define XMPI_TRACE_WRITER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Whose queue is full: the file system does not keep up, and the program is not made to wait. */
enum { XMPI_WRITER_QUEUE = 1024 };

typedef struct xmpi_writer xmpi_writer_t;

/* Opens PATH for appending, emptied if FIRST; recurring events make the file no longer than LIMIT
 * bytes. XMPI_ERR_INPUT when it cannot be written, XMPI_ERR_MEMORY when there is no thread. */
xmpi_status_t xmpi_writer_open(const char *path, bool first, int64_t limit, xmpi_writer_t **writer,
                               xmpi_error_t *error);

/* Queues EVENT, which the writer owns from then on. Every line is written whole, in one call, and
 * out of the process. A RECURRING one is left out where it would pass the limit. False when the
 * queue was full and the event is lost. */
bool xmpi_writer_put(xmpi_writer_t *writer, cJSON *event, bool recurring);

/* Recurring events that were left out because of the limit; of all events after a drain. */
int64_t xmpi_writer_omitted(const xmpi_writer_t *writer);

/* Waits until all that was queued has been written: then the next event cannot be lost. */
void xmpi_writer_drain(xmpi_writer_t *writer);

/* Whether something could not be written (a full disk). It has been said then, once, on stderr. */
bool xmpi_writer_failed(const xmpi_writer_t *writer);

/* Bytes in the file, with those of other processes that wrote to it before, and about as many as
 * the queue will add. */
int64_t xmpi_writer_size(xmpi_writer_t *writer);

/* Writes what is queued, ends the thread and frees the writer (may be NULL). */
void xmpi_writer_close(xmpi_writer_t *writer);

#endif

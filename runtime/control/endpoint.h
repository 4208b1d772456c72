/* SPDX-License-Identifier: BSD-3-Clause
 * The control endpoint: a socket that only the user can open, served by a thread of the leader. The
 * thread calls neither MPI nor the program. Whatever arrives, it takes a bounded share of a core
 * and of memory, and never makes the program wait. */
#ifndef XMPI_CONTROL_ENDPOINT_H
#define XMPI_CONTROL_ENDPOINT_H

#include "control/job.h"

typedef struct xmpi_endpoint xmpi_endpoint_t;

/* Serves PATH, in the place of a socket of that name. Copies JOB, and takes over what was WAITING
 * (NULL: nothing) at the process that led before. XMPI_ERR_INPUT when there can be
 * no socket, XMPI_ERR_MEMORY when there can be no thread. */
xmpi_status_t xmpi_endpoint_open(const char *path, const xmpi_job_t *job,
                                 const xmpi_waiting_t *waiting, xmpi_endpoint_t **endpoint,
                                 xmpi_error_t *error);

/* The job as it is now, for those who ask or watch. Copies JOB. */
void xmpi_endpoint_publish(xmpi_endpoint_t *endpoint, const xmpi_job_t *job);

/* The answer to those who have asked for WHAT: LINE (malloc, with a newline) is taken over; NULL:
 * there is no memory for it. */
void xmpi_endpoint_answer(xmpi_endpoint_t *endpoint, xmpi_later_t what, char *line);

/* The next request that is to be carried out; false when there is none. */
bool xmpi_endpoint_take(xmpi_endpoint_t *endpoint, xmpi_request_t *request);

/* What waits, in WAITING, for the process that is to lead next; it stays here as well, should that
 * not come to lead. Until the endpoint goes on, or is closed, nobody hears of another request
 * whether it is accepted: who asks finds the connection closed, and asks the next leader. */
void xmpi_endpoint_hand_over(xmpi_endpoint_t *endpoint, xmpi_waiting_t *waiting);
void xmpi_endpoint_go_on(xmpi_endpoint_t *endpoint);

/* The process exits without more ado: removes the socket, and leaves all else. ENDPOINT may be NULL. */
void xmpi_endpoint_vanish(const xmpi_endpoint_t *endpoint);

/* Ends the thread, closes and removes the socket; ENDPOINT may be NULL. */
void xmpi_endpoint_close(xmpi_endpoint_t *endpoint);

#endif

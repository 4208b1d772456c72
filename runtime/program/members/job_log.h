/* SPDX-License-Identifier: BSD-3-Clause
 * What the job has done, and what came of requests: its log, which goes to whoever leads next
 * (control/log.h). At the leader; elsewhere nobody reads what is said. */
#ifndef XMPI_PROGRAM_MEMBERS_JOB_LOG_H
#define XMPI_PROGRAM_MEMBERS_JOB_LOG_H

#include "program/context.h"

/* A line of the log. */
__attribute__((format(printf, 2, 3))) void xmpi_job_say(xmpi_context_t *context, const char *format,
                                                        ...);

/* What is decided from now on is for the request NUMBER, until it is done or refused. */
void xmpi_job_requested(xmpi_context_t *context, int64_t number);

/* What was decided last: a change that is to be made. */
void xmpi_job_decided(xmpi_context_t *context, const char *decision);

/* No change was decided on, and why; where it was asked for, that is what came of the request,
 * which is REFUSED or was but a question. */
void xmpi_job_kept(xmpi_context_t *context, bool refused, const char *why);

/* A change, or a request, comes to nothing. */
void xmpi_job_refused(xmpi_context_t *context, const char *why);

/* A change is made, or a request is followed. */
__attribute__((format(printf, 2, 3))) void xmpi_job_done(xmpi_context_t *context,
                                                         const char *format, ...);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The log of the job. */
#include "program/members/job_log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "trace/trace.h"

static void say(xmpi_context_t *context, int64_t request, bool refused, const char *format,
                va_list words)
{
    xmpi_progress_t *progress = &context->progress;
    xmpi_log_line_t line = {.seconds = xmpi_trace_clock() - context->shared.started,
                            .iteration = progress->iteration,
                            .request = request,
                            .refused = refused};
    vsnprintf(line.text, sizeof line.text, format, words);
    xmpi_log_say(&progress->steering.log, &line);
}

__attribute__((format(printf, 4, 5))) static void say_of(xmpi_context_t *context, int64_t request,
                                                         bool refused, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    say(context, request, refused, format, words);
    va_end(words);
}

void xmpi_job_say(xmpi_context_t *context, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    say(context, 0, false, format, words);
    va_end(words);
}

/* The request that is decided on, for the last time. */
static int64_t settle(xmpi_context_t *context)
{
    int64_t request = context->progress.steering.request;
    context->progress.steering.request = 0;
    return request;
}

void xmpi_job_requested(xmpi_context_t *context, int64_t number)
{
    int64_t before = settle(context);
    if (before > 0)
        say_of(context, before, false, "is decided on with request %" PRId64, number);
    context->progress.steering.request = number;
}

static void note(xmpi_context_t *context, const char *decision)
{
    snprintf(context->progress.steering.decision, sizeof context->progress.steering.decision,
             "iteration %" PRId64 ": %.120s", context->progress.iteration, decision);
    context->kept[0] = '\0';
}

void xmpi_job_decided(xmpi_context_t *context, const char *decision)
{
    note(context, decision);
    if (decision[0] != '\0') /* else what is done is said */
        xmpi_job_say(context, "%s", decision);
}

void xmpi_job_kept(xmpi_context_t *context, bool refused, const char *why)
{
    int64_t request = settle(context);
    if (request > 0) {
        const char *said = why[0] != '\0' ? why : "nothing is to be changed";
        note(context, said);
        say_of(context, request, refused, "%s", said);
    }
    snprintf(context->kept, sizeof context->kept, "%s", why);
}

void xmpi_job_refused(xmpi_context_t *context, const char *why)
{
    note(context, why);
    say_of(context, settle(context), true, "%s", why);
}

void xmpi_job_done(xmpi_context_t *context, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    say(context, settle(context), false, format, words);
    va_end(words);
}

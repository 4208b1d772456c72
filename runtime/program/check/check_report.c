/* SPDX-License-Identifier: BSD-3-Clause
 * What a check says: in the trace, and to people. */
#include "program/check/check_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "act/world/world.h"
#include "base/misuse.h"
#include "observe/wait.h"
#include "trace/trace.h"

enum { LINE_LENGTH = 1024 };

void xmpi_check_tell(xmpi_context_t *context, xmpi_check_result_t outcome, const char *why, int to)
{
    xmpi_checking_t *check = &context->progress.check;
    xmpi_checked_t event = {.iteration = check->iteration,
                            .outcome = outcome,
                            .why = why,
                            .from = check->from,
                            .to = to,
                            .seconds = check->seconds,
                            .iterations = check->iterations};
    check->results[outcome]++;
    if (xmpi_leads())
        xmpi_trace_check(&context->trace, &context->shared, &event);
}

void xmpi_check_say(xmpi_context_t *context, const char *what, const char *then)
{
    if (xmpi_leads())
        fprintf(stderr, "xmpi: %s: iteration %" PRId64 ": %s: %s\n", context->loop,
                context->progress.check.iteration, what, then);
}

void xmpi_check_pin(xmpi_context_t *context, const char *why)
{
    xmpi_check_say(context, why, "the loop keeps its processes and blocks");
    if (xmpi_leads())
        xmpi_trace_pinned(&context->trace, &context->shared, context->progress.iteration, why);
    snprintf(context->keeps, sizeof context->keeps, "%s", why);
}

void xmpi_check_say_unchecked(xmpi_context_t *context, const char *why)
{
    bool asked = context->shared.settings.check != XMPI_CHECK_AUTO;
    if (asked && context->progress.check.unchecked++ == 0)
        xmpi_check_say(context, "the change is not checked", why);
}

void xmpi_check_end_if_asked(xmpi_context_t *context, MPI_Comm all)
{
    if (context->shared.settings.check != XMPI_CHECK_ABORT)
        return;
    if (xmpi_leads()) {
        xmpi_trace_close(&context->trace);
        xmpi_end_job(2);
    }
    xmpi_wait_barrier(all); /* the leader does not come */
}

/* "0-24 25-49", and no more than the first few. */
static void print_rows(const xmpi_layout_t *layout, char *text, size_t size)
{
    enum { SHOWN = 8 };
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < layout->members && i < SHOWN && at < size; i++) {
        const xmpi_block_t *block = &layout->member[i].block;
        const char *blank = i > 0 ? " " : "";
        at += (size_t)(block->count > 0
                           ? snprintf(text + at, size - at, "%s%" PRId64 "-%" PRId64, blank,
                                      block->displ, block->displ + block->count - 1)
                           : snprintf(text + at, size - at, "%snone", blank));
    }
    if (layout->members > SHOWN && at < size)
        snprintf(text + at, size - at, " ...");
}

void xmpi_check_place(const xmpi_difference_t *difference, char *text, size_t size)
{
    text[0] = '\0';
    if (difference->row >= 0 && difference->element >= 0)
        snprintf(text, size, ", row %" PRId64 ", element %" PRId64, difference->row,
                 difference->element);
    else if (difference->row >= 0)
        snprintf(text, size, ", row %" PRId64, difference->row);
}

static void print_difference(const xmpi_context_t *context, const xmpi_check_outcome_t *outcome,
                             char *text, size_t size)
{
    char rows[2][256], where[XMPI_CHECK_PLACE];
    const xmpi_difference_t *difference = &outcome->difference;
    const xmpi_layout_t *before = &context->check.before, *now = &context->shared.layout;
    print_rows(before, rows[0], sizeof rows[0]);
    print_rows(now, rows[1], sizeof rows[1]);
    xmpi_check_place(difference, where, sizeof where);
    if (outcome->ended)
        snprintf(text, size, "the loop ends with %d members, and goes on with %d", now->members,
                 before->members);
    else
        snprintf(text, size, "%s%s: %s with %d members, %s with %d (rows %s -> %s)%s",
                 difference->name, where, difference->before, before->members, difference->after,
                 now->members, rows[0], rows[1],
                 difference->small ? "; all are equal with XMPI_CHECK_TOLERANCE=1e-6, which is "
                                     "right where the iteration makes so much of roundings"
                                   : "");
}

void xmpi_check_report(xmpi_context_t *context, const xmpi_check_outcome_t *outcome)
{
    char text[LINE_LENGTH];
    print_difference(context, outcome, text, sizeof text);
    xmpi_check_tell(context, XMPI_CHECKED_DIFFERENT, text, context->shared.layout.members);
    if (outcome->ended)
        xmpi_check_say(context, text, "what it has come to may be wrong");
    else
        xmpi_check_pin(context, text);
    xmpi_check_end_if_asked(context, context->check.together);
}

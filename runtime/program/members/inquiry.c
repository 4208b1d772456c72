/* SPDX-License-Identifier: BSD-3-Clause
 * Inquiry: parked processes are asked in steps. */
#define _GNU_SOURCE
#include "program/members/inquiry.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "observe/clock.h"

/* One that is slow or gone is waited for for a second, and that often. */
enum { LOOKS = 4 };
static const double patience = 1;

void xmpi_inquiry_begin(xmpi_context_t *context, int nodes, const int *parked)
{
    xmpi_inquiry_t *inquiry = &context->inquiry;
    double now = xmpi_clock_wall();
    xmpi_inquiry_end(context);
    *inquiry = (xmpi_inquiry_t){
        .asked = calloc((size_t)nodes + 1, sizeof *inquiry->asked), .began = now, .until = now};
    for (int n = 0; n < nodes && inquiry->asked != NULL; n++)
        if (parked[n] >= 0)
            inquiry->asked[inquiry->n++] =
                (xmpi_asked_t){.pe = parked[n],
                               .process = context->shared.resources.pe[parked[n]].process,
                               .question.line = -1};
}

void xmpi_inquiry_end(xmpi_context_t *context)
{
    xmpi_inquiry_t *inquiry = &context->inquiry;
    for (int i = 0; i < inquiry->n; i++)
        xmpi_question_end(&inquiry->asked[i].question);
    free(inquiry->asked);
    *inquiry = (xmpi_inquiry_t){.n = 0};
}

static const xmpi_door_t *door_of(const xmpi_context_t *context, const xmpi_asked_t *asked)
{
    return &context->shared.process[asked->process].door;
}

/* Those who have not been asked yet are, one at least. */
static void ask_some(const xmpi_context_t *context, xmpi_inquiry_t *inquiry, double until)
{
    bool first = true;
    for (int i = 0; i < inquiry->n && (first || xmpi_clock_wall() < until); i++) {
        xmpi_asked_t *asked = &inquiry->asked[i];
        if (asked->begun)
            continue;
        first = false;
        asked->begun = true;
        asked->begun_at = xmpi_clock_wall();
        asked->over =
            !xmpi_question_begin(&asked->question, door_of(context, asked), XMPI_WORD_LOAD);
    }
}

static void proceed_one(const xmpi_context_t *context, xmpi_asked_t *asked)
{
    xmpi_pack_t answer;
    asked->in_vain = 0;
    xmpi_question_state_t state =
        xmpi_question_proceed(&asked->question, door_of(context, asked), &answer);
    if (state == XMPI_QUESTION_ANSWERED && answer.size == sizeof asked->load)
        xmpi_pack_get(&answer, &asked->load, sizeof asked->load);
    asked->over = state != XMPI_QUESTION_OPEN;
    xmpi_pack_free(&answer);
}

static bool is_open(const xmpi_asked_t *asked)
{
    return asked->begun && !asked->over;
}

/* Waits until UNTIL for anything that comes, and takes it in; how many have come. */
static int take_in(const xmpi_context_t *context, xmpi_inquiry_t *inquiry, double until)
{
    struct pollfd *line = calloc((size_t)inquiry->n + 1, sizeof *line);
    double left = fmax(0, until - xmpi_clock_wall());
    struct timespec limit = {.tv_sec = (time_t)left, .tv_nsec = (long)(1e9 * (left - floor(left)))};
    for (int i = 0; i < inquiry->n && line != NULL; i++)
        line[i] = (struct pollfd){
            .fd = is_open(&inquiry->asked[i]) ? inquiry->asked[i].question.line : -1,
            .events = POLLIN};
    int come = line != NULL ? ppoll(line, (nfds_t)inquiry->n, &limit, NULL) : 0;
    for (int i = 0; i < inquiry->n && come > 0; i++)
        if (line[i].revents != 0)
            proceed_one(context, &inquiry->asked[i]);
    free(line);
    return come;
}

/* Gives up those that do not come; how many are to be waited for. */
static int still_open(xmpi_inquiry_t *inquiry)
{
    int open = 0;
    for (int i = 0; i < inquiry->n; i++) {
        xmpi_asked_t *asked = &inquiry->asked[i];
        if (is_open(asked) && asked->in_vain > LOOKS &&
            xmpi_clock_wall() - asked->begun_at > patience) {
            xmpi_question_end(&asked->question);
            asked->over = true;
        }
        open += !asked->over;
    }
    return open;
}

bool xmpi_inquiry_proceed(xmpi_context_t *context, double share)
{
    xmpi_inquiry_t *inquiry = &context->inquiry;
    double start = xmpi_clock_wall(), until = start + share * (start - inquiry->until);
    for (int i = 0; i < inquiry->n; i++)
        inquiry->asked[i].in_vain++;
    ask_some(context, inquiry, until);
    int open = 1, come = 1;
    while (open > 0 && come > 0) {
        come = take_in(context, inquiry, until);
        open = still_open(inquiry);
    }
    inquiry->until = xmpi_clock_wall();
    return open == 0;
}

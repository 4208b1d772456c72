/* SPDX-License-Identifier: BSD-3-Clause
 * Changes ahead: getting processes in the background. */
#include "program/members/ahead.h"

#include <string.h>

#include "observe/clock.h"
#include "program/members/members.h"

bool xmpi_ahead(const xmpi_context_t *context)
{
    return context->ahead.next.members > 0;
}

/* Members of NEXT on processing elements that are to be left. */
static int withdrawn_in(const xmpi_shared_t *shared, const xmpi_layout_t *next)
{
    int withdrawn = 0;
    for (int i = 0; i < next->members; i++) {
        const xmpi_process_t *process = &shared->process[next->member[i].process];
        withdrawn += shared->resources.pe[process->pe].withdrawn;
    }
    return withdrawn;
}

xmpi_status_t xmpi_ahead_start(xmpi_context_t *context, xmpi_layout_t *next, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_members_begin(context, next, NULL, XMPI_ORDER_JOIN, error);
    if (status != XMPI_OK)
        return status;
    context->ahead.next = *next;
    context->ahead.withdrawn = withdrawn_in(&context->shared, next);
    context->ahead.request = context->progress.steering.request;
    context->ahead.started = xmpi_clock_wall();
    context->ahead.reconfiguration = context->progress.under_way;
    memset(next, 0, sizeof *next);
    memset(&context->progress.under_way, 0, sizeof context->progress.under_way);
    return XMPI_OK;
}

/* What was ahead is under way. */
static void take(xmpi_context_t *context, xmpi_layout_t *next)
{
    *next = context->ahead.next;
    context->progress.under_way = context->ahead.reconfiguration;
    context->progress.under_way.iteration = context->progress.iteration;
    context->progress.under_way.background = xmpi_clock_wall() - context->ahead.started;
    memset(&context->ahead, 0, sizeof context->ahead);
}

void xmpi_ahead_tend(xmpi_context_t *context)
{
    if (!xmpi_ahead(context) || xmpi_clock_wall() - context->ahead.tended < 1e-3)
        return;
    xmpi_doorbell_tend(&context->doorbell);
    context->ahead.tended = xmpi_clock_wall();
}

xmpi_call_state_t xmpi_ahead_look(xmpi_context_t *context, xmpi_layout_t *next, xmpi_error_t *error)
{
    xmpi_caller_t caller = xmpi_members_caller(context);
    xmpi_call_state_t state = xmpi_call_proceed(&caller, false, &context->calling, error);
    if (state == XMPI_CALL_READY)
        take(context, next);
    else if (state == XMPI_CALL_FAILED)
        xmpi_ahead_cancel(context);
    return state;
}

/* Those that could not leave when it was decided on are no news; that others are to leave may be
 * what it is for. */
bool xmpi_ahead_stands(const xmpi_context_t *context)
{
    return withdrawn_in(&context->shared, &context->ahead.next) <= context->ahead.withdrawn;
}

void xmpi_ahead_cancel(xmpi_context_t *context)
{
    xmpi_layout_t next;
    xmpi_call_cancel(&context->calling);
    take(context, &next);
    xmpi_shared_forget(&context->shared, &next);
    xmpi_layout_free(&next);
}

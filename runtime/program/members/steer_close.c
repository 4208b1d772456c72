/* SPDX-License-Identifier: BSD-3-Clause
 * The end of steering. */
#define _GNU_SOURCE
#include "program/members/steer_close.h"

#include <errno.h>

#include "control/directory.h"

void xmpi_steer_hand_over(xmpi_context_t *context, const xmpi_layout_t *next)
{
    if (next->member[0].process != context->process)
        xmpi_endpoint_hand_over(context->endpoint, &context->progress.steering.waiting);
}

static void leave_directory(const xmpi_context_t *context)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    xmpi_entry_t self;
    if (context->endpoint != NULL && settings->jobs[0] != '\0' &&
        xmpi_directory_self(settings->control, program_invocation_short_name, &self))
        xmpi_directory_remove(settings->jobs, &self);
}

void xmpi_steer_close(xmpi_context_t *context)
{
    leave_directory(context);
    xmpi_endpoint_hand_over(context->endpoint, &context->progress.steering.waiting);
    xmpi_endpoint_close(context->endpoint);
    context->endpoint = NULL;
}

void xmpi_steer_vanish(const xmpi_context_t *context)
{
    leave_directory(context);
    xmpi_endpoint_vanish(context->endpoint);
}

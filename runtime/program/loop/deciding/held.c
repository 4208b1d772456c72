/* SPDX-License-Identifier: BSD-3-Clause
 * What holds the program of a movable loop where it is. */
#include "program/loop/deciding/held.h"

#include <stdio.h>
#include <string.h>

#include "act/execute_images.h"
#include "act/handles/handles.h"
#include "act/world/world.h"

/* What the start would read or open again, and not as it did. */
static void ask_start(const xmpi_context_t *context, char *why)
{
    const xmpi_restart_t *program = context->start.program;
    if (program->has_read_input())
        snprintf(why, XMPI_IMAGE_WHY_MAX, "it has read standard input, which cannot be read again");
    if (why[0] == '\0')
        program->descriptors(why);
    if (why[0] == '\0')
        program->reads_changed(context->shared.loop, why);
}

static int32_t ask(xmpi_context_t *context, char *why)
{
    xmpi_holds_t held = xmpi_handles_hold(why, XMPI_IMAGE_WHY_MAX);
    if (held == XMPI_HOLDS_NOTHING)
        context->image->held(why);
    if (why[0] == '\0' && context->shared.resizable)
        ask_start(context, why);
    if (why[0] == '\0' && xmpi_leads() && context->shared.movable &&
        xmpi_spawners_busy(&context->spawners))
        snprintf(why, XMPI_IMAGE_WHY_MAX, "a process that it has started has not come yet");
    if (held == XMPI_HOLDS_ALL)
        return XMPI_HELD_ALL;
    return why[0] != '\0' ? XMPI_HELD_HERE : XMPI_HELD_NOT;
}

int32_t xmpi_movable_held(xmpi_context_t *context)
{
    char why[XMPI_IMAGE_WHY_MAX] = "";
    if (!(context->shared.movable || context->shared.resizable) || context->image == NULL ||
        context->pinned)
        return XMPI_HELD_NOT;
    int32_t held = ask(context, why);
    if (why[0] != '\0' && strcmp(why, context->stays) != 0)
        fprintf(stderr, "xmpi: %s: rank %d %s: %s\n", context->loop, xmpi_world.rank,
                context->shared.resizable ? "cannot start over, so that the members stay"
                                          : "stays on its processing element",
                why);
    snprintf(context->stays, sizeof context->stays, "%s", why);
    return held;
}

double xmpi_movable_bytes(xmpi_context_t *context)
{
    bool moves = context->shared.movable || context->shared.resizable;
    if (!moves || context->image == NULL || context->pinned)
        return 0;
    return xmpi_execute_image_bytes(context->image, &context->image_size);
}

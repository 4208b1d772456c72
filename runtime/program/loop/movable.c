/* SPDX-License-Identifier: BSD-3-Clause
 * Movable loops: whole programs go to other processes. What is done here is done on the stack that
 * the process was started with, while the program stands still (act/image/image.h). */
#include "program/loop/movable.h"

#include <stdio.h>
#include <string.h>

#include "act/world/world.h"
#include "base/export.h"
#include "base/floating.h"
#include "base/misuse.h"
#include "program/checkpoint/images.h"
#include "program/loop/begin_end.h"
#include "program/loop/loop.h"
#include "xmpi.h"
#include "xmpi_gen.h"

XMPI_EXPORT void xmpi_gen_image(const void *image)
{
    const xmpi_image_t *given = image;
    if (given->version == XMPI_IMAGE_VERSION)
        xmpi_context.image = given;
    else
        xmpi_context.too_new = "linked by another xmpicc than this libxmpi belongs to";
}

/* Each rank is a row of its own, which stays where it is: only processes change. */
static void begin(xmpi_context_t *context, const char *where)
{
    context->shared.movable = context->shared.rowless = true;
    context->shared.resources.anchor = -1; /* (who leads next can spawn as well) */
    context->registry.domain = xmpi_world.size;
    xmpi_loop_begin(context, where, 0, NULL);
}

static bool is_in(const xmpi_context_t *context, const char *where)
{
    return context->loop != NULL && context->shared.movable &&
           strcmp(context->shared.loop, xmpi_loop_name(where)) == 0;
}

/* Rows are not the program's alone, and a program that moves whole has none: its movable loops keep
 * their processes where another one is divisible, in a line for each. */
static bool is_divided(const xmpi_context_t *context, const char *where)
{
    static const char *said;
    if (context->structures == 0 && context->registry.arrays == 0)
        return false;
    if (said != where && xmpi_leads() && strcmp(context->shared.settings.policy, "off") != 0)
        fprintf(
            stderr,
            "xmpi: %s: the loop keeps its processes, as the program has registered data, or a "
            "divisible loop, which do not move with it: with #pragma xmpi loop movable there as "
            "well it moves\n",
            where);
    said = where;
    return true;
}

XMPI_EXPORT void xmpi_gen_moves(void *where)
{
    xmpi_context_t *context = &xmpi_context;
    if (xmpi_world.state == XMPI_STATE_PLAIN) {
        xmpi_part_check(&context->part, where);
        return;
    }
    if (context->start.under_way) /* it comes by here on its way to a resizable loop */
        return;
    if (xmpi_world.state != XMPI_STATE_RUNNING)
        xmpi_misuse("%s: a process that is not a member is at a movable loop", (char *)where);
    if (!is_in(context, where)) {
        if (context->loop == NULL && is_divided(context, where))
            return;
        if (context->loop != NULL && !context->shared.movable && !context->shared.resizable)
            xmpi_misuse("%s: a movable loop inside another adaptive loop, %s", (char *)where,
                        context->loop);
        xmpi_movable_end(context);
        begin(context, where);
    }
    xmpi_loop_point(context);
}

void xmpi_movable_end(xmpi_context_t *context)
{
    bool image = context->shared.movable || context->shared.resizable;
    if (context->loop == NULL || !image || xmpi_world.state != XMPI_STATE_RUNNING)
        return;
    xmpi_loop_end(context);
    if (context->shared.resources.can_spawn)
        context->shared.resources.anchor = context->shared.layout.member[0].process;
    context->shared.movable = context->shared.resizable = context->shared.rowless = false;
}

static void take_over(void *argument)
{
    XMPI_OWN_FLOATING;
    xmpi_loop_take_over(argument);
}

void xmpi_movable_take_over(xmpi_context_t *context)
{
    if (xmpi_world.state != XMPI_STATE_JOINING || !context->shared.movable)
        return;
    if (context->image == NULL)
        xmpi_misuse("called to a movable loop by a program that is linked otherwise");
    context->image->outside(take_over, context);
}

/* The program that was there when MPI_Init was called, and what has called this, is gone then. */
static void go_on(void *argument)
{
    XMPI_OWN_FLOATING;
    static char loop[XMPI_CHECKPOINT_LOOP_MAX];
    xmpi_context_t *context = argument;
    xmpi_images_load(context);
    snprintf(loop, sizeof loop, "%s", context->image_part.loop);
    begin(context, loop);
    xmpi_images_go_on(context);
    xmpi_loop_resume(context);
}

void xmpi_movable_go_on(xmpi_context_t *context)
{
    if (context->image_part.parts > 0)
        context->image->outside(go_on, context);
}

/* In a program that xmpicc has linked these are its own (image/table.c). */
XMPI_EXPORT __attribute__((weak)) void xmpi_gen_movable(const char *where)
{
    xmpi_gen_moves((void *)(uintptr_t)where);
}

XMPI_EXPORT __attribute__((weak)) int XMPI_Point(void)
{
    xmpi_gen_movable("XMPI_Point");
    return MPI_SUCCESS;
}

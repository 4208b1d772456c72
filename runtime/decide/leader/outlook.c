/* SPDX-License-Identifier: BSD-3-Clause
 * What the next decision is expected to be. */
#include "decide/leader/outlook.h"
#include "decide/policies/catalogue.h"

#include <inttypes.h>
#include <stdio.h>

static bool follows_schedule(const xmpi_outlook_t *outlook)
{
    return xmpi_policy_uses(outlook->policy, XMPI_OF_SCHEDULE);
}

/* The first action of the schedule that is still to come, NULL: none. */
static const xmpi_action_t *next_action(const xmpi_outlook_t *outlook)
{
    for (int i = 0; follows_schedule(outlook) && i < outlook->schedule->actions; i++)
        if (outlook->schedule->action[i].iteration > outlook->iteration)
            return &outlook->schedule->action[i];
    return NULL;
}

static void tell_action(const xmpi_outlook_t *outlook, const xmpi_action_t *action, char *text,
                        size_t room)
{
    const char *verb = action->kind == XMPI_ACTION_SPAWN ? "join" : "leave";
    const char *name = action->class_index >= 0
                           ? outlook->resources->class_name[action->class_index]
                           : "any class";
    if (action->iteration <= outlook->next)
        snprintf(text, room, "%d %s (%s), by the schedule", action->processes, verb, name);
    else
        snprintf(text, room, "no change; by the schedule %d %s (%s) at iteration %" PRId64,
                 action->processes, verb, name, action->iteration);
}

void xmpi_outlook(const xmpi_outlook_t *outlook, char *text, size_t room)
{
    const xmpi_action_t *action = next_action(outlook);
    text[0] = '\0';
    if (outlook->joiners > 0)
        snprintf(text, room, "%d join when their processes are there", outlook->joiners);
    else if (action != NULL)
        tell_action(outlook, action, text, room);
    else if (follows_schedule(outlook) && outlook->schedule->appointments > 0)
        snprintf(text, room, "a layout of the schedule when its iteration comes");
    else if (outlook->policy != NULL && outlook->policy->expectation != NULL)
        snprintf(text, room, "%s", outlook->policy->expectation);
    else if (outlook->policy != NULL && outlook->may_grow_from > outlook->iteration)
        snprintf(text, room, "no new processes are asked for before iteration %" PRId64,
                 outlook->may_grow_from);
    else if (outlook->policy != NULL && outlook->kept[0] != '\0')
        snprintf(text, room, "no change (now: %s)", outlook->kept);
    else if (outlook->policy != NULL)
        snprintf(text, room, "by what is measured until then");
}

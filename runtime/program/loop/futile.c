/* SPDX-License-Identifier: BSD-3-Clause
 * What is wished for a loop and cannot be. */
#include "program/loop/futile.h"

#include <stdio.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "settings/futile.h"

static xmpi_loop_kind_t kind_of(const xmpi_context_t *context)
{
    return context->shared.movable     ? XMPI_LOOP_MOVABLE
           : context->shared.resizable ? XMPI_LOOP_RESIZABLE
                                       : XMPI_LOOP_DIVISIBLE;
}

/* "smp, hpmp, amp": the policies for which SUITS holds, in a loop like this one. */
static const char *names_of(xmpi_loop_kind_t kind,
                            bool (*suits)(const xmpi_policy_t *policy, xmpi_loop_kind_t kind))
{
    static char names[256];
    const xmpi_policy_t *policy;
    names[0] = '\0';
    for (int i = 0; (policy = xmpi_policy_at(i)) != NULL; i++) {
        size_t used = strlen(names);
        if (suits(policy, kind))
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", policy->name);
    }
    return names;
}

/* Such a policy decides nothing here, which nobody would see. */
static void tell_of_policy(const xmpi_context_t *context, xmpi_loop_kind_t kind)
{
    bool moves = (context->policy->needs & XMPI_OF_MOVES) != 0;
    const char *why = moves
                          ? "it moves whole processes, of movable loops (#pragma xmpi loop movable)"
                      : kind == XMPI_LOOP_RESIZABLE
                          ? "it divides rows, and the blocks of this loop are the program's own"
                          : "the loop is movable, so that its processes stay as many as they are";
    fprintf(stderr, "xmpi: %s: the policy %s decides nothing here: %s; those that do: %s\n",
            context->loop, context->policy->name, why, names_of(kind, xmpi_policy_acts));
}

/* Nodes that nobody tells of neither come nor go. */
static void tell_of_nodes(const xmpi_context_t *context)
{
    if (xmpi_policy_uses(context->policy, XMPI_OF_AVAILABILITY) &&
        !context->shared.resources.listed)
        fprintf(stderr,
                "xmpi: %s: the policy %s has nothing to go by: it follows nodes that come and go, "
                "and no machine file says which there are (XMPI_MACHINES)\n",
                context->loop, context->policy->name);
}

static int parked(const xmpi_context_t *context)
{
    const xmpi_resources_t *resources = &context->shared.resources;
    int n = 0;
    for (int i = 0; i < resources->pes; i++)
        n += resources->pe[i].parked;
    return n;
}

/* More processes were prepared for than there will be. */
static void tell_of_room(const xmpi_context_t *context, xmpi_loop_kind_t kind)
{
    long long max = context->shared.settings.max;
    int members = context->shared.layout.members, spares = parked(context);
    char what[64];
    bool movable = kind == XMPI_LOOP_MOVABLE;
    if (xmpi_policy_brings(context->policy, kind))
        return;
    if (spares > 0)
        snprintf(what, sizeof what, "the %d spare%s", spares, spares > 1 ? "s are" : " is");
    else if (xmpi_settings_given(&context->shared.settings, "XMPI_MAX") && max > members)
        snprintf(what, sizeof what, "what XMPI_MAX=%lld leaves room for is", max);
    else
        return;
    fprintf(stderr, "xmpi: %s: %s used by xmpictl %s alone: the policy %s %s; those that do: %s\n",
            context->loop, what, movable ? "move" : "grow", context->policy->name,
            movable ? "moves no process there" : "lets no process join",
            names_of(kind, xmpi_policy_brings));
}

void xmpi_futile_tell(const xmpi_context_t *context)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    xmpi_loop_kind_t kind = kind_of(context);
    bool chosen = xmpi_settings_given(settings, "XMPI_POLICY") || context->progress.clause[0];
    if (context->policy == NULL)
        return;
    if (context->progress.loop == 1 && context->progress.clause[0] == '\0')
        xmpi_futile_warn_of_policy(settings, context->policy, stderr);
    if (!xmpi_policy_acts(context->policy, kind)) {
        if (chosen)
            tell_of_policy(context, kind);
        else
            tell_of_room(context, kind);
        return;
    }
    tell_of_nodes(context);
    if (context->progress.loop == 1)
        tell_of_room(context, kind);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Telling what more or fewer members are worth. */
#include "program/loop/deciding/worth.h"

#include <math.h>
#include <stdlib.h>

#include "control/endpoint.h"
#include "control/worth.h"
#include "program/members/ahead.h"
#include "program/members/follow_resources.h"

/* Seconds until the program should be done; INFINITY: nobody has said. */
static double due_of(const xmpi_occasion_t *occasion)
{
    const xmpi_goal_t *goal = &occasion->wishes->goal;
    switch (goal->kind) {
    case XMPI_GOAL_SECONDS:
        return occasion->started + goal->value - occasion->now;
    case XMPI_GOAL_DEADLINE:
        return goal->value - occasion->now;
    default:
        return INFINITY;
    }
}

/* The options, in OPTION, with all processing elements that the program could have: what it has
 * given back by request, and nodes that it may ask for, as well. */
static xmpi_status_t find_options(const xmpi_context_t *context, const xmpi_occasion_t *occasion,
                                  xmpi_step_t *step, xmpi_worth_t *option, int *options)
{
    xmpi_resources_t all;
    xmpi_occasion_t could = *occasion;
    *options = 0;
    if (occasion->movable || !step->predicts)
        return XMPI_OK;
    xmpi_status_t status =
        xmpi_availability_could(&context->shared.settings, occasion->resources, &all);
    if (status != XMPI_OK)
        return status;
    could.resources = &all;
    status =
        xmpi_leader_worth(&context->shared.leader, &could, step, XMPI_WORTHS_MAX, option, options);
    xmpi_resources_free(&all);
    return status;
}

bool xmpi_worth_needs_weights(const xmpi_context_t *context, const xmpi_occasion_t *occasion)
{
    return context->asked_worth && !occasion->movable && occasion->weighted &&
           occasion->prefix == NULL;
}

void xmpi_worth_tell(xmpi_context_t *context, const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    if (!context->asked_worth || xmpi_ahead(context) || (!occasion->waiting && !step->decided))
        return;
    xmpi_claimant_t claim = {.due = due_of(occasion)};
    xmpi_worth_t *option = calloc(XMPI_WORTHS_MAX, sizeof *option);
    xmpi_status_t status = option == NULL
                               ? XMPI_ERR_MEMORY
                               : find_options(context, occasion, step, option, &claim.options);
    claim.option = option;
    context->asked_worth = false;
    xmpi_endpoint_answer(context->endpoint, XMPI_LATER_WORTH,
                         status == XMPI_OK ? xmpi_worth_line(occasion->layout->members, &claim)
                                           : NULL);
    free(option);
}

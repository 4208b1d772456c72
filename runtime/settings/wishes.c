/* SPDX-License-Identifier: BSD-3-Clause
 * What the settings say that the leader is to go by. */
#include "settings/wishes.h"

/* How processes are created. */
static xmpi_curve_kind_t creation(const xmpi_settings_t *settings)
{
    return settings->strategy == XMPI_SPAWN_SERIAL       ? XMPI_CURVE_SERIAL
           : settings->strategy == XMPI_SPAWN_CONCURRENT ? XMPI_CURVE_CONCURRENT
                                                         : XMPI_CURVE_GROUP;
}

static xmpi_swap_terms_t swap_terms(const xmpi_settings_t *settings)
{
    const xmpi_swap_terms_t given = {.payback = settings->payback,
                                     .process_gain = settings->process_gain,
                                     .application_gain = settings->application_gain,
                                     .history = settings->history,
                                     .swaps = settings->swaps};
    return xmpi_swap_terms(settings->swap, &given);
}

/* Seconds, 0: as long as is good. Nodes may have to be left in time, and checkpoints are taken at
 * the ends of intervals. */
static double longest_interval(const xmpi_settings_t *settings, bool leaves_nodes)
{
    double longest = leaves_nodes ? settings->grace / 3 : 0;
    double apart = settings->checkpoint[0] != '\0' ? settings->checkpoint_interval / 2 : 0;
    return apart > 0 && (longest <= 0 || apart < longest) ? apart : longest;
}

xmpi_wishes_t xmpi_wishes(const xmpi_settings_t *settings, const xmpi_schedule_t *schedule,
                          int64_t interval, bool background, bool leaves_nodes)
{
    return (xmpi_wishes_t){.interval = interval,
                           .longest = longest_interval(settings, leaves_nodes),
                           .imbalance = settings->imbalance,
                           .interference = settings->interference,
                           .window = (int)settings->window,
                           .placement = settings->placement,
                           .schedule = schedule,
                           .seed = (uint64_t)settings->seed,
                           .memory = (double)settings->memory * (1 << 20),
                           .goal = settings->goal,
                           .tolerance = settings->tolerance,
                           .constraint = settings->constraint,
                           .creation = creation(settings),
                           .forecast = settings->forecast,
                           .swap = swap_terms(settings),
                           .share = settings->share,
                           .division = settings->division,
                           .background = background ? settings->move_background * (1 << 20) : 0};
}

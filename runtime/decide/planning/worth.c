/* SPDX-License-Identifier: BSD-3-Clause
 * What more or fewer members are worth: the scenarios by which policies decide on members
 * themselves (thesis Algs 7 and 8), one of each number of members. */
#include "decide/planning/worth.h"

#include <stdbool.h>
#include <stddef.h>

#include "decide/planning/scenario.h"
#include "decide/policy/sizes.h"

/* Whether there are so many members at all; the seconds that they take then. */
static bool seconds_of(xmpi_scenarios_t *scenarios, int members, double *seconds)
{
    const xmpi_view_t *view = scenarios->view;
    int count[XMPI_CLASSES_MAX], now = view->layout->members;
    if (view->sizes && view->state != NULL && xmpi_sizes_are_refused(view->state, members))
        return false;
    xmpi_scenarios_bound(scenarios, members > now, members < now);
    if (xmpi_configurations_strongest(scenarios->classes, scenarios->choice, members, count) < 0)
        return false;
    *seconds = xmpi_scenario_seconds(scenarios, members, xmpi_scenario_power(scenarios, count));
    return true;
}

xmpi_status_t xmpi_worth_of_members(const xmpi_view_t *view, int most, xmpi_worth_t *worth,
                                    int *worths)
{
    xmpi_decision_t unused = {.chosen = -1};
    xmpi_scenarios_t scenarios;
    xmpi_status_t status = xmpi_scenarios_make(&scenarios, view, &unused);
    *worths = 0;
    if (status != XMPI_OK)
        return status;
    most = most < scenarios.most ? most : scenarios.most;
    for (int n = view->least_members > 1 ? view->least_members : 1; n <= most; n++)
        if (seconds_of(&scenarios, n, &worth[*worths].seconds))
            worth[(*worths)++].members = n;
    xmpi_scenarios_free(&scenarios);
    return XMPI_OK;
}

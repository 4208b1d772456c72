/* SPDX-License-Identifier: BSD-3-Clause
 * Appointments: layouts of a schedule, each for an iteration of a loop. */
#include "decide/planning/appointments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int64_t xmpi_appointment_until(const xmpi_schedule_t *schedule, int64_t loop, int64_t iteration,
                               int64_t interval)
{
    for (int i = 0; i < schedule->appointments; i++) {
        const xmpi_appointment_t *appointment = &schedule->appointment[i];
        int64_t ahead = appointment->iteration - iteration;
        if (appointment->loop == loop && ahead > 0)
            return ahead < interval ? ahead : interval;
    }
    return interval;
}

static const xmpi_appointment_t *find_due(const xmpi_view_t *view)
{
    const xmpi_appointment_t *due = NULL;
    for (int i = 0; i < view->schedule->appointments; i++) {
        const xmpi_appointment_t *appointment = &view->schedule->appointment[i];
        if (appointment->loop == view->loop && appointment->iteration > view->from_iteration &&
            appointment->iteration <= view->iteration)
            due = appointment;
    }
    return due;
}

/* The rank of the member on PE, or -1. */
static int rank_on(const int *pe_of, int members, int pe)
{
    for (int rank = 0; rank < members; rank++)
        if (pe_of[rank] == pe)
            return rank;
    return -1;
}

/* Those who stay do so in their order, whatever that of their PEs is: only then they keep their
 * rows or hand them to neighbours, and a process needs no second turn. */
static void order_stayers(xmpi_plan_t *plan, const char *stays, int members)
{
    int rank = 0;
    for (int i = 0; i < plan->places; i++) {
        if (plan->place[i].origin != XMPI_STAYS)
            continue;
        while (rank < members && !stays[rank])
            rank++;
        plan->place[i].from = rank++;
    }
}

static void fill_places(const xmpi_share_t *share, const int *pe_of, int members, char *stays,
                        xmpi_plan_t *plan)
{
    int64_t displ = 0;
    for (int i = 0; i < plan->places; displ += share[i++].rows) {
        int from = rank_on(pe_of, members, share[i].pe);
        plan->place[i] = (xmpi_place_t){.origin = from >= 0 ? XMPI_STAYS : XMPI_NEW,
                                        .from = from,
                                        .pe = from >= 0 ? -1 : share[i].pe,
                                        .block = {.count = share[i].rows, .displ = displ}};
        if (from >= 0)
            stays[from] = 1;
    }
    order_stayers(plan, stays, members);
}

/* Whether PLAN changes nothing. */
static bool is_there(const xmpi_layout_t *layout, const xmpi_plan_t *plan)
{
    bool same = plan->places == layout->members;
    for (int i = 0; i < plan->places && same; i++)
        same = plan->place[i].origin == XMPI_STAYS &&
               plan->place[i].block.count == layout->member[i].block.count;
    return same;
}

static xmpi_status_t make_plan(const xmpi_view_t *view, const xmpi_appointment_t *due,
                               xmpi_plan_t *plan)
{
    int members = view->layout->members;
    xmpi_status_t status = xmpi_plan_alloc(plan, due->places);
    int *pe_of = xmpi_members_pes(view->layout, view->resources);
    char *stays = calloc((size_t)members + 1, 1);
    if (pe_of == NULL || stays == NULL)
        status = XMPI_ERR_MEMORY;
    if (status == XMPI_OK)
        fill_places(&view->schedule->share[due->first], pe_of, members, stays, plan);
    free(pe_of);
    free(stays);
    if (status != XMPI_OK || is_there(view->layout, plan))
        xmpi_plan_free(plan);
    return status;
}

/* What the reader of the file cannot know. */
static xmpi_status_t check(const xmpi_view_t *view, const xmpi_appointment_t *due,
                           xmpi_error_t *error)
{
    int64_t rows = 0;
    for (int i = 0; i < due->places; i++)
        rows += view->schedule->share[due->first + i].rows;
    if (rows == view->layout->domain)
        return XMPI_OK;
    return xmpi_error_set(error, XMPI_ERR_INPUT,
                          "the layout in line %d of the schedule has %" PRId64
                          " rows, the loop %" PRId64,
                          due->line, rows, view->layout->domain);
}

xmpi_status_t xmpi_appointment_keep(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    const xmpi_appointment_t *due = find_due(view);
    if (due == NULL || due->places == 0)
        return XMPI_OK;
    xmpi_status_t status = check(view, due, error);
    if (status == XMPI_OK && (status = make_plan(view, due, plan)) != XMPI_OK)
        xmpi_error_set(error, status, "no memory to plan a change of members");
    if (plan->places > 0)
        snprintf(plan->reason, sizeof plan->reason, "schedule: the layout in line %d", due->line);
    return status;
}

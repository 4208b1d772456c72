/* SPDX-License-Identifier: BSD-3-Clause
 * The executor, where the program starts over (act/startover/startover.h):
 *
 *     start     all can, and are in the world to come; what the program was is aside
 *     started   all have come to the point: rows and values move, and what was before is left; or
 *               one has not, and everything is as it was */
#include "act/execute_start.h"

#include <stdio.h>
#include <string.h>

#include "act/execute_steps.h"
#include "act/handles/handles.h"
#include "base/collective.h"
#include "base/misuse.h"

static bool is_member(const xmpi_execution_t *e)
{
    return e->me < e->change.olds;
}

/* What keeps a member from starting over. */
static xmpi_status_t look(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    if (!is_member(e))
        return XMPI_OK;
    xmpi_error_t why;
    xmpi_status_t status = XMPI_OK;
    if (xmpi_handles_unreceived(why.text, sizeof why.text))
        status = xmpi_error_set(&e->error, XMPI_ERR_PROCESS,
                                "a message between members has not been received");
    e->unequal = !xmpi_values_are_same(&parts->start->now, parts->world->comm, e->error.text,
                                       sizeof e->error.text);
    return e->unequal ? XMPI_ERR_PROCESS : status;
}

static xmpi_status_t put_aside(xmpi_startover_t *start, xmpi_execution_t *e)
{
    if (!start->had)
        return XMPI_OK;
    xmpi_status_t status = xmpi_startover_put_aside(start);
    return status == XMPI_OK
               ? status
               : xmpi_error_set(&e->error, status, "no memory to put the program aside");
}

xmpi_outcome_t xmpi_execute_start(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_startover_t *start = parts->start;
    start->had = is_member(e);
    start->has = e->change.new_rank[e->me] >= 0;
    start->why[0] = '\0';
    start->began = PMPI_Wtime();
    if (!xmpi_step_all_agree(e->transit, look(parts, e)))
        return xmpi_step_call_off(parts, e);
    start->before = start->now; /* (empty where it joins) */
    start->now = (xmpi_state_told_t){.arrays = 0};
    start->entered = false;
    if (!xmpi_step_all_agree(e->transit, put_aside(start, e))) {
        xmpi_startover_back(start);
        return xmpi_step_call_off(parts, e);
    }
    MPI_Comm world = xmpi_join_finish(&e->change, e->transit);
    if (world == e->transit)
        PMPI_Comm_dup(e->transit, &world);
    if (start->has) {
        xmpi_handles_set_aside(world);
        xmpi_world_enter(parts->world, world, &start->world);
        start->entered = true;
    }
    start->under_way = true;
    return XMPI_STARTS;
}

static xmpi_outcome_t fall_back(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_startover_t *start = parts->start;
    if (start->entered) {
        xmpi_handles_take_back();
        xmpi_world_return(parts->world, &start->world);
    }
    xmpi_startover_back(start);
    snprintf(e->error.text, sizeof e->error.text, "%s", start->why);
    return xmpi_step_call_off(parts, e);
}

/* Blocks are known only now: those that the program has made. */
static void take_blocks(xmpi_execution_t *e, const xmpi_rows_map_t *map)
{
    if (map->arrays == 0)
        return;
    e->next.domain = map->rows[0];
    for (int i = 0; i < map->processes; i++)
        if (e->change.new_rank[i] >= 0)
            e->next.member[e->change.new_rank[i]].block = map->owned[i * map->arrays];
}

static void leave_before(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_startover_t *start = parts->start;
    MPI_Comm transit = e->transit;
    if (!start->has) {
        xmpi_handles_leave();
        xmpi_world_enter(parts->world, MPI_COMM_NULL, &start->world);
    } else {
        xmpi_handles_drop_aside();
    }
    if (e->change.joiners > 0)
        PMPI_Comm_disconnect(&transit);
    xmpi_world_leave(&start->world);
}

static xmpi_outcome_t go_on(const xmpi_parts_t *parts, xmpi_execution_t *e, xmpi_rows_map_t *map)
{
    xmpi_startover_t *start = parts->start;
    const xmpi_state_told_t *before = start->had ? &start->before : NULL;
    const xmpi_state_told_t *now = start->has ? &start->now : NULL;
    double from = PMPI_Wtime();
    e->cost.start = from - start->began;
    xmpi_rows_move(before, now, start->has ? &start->aside : NULL, parts->registry->strategy,
                   e->transit, e->me, map);
    xmpi_values_load(before, now, &e->change, e->transit, e->me);
    xmpi_startover_settle_files(start, &e->change, e->transit, e->me);
    e->others.bytes = map->bytes;
    e->others.messages = map->messages;
    xmpi_step_add_up(e);
    take_blocks(e, map);
    if (e->change.joiners > 0)
        xmpi_step_hand_over(parts, e);
    leave_before(parts, e);
    xmpi_shared_commit(parts->shared, &e->next);
    xmpi_startover_drop(start);
    return xmpi_step_conclude(parts, e, from);
}

xmpi_outcome_t xmpi_execute_started(const xmpi_parts_t *parts, const char *why,
                                    xmpi_execution_t *execution)
{
    xmpi_execution_t *e = execution;
    xmpi_startover_t *start = parts->start;
    xmpi_rows_map_t map = {.arrays = 0};
    snprintf(start->why, sizeof start->why, "%s", why);
    if (start->why[0] == '\0' && start->has && start->now.why[0] != '\0')
        snprintf(start->why, sizeof start->why, "%s", start->now.why);
    if (why[0] == '\0' && start->why[0] != '\0')
        xmpi_startover_fail(e->transit, e->me);
    if (!xmpi_startover_agree(e->transit, e->me, start->why, sizeof start->why))
        return fall_back(parts, e);
    const xmpi_state_told_t *before = start->had ? &start->before : NULL;
    const xmpi_state_told_t *now = start->has ? &start->now : NULL;
    bool fits = xmpi_rows_compare(before, now, e->transit, &map, start->why, sizeof start->why);
    bool alike = before == NULL || now == NULL || xmpi_values_fit(before, now);
    if (fits && !alike)
        snprintf(start->why, sizeof start->why, "a value has another size than before");
    xmpi_status_t status = fits && alike ? XMPI_OK : XMPI_ERR_INPUT;
    xmpi_outcome_t outcome =
        xmpi_step_all_agree(e->transit, status) ? go_on(parts, e, &map) : fall_back(parts, e);
    xmpi_rows_map_free(&map);
    return outcome;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The executor, where the program starts over (act/startover/startover.h):
 *
 *     start     all can, and are in the world to come; what the program was is aside
 *     started   all have come to the point: rows and values move, and what was before is left; or
 *               one has not, and everything is as it was
 *
 * A change that is checked (act/startover/trial.h) is between the two once more: at the point the
 * program gets what an iteration before has begun with, makes that, and what it has come to at the
 * next point is compared. */
#include "act/execute_start.h"

#include <stdio.h>
#include <string.h>

#include "act/execute_steps.h"
#include "act/handles/handles.h"
#include "act/startover/trial.h"
#include "base/collective.h"
#include "base/misuse.h"

static bool is_member(const xmpi_execution_t *e)
{
    return e->me < e->change.olds;
}

/* What keeps a member from starting over. (Where the change is checked an iteration has been made
 * since that was asked before, which may have left something open.) */
static xmpi_status_t look(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    if (!is_member(e))
        return XMPI_OK;
    xmpi_error_t why;
    xmpi_status_t status = XMPI_OK;
    if (xmpi_handles_hold(why.text, sizeof why.text) != XMPI_HOLDS_NOTHING)
        status = xmpi_error_set(&e->error, XMPI_ERR_PROCESS, "cannot start over: %s", why.text);
    if (xmpi_handles_unreceived(parts->world->comm, e->transit, why.text, sizeof why.text))
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
    if (start->had)
        start->inputs = xmpi_inputs_of(start->program, parts->shared->loop);
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
    xmpi_inputs_gather(&start->inputs, e->transit);
    int noted = start->noted;
    PMPI_Bcast(&noted, 1, MPI_INT, 0, e->transit);
    start->noted = noted != 0;
    start->tried = start->differs = false;
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
    if (parts->leaves != NULL)
        parts->leaves(parts->context, &e->next);
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

/* The program that has started gets the state BEFORE, of the program aside or of a copy, which is
 * KEPT. */
static void load(const xmpi_parts_t *parts, xmpi_execution_t *e, const xmpi_state_told_t *before,
                 bool kept, xmpi_rows_map_t *map)
{
    xmpi_startover_t *start = parts->start;
    const xmpi_aside_t *aside = start->has && !kept ? &start->aside : NULL;
    const xmpi_state_told_t *now = start->has ? &start->now : NULL;
    e->cost.start = PMPI_Wtime() - start->began;
    xmpi_rows_move(before, now, aside, kept, parts->registry->strategy, e->transit, e->me, map);
    xmpi_values_load(before, now, &e->change, e->transit, e->me);
    e->others.bytes = map->bytes;
    e->others.messages = map->messages;
}

/* It has its state. */
static xmpi_outcome_t go_on(const xmpi_parts_t *parts, xmpi_execution_t *e,
                            const xmpi_rows_map_t *map, double from)
{
    xmpi_startover_t *start = parts->start;
    xmpi_startover_settle_files(start, &e->change, e->transit, e->me);
    xmpi_step_add_up(e);
    take_blocks(e, map);
    if (e->change.joiners > 0)
        xmpi_step_hand_over(parts, e);
    leave_before(parts, e);
    xmpi_shared_commit(parts->shared, &e->next);
    xmpi_startover_drop(start);
    return xmpi_step_conclude(parts, e, from);
}

/* Whether the state BEFORE fits what has been told since. */
static bool all_fits(const xmpi_parts_t *parts, xmpi_execution_t *e,
                     const xmpi_state_told_t *before, xmpi_rows_map_t *map)
{
    xmpi_startover_t *start = parts->start;
    const xmpi_state_told_t *now = start->has ? &start->now : NULL;
    bool fits = xmpi_rows_compare(before, now, e->transit, map, start->why, sizeof start->why);
    bool alike = xmpi_values_fit(before, now, &e->change, e->transit, e->me);
    if (fits && !alike)
        snprintf(start->why, sizeof start->why, "a value has another size than before");
    return xmpi_step_all_agree(e->transit, fits && alike ? XMPI_OK : XMPI_ERR_INPUT);
}

/* What the iteration has begun with is there once more. */
static xmpi_outcome_t try(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_startover_t *start = parts->start;
    const xmpi_state_told_t *begin = start->had ? &start->begin : NULL;
    xmpi_rows_map_t map;
    bool fits = all_fits(parts, e, begin, &map);
    if (fits)
        load(parts, e, begin, true, &map);
    xmpi_rows_map_free(&map);
    start->tried = fits;
    return fits ? XMPI_TRIES : fall_back(parts, e);
}

/* What that has come to is compared. */
static xmpi_outcome_t end_trial(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_startover_t *start = parts->start;
    xmpi_rows_map_t map;
    double from = PMPI_Wtime();
    start->differs =
        !xmpi_trial_compare(start, &e->change, e->transit, e->me, parts->registry->strategy,
                            parts->tolerance, start->why, sizeof start->why);
    if (start->differs)
        return fall_back(parts, e);
    const xmpi_state_told_t *before = start->had ? &start->before : NULL;
    const xmpi_state_told_t *now = start->has ? &start->now : NULL;
    xmpi_rows_compare(before, now, e->transit, &map, start->why, sizeof start->why);
    xmpi_outcome_t outcome = go_on(parts, e, &map, from);
    xmpi_rows_map_free(&map);
    return outcome;
}

static xmpi_outcome_t end_start(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_startover_t *start = parts->start;
    const xmpi_state_told_t *before = start->had ? &start->before : NULL;
    xmpi_rows_map_t map;
    double from = PMPI_Wtime();
    bool fits = all_fits(parts, e, before, &map);
    if (fits)
        load(parts, e, before, false, &map);
    xmpi_outcome_t outcome = fits ? go_on(parts, e, &map, from) : fall_back(parts, e);
    xmpi_rows_map_free(&map);
    return outcome;
}

xmpi_outcome_t xmpi_execute_started(const xmpi_parts_t *parts, const char *why,
                                    xmpi_execution_t *execution)
{
    xmpi_execution_t *e = execution;
    xmpi_startover_t *start = parts->start;
    snprintf(start->why, sizeof start->why, "%s", why);
    if (start->why[0] == '\0' && start->has && start->now.why[0] != '\0')
        snprintf(start->why, sizeof start->why, "%s", start->now.why);
    if (start->why[0] == '\0' && start->has)
        xmpi_inputs_are(&start->inputs, start->program, parts->shared->loop, start->why,
                        sizeof start->why);
    if (why[0] == '\0' && start->why[0] != '\0')
        xmpi_startover_fail(e->transit, e->me);
    if (!xmpi_startover_agree(e->transit, e->me, start->why, sizeof start->why)) {
        start->differs = start->tried; /* it came to the next point in the world before */
        return fall_back(parts, e);
    }
    if (!start->noted)
        return end_start(parts, e);
    return start->tried ? end_trial(parts, e) : try(parts, e);
}

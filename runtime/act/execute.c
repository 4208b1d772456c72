/* SPDX-License-Identifier: BSD-3-Clause
 * The executor: carries out a change of layout, whatever it consists of. */
#include "act/execute.h"

#include <stdlib.h>
#include <string.h>

#include "act/data/digest.h"
#include "act/execute_images.h"
#include "act/execute_start.h"
#include "act/execute_steps.h"
#include "act/world/derived.h"
#include "act/world/files.h"
#include "act/world/windows.h"
#include "act/world/requests.h"
#include "base/collective.h"
#include "base/misuse.h"

enum { SHAPE_NUMBERS = 6 };

/* What must be the same of an array on all processes. */
static void describe(const xmpi_array_t *array, int64_t *numbers)
{
    numbers[0] = array->rows;
    numbers[1] = array->row_bytes;
    numbers[2] = array->scheme;
    numbers[3] = array->shape;
    numbers[4] = array->halo;
    numbers[5] = array->constant;
}

/* A program whose prologue gives a joiner other arrays than the others have cannot go on. COPIED:
 * whether a copy of the data takes part, which the leader knows. */
static void compare_arrays(const xmpi_parts_t *parts, MPI_Comm transit, int me, bool *copied)
{
    const xmpi_registry_t *registry = parts->registry;
    int head[2] = {registry->arrays, *copied};
    PMPI_Bcast(head, 2, MPI_INT, 0, transit);
    int n = head[0];
    *copied = head[1] != 0;
    if (n != registry->arrays)
        xmpi_misuse("this process has registered %d arrays, the leader %d", registry->arrays, n);
    int64_t *shape = calloc(SHAPE_NUMBERS * (size_t)n + 1, sizeof *shape);
    if (shape == NULL)
        xmpi_misuse("no memory to compare arrays");
    for (int i = 0; i < n && me == 0; i++)
        describe(&registry->array[i], &shape[SHAPE_NUMBERS * i]);
    PMPI_Bcast(shape, SHAPE_NUMBERS * n, MPI_INT64_T, 0, transit);
    for (int i = 0; i < n; i++) {
        int64_t mine[SHAPE_NUMBERS];
        describe(&registry->array[i], mine);
        if (memcmp(mine, &shape[SHAPE_NUMBERS * i], sizeof mine) != 0)
            xmpi_misuse("the array %s has another shape here than on the leader",
                        registry->array[i].name);
    }
    free(shape);
}

/* The communicators after the change. Outside of a loop those that the program has made stay as
 * they are while all of their members do. */
static void switch_world(const xmpi_parts_t *parts, const xmpi_execution_t *e)
{
    const xmpi_change_t *change = &e->change;
    bool another = change->joiners > 0 || change->leavers > 0 || !xmpi_change_keeps_ranks(change);
    if (!parts->outside || change->leavers > 0)
        xmpi_derived_change(another);
    if (another) /* else the transit communicator is that for moves, and stays */
        xmpi_step_use_world(parts, e, xmpi_join_finish(change, e->transit));
}

/* --- in the background ------------------------------------------------------------------------ */

static bool has_constants(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (xmpi_registry_is_constant(registry, i))
            return true;
    return false;
}

/* Bytes of constant arrays that the change moves, as the leader sees it; -1: no memory. */
static double constant_bytes(const xmpi_parts_t *parts, const xmpi_change_t *change)
{
    xmpi_transfer_size_t size = {0};
    bool *member = calloc((size_t)change->transit, sizeof *member);
    xmpi_moved_array_t *array = xmpi_registry_moved(parts->registry, change->old_block[0].count);
    double bytes = -1;
    for (int i = 0; member != NULL && i < change->transit; i++)
        member[i] = change->new_rank[i] >= 0;
    if (member != NULL && array != NULL &&
        xmpi_transfer_size(change->transit, change->olds, change->old_block, change->new_block,
                           member, parts->registry->arrays, array, &size) == XMPI_OK)
        bytes = size.later_bytes;
    xmpi_transfer_size_free(&size);
    free(array);
    free(member);
    return bytes;
}

/* Whether it is worth going on meanwhile: the leader says so, for all. */
static bool pays(const xmpi_parts_t *parts, const xmpi_execution_t *e, int64_t least)
{
    int yes = 0;
    if (parts->outside || !has_constants(parts->registry) ||
        !xmpi_exchange_has_background(parts->registry->strategy))
        return false;
    if (e->me == 0 && least >= 0)
        yes = constant_bytes(parts, &e->change) >= (double)least;
    PMPI_Bcast(&yes, 1, MPI_INT, 0, e->transit);
    return yes != 0;
}

/* Where constant arrays cannot move so (no memory for both places), all move at once. */
static bool start_background(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_redistribution_t *r = &e->constants;
    xmpi_status_t status =
        xmpi_redistribute_prepare(parts->registry, &e->change, e->me, XMPI_ARRAYS_CONSTANT, r);
    r->digest = e->digest;
    e->under_way = xmpi_step_all_agree(e->transit, status) &&
                   xmpi_redistribute_start(parts->registry, e->transit, r) == XMPI_OK;
    e->started = PMPI_Wtime();
    if (e->under_way)
        return true;
    xmpi_redistribute_cancel(r);
    memset(r, 0, sizeof *r);
    return false;
}

void xmpi_execute_drive(xmpi_execution_t *execution)
{
    if (execution->move.image != NULL)
        return; /* it is tended where all ask */
    xmpi_redistribute_test(&execution->constants);
}

/* --- the switch ------------------------------------------------------------------------------- */

static void commit(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    const xmpi_change_t *change = &e->change;
    if (e->under_way)
        xmpi_redistribute_settle(&e->constants);
    if (!parts->outside) /* else nobody is told */
        xmpi_step_add_up(e);
    xmpi_redistribute_commit(parts->registry, change, e->me, &e->others);
    if (e->copied)
        xmpi_copy_detach(parts->registry, parts->copy);
    if (e->under_way)
        xmpi_redistribute_commit(parts->registry, change, e->me, &e->constants);
    if (change->joiners > 0)
        xmpi_step_hand_over(parts, e);
    if (e->copied)
        PMPI_Comm_dup(e->transit, parts->together);
    if (!parts->outside || change->joiners > 0 || change->leavers > 0)
        xmpi_requests_free();
    if (!parts->outside)
        xmpi_files_close();
    switch_world(parts, e);
    xmpi_shared_commit(parts->shared, &e->next);
}

/* What is closed or freed by all who have opened it together, who leaves could not take part in. */
static xmpi_status_t may_part(xmpi_redistribution_t *r)
{
    bool window = xmpi_windows_are_open();
    if (window || xmpi_files_stay())
        r->prepared = xmpi_error_set(&r->local.error, XMPI_ERR_PROCESS,
                                     "a %s of MPI is open, which members that leave could not %s: "
                                     "%s it before",
                                     window ? "window" : "file", window ? "free" : "close",
                                     window ? "free" : "close");
    return r->prepared;
}

/* Without memory for its entries in the registry a copy cannot take part, nor can the change. */
static xmpi_status_t prepare_others(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_arrays_t arrays = e->under_way ? XMPI_ARRAYS_OTHER : XMPI_ARRAYS_ALL;
    if (e->copied && xmpi_copy_attach(parts->registry, parts->copy) != XMPI_OK)
        xmpi_misuse("no memory to list the arrays of a check");
    xmpi_status_t status =
        xmpi_redistribute_prepare(parts->registry, &e->change, e->me, arrays, &e->others);
    e->others.digest = e->digest;
    e->others.consent = parts->consent;
    return status == XMPI_OK && e->change.leavers > 0 ? may_part(&e->others) : status;
}

/* Moves what has not moved yet, and switches. */
static xmpi_outcome_t finish(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    double start = PMPI_Wtime();
    xmpi_redistribution_t *r = &e->others;
    xmpi_status_t prepared = prepare_others(parts, e);
    xmpi_status_t moved = xmpi_redistribute_move(parts->registry, &e->change, e->transit, e->me, r);
    if (moved != XMPI_OK) {
        e->unequal = r->unequal;
        e->error = r->local.error;
        e->failed = e->error.text[0] == '\0' ? XMPI_OK : prepared != XMPI_OK ? prepared : moved;
        xmpi_redistribute_cancel(r);
        if (e->under_way)
            xmpi_redistribute_cancel(&e->constants);
        if (e->copied)
            xmpi_copy_detach(parts->registry, parts->copy);
        return xmpi_step_call_off(parts, e);
    }
    commit(parts, e);
    return xmpi_step_conclude(parts, e, start);
}

/* Where nobody joins, the world's communicator for moves: messages of the program that are still
 * under way in the world must not meet ours. A world that ends with this change is not worth a
 * communicator more; only data that move while the program goes on need one. */
static MPI_Comm transit_of(const xmpi_parts_t *parts, const xmpi_change_t *change, int me,
                           const xmpi_port_t *ports)
{
    MPI_Comm transit;
    if (change->joiners > 0 && *parts->together != MPI_COMM_NULL) {
        PMPI_Comm_split(*parts->together, 0, me, &transit);
        return transit;
    }
    if (change->joiners > 0)
        return xmpi_join(change, parts->shared, parts->world, me, ports);
    if (change->leavers == 0 || parts->start != NULL || parts->image != NULL ||
        has_constants(parts->registry) || parts->world->moves != MPI_COMM_NULL)
        return xmpi_world_moves(parts->world);
    return parts->world->comm;
}

static bool all_stay(const xmpi_layout_t *layout, const xmpi_layout_t *next)
{
    bool same = layout->members == next->members;
    for (int i = 0; same && i < next->members; i++)
        same = layout->member[i].process == next->member[i].process;
    return same;
}

/* Without memory for the least of it. Outside of a loop all stay, and nothing has begun yet. */
static xmpi_outcome_t do_without(const xmpi_parts_t *parts, xmpi_layout_t *next,
                                 xmpi_execution_t *e)
{
    if (!parts->outside || !all_stay(&parts->shared->layout, next))
        xmpi_misuse("no memory for a list of %d members", next->members);
    e->failed = xmpi_error_set(&e->error, XMPI_ERR_MEMORY, "no memory for a list of %d members",
                               next->members);
    xmpi_execute_abstain(parts->registry, xmpi_world_moves(parts->world), parts->consent);
    return XMPI_CALLED_OFF;
}

xmpi_outcome_t xmpi_execute(const xmpi_parts_t *parts, xmpi_layout_t *next,
                            const xmpi_port_t *ports, int64_t background,
                            xmpi_execution_t *execution)
{
    xmpi_execution_t *e = execution;
    double start = PMPI_Wtime();
    memset(e, 0, sizeof *e);
    e->copied = parts->copy->made;
    if (xmpi_change_make(&parts->shared->layout, next, &e->change) != XMPI_OK)
        return do_without(parts, next, e);
    e->next = *next;
    *next = (xmpi_layout_t){0};
    e->me = xmpi_change_transit_rank(&e->change, parts->process);
    e->transit = transit_of(parts, &e->change, e->me, ports);
    if (!parts->outside && e->me < e->change.olds && *parts->together == MPI_COMM_NULL)
        e->digest = xmpi_digest(parts->registry);
    double joined = PMPI_Wtime();
    e->cost.join = joined - start;
    if (e->change.joiners > 0)
        xmpi_step_share(parts, e->transit, e->me);
    if (e->change.joiners > 0)
        compare_arrays(parts, e->transit, e->me, &e->copied);
    if (parts->start != NULL && !xmpi_layout_keeps_blocks(&parts->shared->layout, &e->next))
        return xmpi_execute_start(parts, e);
    if (parts->image != NULL)
        return xmpi_execute_images(parts, background, e);
    if (!pays(parts, e, background) || !start_background(parts, e))
        return finish(parts, e);
    e->cost.move = PMPI_Wtime() - joined;
    return XMPI_UNDER_WAY;
}

void xmpi_execute_abstain(const xmpi_registry_t *registry, MPI_Comm moves,
                          const xmpi_consent_t *consent)
{
    xmpi_redistribute_abstain(registry, moves, consent);
}

/* --- asking ----------------------------------------------------------------------------------- */

enum { GIVE_UP = -1, MOVING, ARRIVED };

/* What all say together: the least of it. */
static int ask(xmpi_execution_t *e, int mine)
{
    int all = 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, e->transit);
    return all;
}

/* Nobody may go away before what it has was read. */
static xmpi_outcome_t give_up_all(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_redistribute_wait(&e->constants);
    PMPI_Barrier(e->transit);
    xmpi_redistribute_cancel(&e->constants);
    return xmpi_step_call_off(parts, e);
}

xmpi_outcome_t xmpi_execute_ask(const xmpi_parts_t *parts, bool give_up,
                                xmpi_execution_t *execution)
{
    xmpi_execution_t *e = execution;
    bool joins = e->me >= e->change.olds;
    int all;
    if (parts->image != NULL)
        return xmpi_execute_ask_images(parts, give_up, e);
    do {
        if (joins)
            xmpi_redistribute_wait(&e->constants);
        bool arrived = xmpi_redistribute_test(&e->constants);
        all = ask(e, give_up ? GIVE_UP : arrived ? ARRIVED : MOVING);
    } while (joins && all == MOVING);
    if (all == MOVING)
        return XMPI_UNDER_WAY;
    e->cost.background = PMPI_Wtime() - e->started;
    return all == ARRIVED ? finish(parts, e) : give_up_all(parts, e);
}

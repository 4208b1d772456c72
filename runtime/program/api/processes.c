/* SPDX-License-Identifier: BSD-3-Clause
 * XMPI_Spawn and XMPI_Remove: changing the members by hand (thesis §4.3, Table 4.1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/members/lay_out.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "program/api/failures.h"
#include "program/context.h"
#include "decide/scheduler/scheduler.h"
#include "base/export.h"
#include "base/floating.h"
#include "program/members/members.h"
#include "base/misuse.h"
#include "files/machine_file.h"
#include "xmpi.h"

/* Says what is wrong, once; CODE is what the caller returns. */
static int refuse(const char *call, int code, const xmpi_error_t *error)
{
    if (xmpi_leads())
        fprintf(stderr, "xmpi: %s: %s\n", call, error->text);
    return code;
}

static bool is_member(const char *call)
{
    if (xmpi_world.state == XMPI_STATE_RUNNING && xmpi_context.loop == NULL)
        return true;
    fprintf(stderr, "xmpi: %s: %s\n", call,
            xmpi_world.state == XMPI_STATE_RUNNING
                ? "not inside an adaptive loop, which changes its members itself"
                : "this process is no member, or XMPI_POLICY is off");
    return false;
}

/* The class that the I-th process is wanted from: -2, and a line, when there is none of this name.
 */
static int class_of(char *node_class[], int i, xmpi_error_t *error)
{
    if (node_class == NULL)
        return XMPI_ANY_CLASS;
    int found = xmpi_resources_class(&xmpi_context.shared.resources, node_class[i]);
    if (found == -2)
        xmpi_error_set(error, XMPI_ERR_INPUT, "no processor class \"%.40s\" in the machine file",
                       node_class[i]);
    return found;
}

/* Asked for by hand, there is room for more than the machine is known to have. */
static xmpi_status_t make_room(xmpi_shared_t *shared, int members)
{
    xmpi_resources_t *resources = &shared->resources;
    if (resources->listed || !resources->can_spawn)
        return XMPI_OK;
    if (resources->max_members < members)
        resources->max_members = members;
    int missing =
        members - shared->layout.members - xmpi_resources_usable(resources, XMPI_ANY_CLASS);
    return missing > 0 ? xmpi_machines_fill(resources, resources->pes + missing) : XMPI_OK;
}

/* Selects N joiners or leavers of the classes wanted. */
static xmpi_status_t select_processes(xmpi_selection_t *s, int n, char *node_class[], bool joining,
                                      xmpi_error_t *error)
{
    for (int i = 0; i < n; i++) {
        int class_index = class_of(node_class, i, error);
        if (class_index == -2)
            return XMPI_ERR_INPUT;
        if (joining ? !xmpi_select_joiner(s, class_index) : !xmpi_select_leaver(s, class_index))
            return xmpi_error_set(error, XMPI_ERR_INPUT, "only %d of %d processes %s", i, n,
                                  joining ? "can be had" : "may leave");
    }
    return XMPI_OK;
}

/* Rows of a member, and the place that it gets; -1: it leaves. */
typedef struct {
    xmpi_block_t block;
    int place;
} rows_t;

static int by_displ(const void *one, const void *other)
{
    const xmpi_block_t *a = &((const rows_t *)one)->block, *b = &((const rows_t *)other)->block;
    return (a->displ > b->displ) - (a->displ < b->displ);
}

/* The rows of a leaver go to who has those before them, or to the first that stays and has some; if
 * none has, to the first place. */
static void give_rows(rows_t *rows, int n, xmpi_plan_t *plan)
{
    xmpi_block_t none = {0, 0}, *last = &none; /* of the place in front */
    qsort(rows, (size_t)n, sizeof *rows, by_displ);
    for (int i = 0; i < n; i++) {
        if (rows[i].place < 0) {
            last->count += rows[i].block.count;
            continue;
        }
        xmpi_block_t *block = &plan->place[rows[i].place].block;
        *block = rows[i].block;
        if (last == &none)
            *block = (xmpi_block_t){none.count + block->count, 0};
        last = block;
    }
    if (last == &none)
        plan->place[0].block = none;
}

/* Joiners have no rows until the data are redistributed. */
static xmpi_status_t fill_plan(const xmpi_layout_t *old, const xmpi_resources_t *resources,
                               const xmpi_selection_t *s, xmpi_plan_t *plan)
{
    int n = 0, filled = 0;
    rows_t *rows = calloc((size_t)old->members + 1, sizeof *rows);
    if (rows == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < old->members; i++) {
        if (old->member[i].block.count > 0)
            rows[filled++] = (rows_t){old->member[i].block, s->leaves[i] ? -1 : n};
        if (!s->leaves[i])
            plan->place[n++] = (xmpi_place_t){
                .origin = XMPI_STAYS, .from = i, .pe = -1, .block = {0, old->domain}};
    }
    for (int i = 0; i < resources->pes; i++)
        if (s->taken[i])
            plan->place[n++] =
                (xmpi_place_t){.origin = XMPI_NEW, .from = -1, .pe = i, .block = {0, old->domain}};
    give_rows(rows, filled, plan);
    free(rows);
    return XMPI_OK;
}

static xmpi_status_t plan_of(xmpi_context_t *context, const xmpi_selection_t *s,
                             xmpi_layout_t *next, xmpi_error_t *error)
{
    const xmpi_layout_t *old = &context->shared.layout;
    xmpi_plan_t plan;
    xmpi_status_t status = xmpi_plan_alloc(&plan, old->members - s->leaving + s->joining);
    if (status != XMPI_OK)
        return status;
    status = fill_plan(old, &context->shared.resources, s, &plan);
    if (status == XMPI_OK)
        status = xmpi_shared_lay_out(&context->shared, &plan, next, error);
    xmpi_plan_free(&plan);
    return status;
}

/* The next layout, made by the leader. */
static xmpi_status_t choose(int n, char *node_class[], bool joining, xmpi_layout_t *next,
                            xmpi_error_t *error)
{
    xmpi_shared_t *shared = &xmpi_context.shared;
    xmpi_selection_t s = {0};
    if (n < 1)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%d processes; at least 1 is needed", n);
    if (joining && make_room(shared, shared->layout.members + n) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for %d processes", n);
    xmpi_status_t status =
        xmpi_selection_make(&s, &shared->resources, &shared->layout, shared->settings.placement);
    if (status == XMPI_OK)
        status = select_processes(&s, n, node_class, joining, error);
    if (status == XMPI_OK)
        status = plan_of(&xmpi_context, &s, next, error);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory for %d processes", n);
    xmpi_selection_free(&s);
    return status;
}

/* A process that was removed by hand goes on to the end of main: it is not to be woken again. */
static void retire_leavers(xmpi_shared_t *shared, const xmpi_layout_t *before)
{
    for (int i = 0; i < before->members; i++) {
        int process = before->member[i].process;
        xmpi_pe_t *pe = &shared->resources.pe[shared->process[process].pe];
        if (pe->process == process && xmpi_layout_rank(&shared->layout, process) < 0) {
            pe->process = -1;
            pe->parked = false;
        }
    }
}

XMPI_EXPORT int XMPI_Spawn(const char *command, char *argv[], int nprocs, MPI_Info info,
                           char *node_class[])
{
    XMPI_OWN_FLOATING;
    xmpi_context_t *context = &xmpi_context;
    xmpi_command_line_t line;
    xmpi_layout_t next = {0};
    xmpi_registry_t nothing = {0}; /* joiners have no rows yet, and register their data later */
    xmpi_error_t error = {""};
    bool leads = xmpi_leads();
    (void)info; /* the scheduler says where; nothing else in it matters to a process of ours */
    xmpi_command_line_make(command, argv, &line);
    if (!is_member("XMPI_Spawn"))
        return MPI_ERR_OTHER;
    bool go = leads && choose(nprocs, node_class, true, &next, &error) == XMPI_OK;
    if (!xmpi_members_announce(context, go, &next)) {
        xmpi_layout_free(&next);
        return refuse("XMPI_Spawn", MPI_ERR_SPAWN, &error);
    }
    int own = leads && command == NULL;
    PMPI_Bcast(&own, 1, MPI_INT, 0, xmpi_world.comm);
    xmpi_status_t status =
        xmpi_members_call(context, &next, own ? NULL : &line, XMPI_ORDER_JOIN_NOW, &error);
    if (status == XMPI_OK && xmpi_members_change(context, &next, &nothing) == XMPI_CALLED_OFF)
        status = xmpi_error_set(&error, XMPI_ERR_MEMORY, "a process had no memory for its data");
    xmpi_layout_free(&next);
    return status == XMPI_OK ? MPI_SUCCESS : refuse("XMPI_Spawn", MPI_ERR_SPAWN, &error);
}

XMPI_EXPORT int XMPI_Remove(int nprocs, char *node_class[])
{
    XMPI_OWN_FLOATING;
    xmpi_context_t *context = &xmpi_context;
    xmpi_layout_t next = {0}, before = {0};
    xmpi_error_t error = {""};
    bool leads = xmpi_leads();
    if (!is_member("XMPI_Remove"))
        return MPI_ERR_OTHER;
    if (xmpi_layout_copy(&before, &context->shared.layout) != XMPI_OK)
        xmpi_misuse("no memory for a list of %d members", context->shared.layout.members);
    bool go = leads && choose(nprocs, node_class, false, &next, &error) == XMPI_OK;
    if (!xmpi_members_announce(context, go, &next)) {
        xmpi_layout_free(&next);
        xmpi_layout_free(&before);
        return refuse("XMPI_Remove", MPI_ERR_ARG, &error);
    }
    xmpi_outcome_t outcome = xmpi_members_change(context, &next, &context->registry);
    xmpi_layout_free(&next);
    if (outcome == XMPI_DONE)
        retire_leavers(&context->shared, &before);
    xmpi_layout_free(&before);
    if (outcome == XMPI_LEFT)
        xmpi_world.state = XMPI_STATE_REMOVED;
    if (outcome != XMPI_CALLED_OFF)
        return MPI_SUCCESS;
    const xmpi_execution_t *e = &context->execution;
    return xmpi_first_failure("XMPI_Remove", xmpi_world.comm, xmpi_failure_code(e->failed),
                              e->error.text);
}

XMPI_EXPORT int XMPI_Get_process_status(void)
{
    switch (xmpi_world.state) {
    case XMPI_STATE_JOINING:
        return XMPI_NEWLY_SPAWNED;
    case XMPI_STATE_REMOVED:
        return XMPI_REMOVED;
    default:
        return XMPI_RUNNING;
    }
}

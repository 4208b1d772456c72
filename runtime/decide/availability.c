/* SPDX-License-Identifier: BSD-3-Clause
 * Availability: PEs come and go while the program runs. */
#include "decide/availability.h"

#include <stdlib.h>
#include <string.h>

static bool is_on(const xmpi_pe_t *pe, const char *node)
{
    return strcmp(pe->node, node) == 0;
}

static int count_on(const xmpi_resources_t *resources, const char *node)
{
    int n = 0;
    for (int i = 0; i < resources->pes; i++)
        n += is_on(&resources->pe[i], node) && !resources->pe[i].withdrawn;
    return n;
}

static void set_withdrawn(xmpi_pe_t *pe, double deadline)
{
    pe->withdrawn = true;
    pe->deadline = deadline;
}

static void set_returned(xmpi_pe_t *pe)
{
    pe->withdrawn = false;
    pe->deadline = 0;
}

/* --- following a list ---------------------------------------------------------------------------
 */

/* How little is lost with a PE: nothing, a parked process, a member. */
static int use_of(const xmpi_pe_t *pe)
{
    return pe->process < 0 ? 0 : pe->parked ? 1 : 2;
}

/* Members that are still to leave take no room from others. */
static void set_limit(xmpi_resources_t *resources)
{
    if (!resources->max_is_pes)
        return;
    resources->max_members = 0;
    for (int i = 0; i < resources->pes; i++)
        resources->max_members += !resources->pe[i].withdrawn || use_of(&resources->pe[i]) == 2;
}

static int take_away(xmpi_resources_t *resources, const char *node, int n, double deadline)
{
    int left = n;
    for (int use = 0; use <= 2; use++)
        for (int i = resources->pes - 1; i >= 0 && left > 0; i--) {
            xmpi_pe_t *pe = &resources->pe[i];
            if (is_on(pe, node) && !pe->withdrawn && use_of(pe) == use) {
                set_withdrawn(pe, deadline);
                left--;
            }
        }
    return n - left;
}

static int give_again(xmpi_resources_t *resources, const char *node, int n)
{
    int left = n;
    for (int use = 2; use >= 0; use--)
        for (int i = 0; i < resources->pes && left > 0; i++) {
            xmpi_pe_t *pe = &resources->pe[i];
            if (is_on(pe, node) && pe->withdrawn && use_of(pe) == use) {
                set_returned(pe);
                left--;
            }
        }
    return n - left;
}

/* The class of NOW with this index, in RESOURCES; -1 when there are too many. */
static int class_in(xmpi_resources_t *resources, const xmpi_resources_t *now, int class_index)
{
    const char *name = now->class_name[class_index];
    for (int i = 0; i < resources->classes; i++)
        if (strcmp(resources->class_name[i], name) == 0)
            return i;
    if (resources->classes == XMPI_CLASSES_MAX)
        return -1;
    strcpy(resources->class_name[resources->classes], name);
    return resources->classes++;
}

/* A copy with room for all PEs of NOW beside its own. */
static xmpi_status_t copy_with_room(const xmpi_resources_t *resources, const xmpi_resources_t *now,
                                    xmpi_resources_t *copy)
{
    *copy = *resources;
    copy->pe = calloc((size_t)(resources->pes + now->pes) + 1, sizeof *copy->pe);
    if (copy->pe == NULL)
        return XMPI_ERR_MEMORY;
    if (resources->pes > 0)
        memcpy(copy->pe, resources->pe, (size_t)resources->pes * sizeof *copy->pe);
    return XMPI_OK;
}

/* The PEs of the node of NOW->pe[FIRST]: classes, costs, and as many as there are now. */
static xmpi_status_t follow_node(xmpi_resources_t *resources, const xmpi_resources_t *now,
                                 int first, xmpi_availability_t *change, xmpi_error_t *error)
{
    const xmpi_pe_t *model = &now->pe[first];
    int class_index = class_in(resources, now, model->class_index);
    if (class_index < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "more than %d processor classes, with those of before",
                              XMPI_CLASSES_MAX);
    for (int i = 0; i < resources->pes; i++)
        if (is_on(&resources->pe[i], model->node)) {
            resources->pe[i].class_index = class_index;
            resources->pe[i].cost = model->cost;
        }
    int missing = count_on(now, model->node) - count_on(resources, model->node);
    if (missing <= 0)
        return XMPI_OK;
    int again = give_again(resources, model->node, missing);
    change->returned += again;
    change->added += missing - again;
    for (int i = again; i < missing; i++) {
        xmpi_pe_t pe = *model;
        pe.class_index = class_index;
        pe.process = -1;
        resources->pe[resources->pes++] = pe;
    }
    return XMPI_OK;
}

static bool is_first_of_node(const xmpi_resources_t *resources, int pe)
{
    for (int i = 0; i < pe; i++)
        if (is_on(&resources->pe[i], resources->pe[pe].node))
            return false;
    return true;
}

xmpi_status_t xmpi_availability_follow(xmpi_resources_t *resources, const xmpi_resources_t *now,
                                       double deadline, xmpi_availability_t *change,
                                       xmpi_error_t *error)
{
    xmpi_resources_t next;
    *change = (xmpi_availability_t){0, 0, 0};
    if (copy_with_room(resources, now, &next) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a list of nodes");
    for (int i = 0; i < now->pes; i++) {
        if (!is_first_of_node(now, i))
            continue;
        xmpi_status_t status = follow_node(&next, now, i, change, error);
        if (status != XMPI_OK) {
            free(next.pe);
            *change = (xmpi_availability_t){0, 0, 0};
            return status;
        }
    }
    for (int i = 0; i < next.pes; i++) {
        const char *node = next.pe[i].node;
        int surplus = is_first_of_node(&next, i) ? count_on(&next, node) - count_on(now, node) : 0;
        if (surplus > 0)
            change->withdrawn += take_away(&next, node, surplus, deadline);
    }
    set_limit(&next);
    free(resources->pe);
    *resources = next;
    return XMPI_OK;
}

/* --- requests -----------------------------------------------------------------------------------
 */

int xmpi_availability_withdraw(xmpi_resources_t *resources, const char *node, double deadline)
{
    int n = take_away(resources, node, count_on(resources, node), deadline);
    set_limit(resources);
    return n;
}

int xmpi_availability_return(xmpi_resources_t *resources, const char *node)
{
    int n = give_again(resources, node, resources->pes);
    set_limit(resources);
    return n;
}

static bool is_of(const xmpi_pe_t *pe, int class_index)
{
    return class_index == XMPI_ANY_CLASS || pe->class_index == class_index;
}

static bool is_empty(const xmpi_resources_t *resources, int pe, int class_index)
{
    const xmpi_pe_t *p = &resources->pe[pe];
    return !p->withdrawn && use_of(p) < 2 && is_of(p, class_index);
}

static int count_empty(const xmpi_resources_t *resources, int class_index)
{
    int n = 0;
    for (int i = 0; i < resources->pes; i++)
        n += is_empty(resources, i, class_index);
    return n;
}

static void withdraw_selected(xmpi_resources_t *resources, const xmpi_selection_t *selection,
                              double deadline)
{
    for (int rank = 0; rank < selection->layout->members; rank++)
        if (selection->leaves[rank])
            set_withdrawn(&resources->pe[selection->pe_of[rank]], deadline);
}

/* Withdraws SPARE PEs without members, and those of N - SPARE members. */
static xmpi_status_t give_back(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                               xmpi_placement_t placement, int class_index, int n, int spare,
                               double deadline, xmpi_error_t *error)
{
    bool more = true;
    xmpi_selection_t selection;
    if (xmpi_selection_make(&selection, resources, layout, placement) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to give processors back");
    xmpi_availability_leavers(&selection); /* have been asked for before */
    int before = selection.leaving;
    while (more && selection.leaving - before < n - spare)
        more = xmpi_select_leaver(&selection, class_index);
    int found = spare + selection.leaving - before;
    if (more) {
        withdraw_selected(resources, &selection, deadline);
        for (int i = resources->pes - 1; i >= 0 && spare > 0; i--)
            if (is_empty(resources, i, class_index)) {
                set_withdrawn(&resources->pe[i], deadline);
                spare--;
            }
        set_limit(resources);
    }
    xmpi_selection_free(&selection);
    return more ? XMPI_OK
                : xmpi_error_set(error, XMPI_ERR_INPUT,
                                 "%d processors to give back, but only %d can be", n, found);
}

xmpi_status_t xmpi_availability_give_back(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                                          xmpi_placement_t placement, int class_index, int n,
                                          double deadline, xmpi_error_t *error)
{
    int empty = count_empty(resources, class_index), spare = empty < n ? empty : n;
    return give_back(resources, layout, placement, class_index, n, spare, deadline, error);
}

xmpi_status_t xmpi_availability_shrink(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                                       xmpi_placement_t placement, int class_index, int n,
                                       double deadline, xmpi_error_t *error)
{
    return give_back(resources, layout, placement, class_index, n, 0, deadline, error);
}

xmpi_status_t xmpi_availability_grow(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                                     int class_index, int n, xmpi_error_t *error)
{
    int withdrawn = 0, usable = xmpi_resources_usable(resources, class_index);
    for (int i = 0; i < resources->pes; i++)
        withdrawn += resources->pe[i].withdrawn && is_of(&resources->pe[i], class_index);
    if (usable + withdrawn < n)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%d more processors to use, but only %d are there: name others in "
                              "the machine file, or set XMPI_MAX",
                              n, usable + withdrawn);
    for (int i = 0; i < resources->pes && usable < n; i++)
        if (resources->pe[i].withdrawn && is_of(&resources->pe[i], class_index)) {
            set_returned(&resources->pe[i]);
            usable++;
        }
    set_limit(resources);
    if (resources->max_members < layout->members + n)
        resources->max_members = layout->members + n;
    return XMPI_OK;
}

int xmpi_availability_leavers(xmpi_selection_t *selection)
{
    const xmpi_layout_t *layout = selection->layout;
    const xmpi_resources_t *resources = selection->resources;
    int stuck = 0;
    for (int rank = layout->members - 1; rank >= 0; rank--) {
        int pe = selection->pe_of[rank];
        if (pe < 0 || !resources->pe[pe].withdrawn)
            continue;
        if (layout->member[rank].process == resources->anchor ||
            selection->leaving == layout->members - 1) {
            stuck++; /* somebody has to hand the data over */
            continue;
        }
        xmpi_select_rank(selection, rank);
    }
    if (stuck > 0 && selection->leaving == layout->members - 1)
        xmpi_select_joiner(selection, XMPI_ANY_CLASS); /* for the next time */
    return stuck;
}

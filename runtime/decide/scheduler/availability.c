/* SPDX-License-Identifier: BSD-3-Clause
 * Availability: requests. */
#include "decide/scheduler/availability.h"

#include <stdlib.h>
#include <string.h>

#include "decide/scheduler/withdrawn.h"

static int is_on(const xmpi_pe_t *pe, const char *node)
{
    return strcmp(pe->node, node) == 0;
}

static xmpi_status_t check_node(const xmpi_resources_t *resources, const char *node,
                                xmpi_error_t *error)
{
    for (int i = 0; i < resources->pes; i++)
        if (is_on(&resources->pe[i], node))
            return XMPI_OK;
    return xmpi_error_set(error, XMPI_ERR_INPUT, "there is no node %.64s", node);
}

/* Of a PE without a name nobody knows on which node a process would come to be. */
static bool may_be_on(const xmpi_pe_t *pe, const char *node)
{
    return is_on(pe, node) || pe->node[0] == '\0';
}

/* Why the program cannot leave NODE, wholly; XMPI_OK: it can, if there is room. */
static xmpi_status_t check_leaving(const xmpi_resources_t *resources, const char *node,
                                   xmpi_error_t *error)
{
    int elsewhere = 0, anchor = -1;
    if (resources->anchor >= 0)
        anchor = xmpi_resources_pe_of(resources, resources->anchor);
    for (int i = 0; i < resources->pes; i++)
        elsewhere += !may_be_on(&resources->pe[i], node) && !resources->pe[i].withdrawn;
    if (elsewhere == 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "node %.64s is the last one", node);
    if (anchor >= 0 && is_on(&resources->pe[anchor], node))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "node %.64s cannot be left: process %d has to stay %s", node,
                              resources->anchor, xmpi_anchor_why(resources));
    return XMPI_OK;
}

const char *xmpi_anchor_why(const xmpi_resources_t *resources)
{
    return resources->can_spawn ? "where processes are spawned; start with spares "
                                  "(XMPI_BACKEND=pool) so that it can leave"
                                : "with what the program keeps on rank 0 (a file, results)";
}

xmpi_status_t xmpi_availability_withdraw(xmpi_resources_t *resources, const char *node,
                                         double deadline, xmpi_availability_t *change,
                                         xmpi_error_t *error)
{
    *change = (xmpi_availability_t){0, 0, 0};
    xmpi_status_t status = check_node(resources, node, error);
    if (status == XMPI_OK)
        status = check_leaving(resources, node, error);
    for (int i = 0; i < resources->pes && status == XMPI_OK; i++) {
        xmpi_pe_t *pe = &resources->pe[i];
        if (!is_on(pe, node) && !(may_be_on(pe, node) && pe->process < 0))
            continue;
        pe->avoided = true;
        change->withdrawn += xmpi_pe_reconsider(pe, deadline) && !pe->shared;
    }
    return status;
}

static bool any_avoided(const xmpi_resources_t *resources)
{
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].avoided && resources->pe[i].node[0] != '\0')
            return true;
    return false;
}

/* Of its PEs or of those without a name (an empty NODE). How many can be used again. */
static int offer(xmpi_resources_t *resources, const char *node)
{
    int returned = 0;
    for (int i = 0; i < resources->pes; i++)
        if (is_on(&resources->pe[i], node)) {
            xmpi_pe_t *pe = &resources->pe[i];
            pe->avoided = false;
            pe->given_back = pe->given_back && node[0] == '\0';
            returned += xmpi_pe_reconsider(pe, 0) && !pe->shared;
        }
    return returned;
}

xmpi_status_t xmpi_availability_offer(xmpi_resources_t *resources, const char *node,
                                      xmpi_availability_t *change, xmpi_error_t *error)
{
    *change = (xmpi_availability_t){0, 0, 0};
    xmpi_status_t status = check_node(resources, node, error);
    if (status != XMPI_OK)
        return status;
    change->returned = offer(resources, node);
    if (!any_avoided(resources))
        change->returned += offer(resources, "");
    return XMPI_OK;
}

/* --- requests -----------------------------------------------------------------------------------
 */

static bool is_of(const xmpi_pe_t *pe, int class_index)
{
    return class_index == XMPI_ANY_CLASS || pe->class_index == class_index;
}

static void withdraw_selected(xmpi_resources_t *resources, const xmpi_selection_t *selection,
                              double deadline)
{
    for (int rank = 0; rank < selection->layout->members; rank++)
        if (selection->leaves[rank]) {
            xmpi_pe_t *pe = &resources->pe[selection->pe_of[rank]];
            pe->given_back = true;
            xmpi_pe_reconsider(pe, deadline);
        }
}

xmpi_status_t xmpi_availability_shrink(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                                       xmpi_placement_t placement, int class_index, int n,
                                       double deadline, xmpi_availability_t *change,
                                       xmpi_error_t *error)
{
    xmpi_selection_t selection;
    *change = (xmpi_availability_t){0, 0, 0};
    if (xmpi_selection_make(&selection, resources, layout, placement) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to give processors back");
    xmpi_availability_leavers(&selection); /* have been asked for before */
    int found = xmpi_select_leavers(&selection, class_index, n, NULL);
    if (found == n) {
        change->withdrawn = n;
        withdraw_selected(resources, &selection, deadline);
        xmpi_resources_limit(resources);
    }
    xmpi_selection_free(&selection);
    return found == n ? XMPI_OK
                      : xmpi_error_set(error, XMPI_ERR_INPUT,
                                       "%d processors to give back, but only %d can be", n, found);
}

/* What is withdrawn only for there to be fewer members. */
static bool only_rests(const xmpi_pe_t *pe)
{
    return pe->given_back && !pe->gone && !pe->avoided && !pe->lost;
}

static bool wakes(xmpi_pe_t *pe)
{
    if (!only_rests(pe))
        return false;
    pe->given_back = false;
    return xmpi_pe_reconsider(pe, 0);
}

/* Where the others of N could be had, of which only THERE are. */
static xmpi_status_t too_few(const xmpi_resources_t *resources, int class_index, int n, int there,
                             xmpi_error_t *error)
{
    const char *verb = there == 1 ? "is" : "are";
    int avoided = 0;
    const char *node = "";
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].avoided && is_of(&resources->pe[i], class_index)) {
            avoided++;
            node = node[0] != '\0' ? node : resources->pe[i].node;
        }
    if (node[0] != '\0' && there + avoided >= n)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%d more processors to use, but only %d %s there: node %.64s is "
                              "withdrawn, until it is offered (xmpictl offer)",
                              n, there, verb, node);
    if (!resources->can_spawn)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%d more processors to use, but only %d spare process%s: start the "
                              "program with more spares (xmpirun --spares)",
                              n, there, there == 1 ? " waits" : "es wait");
    return xmpi_error_set(error, XMPI_ERR_INPUT,
                          "%d more processors to use, but only %d %s there: %s", n, there, verb,
                          resources->given ? "the job may have more nodes with a higher XMPI_NODES"
                          : resources->listed ? "name others in the machine file"
                                              : "start the program with a higher XMPI_MAX");
}

xmpi_status_t xmpi_availability_grow(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                                     int class_index, int n, xmpi_availability_t *change,
                                     xmpi_error_t *error)
{
    *change = (xmpi_availability_t){0, 0, 0};
    int rest = 0, usable = xmpi_resources_usable(resources, class_index);
    for (int i = 0; i < resources->pes; i++)
        rest += only_rests(&resources->pe[i]) && is_of(&resources->pe[i], class_index);
    if (usable + rest < n)
        return too_few(resources, class_index, n, usable + rest, error);
    for (int i = 0; i < resources->pes && usable < n; i++)
        if (is_of(&resources->pe[i], class_index) && wakes(&resources->pe[i])) {
            change->returned++;
            usable++;
        }
    xmpi_resources_limit(resources);
    if (resources->max_members < layout->members + n)
        resources->max_members = layout->members + n;
    return XMPI_OK;
}

xmpi_status_t xmpi_availability_all(const xmpi_resources_t *resources, xmpi_resources_t *all)
{
    size_t size = (size_t)resources->pes * sizeof *all->pe;
    *all = *resources;
    all->pe = malloc(size + 1);
    if (all->pe == NULL)
        return XMPI_ERR_MEMORY;
    memcpy(all->pe, resources->pe, size);
    for (int i = 0; i < all->pes; i++)
        wakes(&all->pe[i]);
    xmpi_resources_limit(all);
    return XMPI_OK;
}

/* Those that nobody joins on are withdrawn, like those of members who leave. */
static void rest_all_but(xmpi_resources_t *all, const xmpi_selection_t *selection, double deadline)
{
    for (int i = 0; i < all->pes; i++)
        if (!selection->taken[i] && xmpi_pe_usable(all, i)) {
            all->pe[i].given_back = true;
            xmpi_pe_reconsider(&all->pe[i], deadline);
        }
    withdraw_selected(all, selection, deadline);
}

/* What has become of the PEs of BEFORE. */
static xmpi_availability_t compared(const xmpi_resources_t *before, const xmpi_resources_t *now)
{
    xmpi_availability_t change = {0, 0, 0};
    for (int i = 0; i < now->pes; i++) {
        change.returned += before->pe[i].withdrawn && !now->pe[i].withdrawn;
        change.withdrawn += !before->pe[i].withdrawn && now->pe[i].withdrawn;
    }
    return change;
}

/* SELECTION, in which some leave who have to: how many more join, or fewer stay, for there to be N;
 * whether they can. */
static bool select_for(xmpi_selection_t *selection, int n, int *more)
{
    *more = n - (selection->layout->members - selection->leaving + selection->joining);
    return *more >= 0 ? xmpi_select_joiners(selection, XMPI_ANY_CLASS, *more, NULL) == *more
                      : xmpi_select_leavers(selection, XMPI_ANY_CLASS, -*more, NULL) == -*more;
}

xmpi_status_t xmpi_availability_have(xmpi_resources_t *resources, const xmpi_layout_t *layout,
                                     xmpi_placement_t placement, int n, double deadline, int *more,
                                     xmpi_availability_t *change, xmpi_error_t *error)
{
    xmpi_resources_t all;
    xmpi_selection_t selection;
    *change = (xmpi_availability_t){0, 0, 0};
    if (xmpi_availability_all(resources, &all) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a list of nodes");
    if (all.max_members < n)
        all.max_members = n;
    if (xmpi_selection_make(&selection, &all, layout, placement) != XMPI_OK) {
        xmpi_resources_free(&all);
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a list of nodes");
    }
    xmpi_availability_leavers(&selection);
    bool can = select_for(&selection, n, more);
    if (can) {
        rest_all_but(&all, &selection, deadline);
        *change = compared(resources, &all);
        memcpy(resources->pe, all.pe, (size_t)all.pes * sizeof *all.pe);
        xmpi_resources_limit(resources);
        if (resources->max_members < n)
            resources->max_members = n;
    }
    xmpi_selection_free(&selection);
    xmpi_resources_free(&all);
    return can ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_INPUT,
                                *more > 0 ? "there is no room for %d members"
                                          : "there cannot be as few as %d members",
                                n);
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
        xmpi_select_joiners(selection, XMPI_ANY_CLASS, 1, NULL); /* for the next time */
    return stuck;
}

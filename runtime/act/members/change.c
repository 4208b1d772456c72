/* SPDX-License-Identifier: BSD-3-Clause
 * Change: all that follows from the layouts before and after a reconfiguration. */
#include "act/members/change.h"

#include <stdlib.h>
#include <string.h>

static xmpi_status_t change_alloc(xmpi_change_t *change, int most)
{
    size_t n = (size_t)most;
    memset(change, 0, sizeof *change);
    change->process = calloc(n, sizeof *change->process);
    change->new_rank = calloc(n, sizeof *change->new_rank);
    change->old_block = calloc(n, sizeof *change->old_block);
    change->new_block = calloc(n, sizeof *change->new_block);
    if (change->process != NULL && change->new_rank != NULL && change->old_block != NULL &&
        change->new_block != NULL)
        return XMPI_OK;
    xmpi_change_free(change);
    return XMPI_ERR_MEMORY;
}

/* The rank in LAYOUT of every process below PROCESSES, -1 where it has none; malloc. */
static int *ranks_of(const xmpi_layout_t *layout, int processes)
{
    int *rank_of = malloc(((size_t)processes + 1) * sizeof *rank_of);
    for (int i = 0; i < processes && rank_of != NULL; i++)
        rank_of[i] = -1;
    for (int i = 0; i < layout->members && rank_of != NULL; i++)
        rank_of[layout->member[i].process] = i;
    return rank_of;
}

/* One more than the highest process of a layout. */
static int processes_of(const xmpi_layout_t *layout)
{
    int processes = 0;
    for (int i = 0; i < layout->members; i++)
        if (layout->member[i].process >= processes)
            processes = layout->member[i].process + 1;
    return processes;
}

static void add_old(xmpi_change_t *change, const xmpi_member_t *member, const xmpi_layout_t *next,
                    int new_rank)
{
    int at = change->transit++;
    change->olds++;
    change->process[at] = member->process;
    change->old_block[at] = member->block;
    change->new_rank[at] = new_rank;
    if (change->new_rank[at] < 0)
        change->leavers++;
    else
        change->new_block[at] = next->member[change->new_rank[at]].block;
}

static void add_joiner(xmpi_change_t *change, const xmpi_layout_t *next, int rank)
{
    int at = change->transit++;
    change->joiners++;
    change->process[at] = next->member[rank].process;
    change->new_block[at] = next->member[rank].block;
    change->new_rank[at] = rank;
}

xmpi_status_t xmpi_change_make(const xmpi_layout_t *old, const xmpi_layout_t *next,
                               xmpi_change_t *change)
{
    int olds = processes_of(old), news = processes_of(next), processes = olds > news ? olds : news;
    int *old_rank = ranks_of(old, processes), *new_rank = ranks_of(next, processes);
    bool made = old_rank != NULL && new_rank != NULL &&
                change_alloc(change, old->members + next->members) == XMPI_OK;
    for (int i = 0; made && i < old->members; i++)
        add_old(change, &old->member[i], next, new_rank[old->member[i].process]);
    for (int i = 0; made && i < next->members; i++)
        if (old_rank[next->member[i].process] < 0)
            add_joiner(change, next, i);
    free(old_rank);
    free(new_rank);
    return made ? XMPI_OK : XMPI_ERR_MEMORY;
}

void xmpi_change_free(xmpi_change_t *change)
{
    free(change->process);
    free(change->new_rank);
    free(change->old_block);
    free(change->new_block);
    memset(change, 0, sizeof *change);
}

bool xmpi_change_keeps_ranks(const xmpi_change_t *change)
{
    for (int i = 0; i < change->transit; i++)
        if (change->new_rank[i] != i)
            return false;
    return true;
}

bool xmpi_change_all_initial(const xmpi_change_t *change, const xmpi_shared_t *shared)
{
    for (int i = 0; i < change->transit; i++)
        if (shared->process[change->process[i]].initial_rank < 0)
            return false;
    return true;
}

static int group_of(const xmpi_change_t *change, const xmpi_shared_t *shared, int joiner)
{
    return shared->process[change->process[change->olds + joiner]].group;
}

/* The unit of GROUP among those that there are, or -1. */
static int unit_of(const xmpi_change_t *change, const xmpi_shared_t *shared,
                   const xmpi_units_t *units, int group)
{
    for (int unit = units->n - 1; unit >= 0 && group > 0; unit--)
        if (group_of(change, shared, units->first[unit]) == group)
            return unit;
    return -1;
}

/* NEXT: of each unit, where the next of it has its place. */
static void take_seats(xmpi_units_t *units, int joiners, int *next)
{
    for (int i = 0; i < joiners; i++)
        next[units->of[i] + 1]++;
    for (int unit = 0; unit < units->n; unit++)
        next[unit + 1] += next[unit];
    for (int i = 0; i < joiners; i++)
        units->seat[i] = next[units->of[i]]++;
}

xmpi_status_t xmpi_change_units(const xmpi_change_t *change, const xmpi_shared_t *shared,
                                xmpi_units_t *units)
{
    size_t n = (size_t)change->joiners + 1;
    int *next = calloc(n, sizeof *next);
    *units = (xmpi_units_t){.of = calloc(n, sizeof *units->of),
                            .first = calloc(n, sizeof *units->first),
                            .seat = calloc(n, sizeof *units->seat)};
    bool made = next != NULL && units->of != NULL && units->first != NULL && units->seat != NULL;
    for (int i = 0; i < change->joiners && made; i++) {
        units->of[i] = unit_of(change, shared, units, group_of(change, shared, i));
        if (units->of[i] >= 0)
            continue;
        units->of[i] = units->n;
        units->first[units->n++] = i;
    }
    if (made)
        take_seats(units, change->joiners, next);
    else
        xmpi_units_free(units);
    free(next);
    return made ? XMPI_OK : XMPI_ERR_MEMORY;
}

void xmpi_units_free(xmpi_units_t *units)
{
    free(units->of);
    free(units->first);
    free(units->seat);
    *units = (xmpi_units_t){.n = 0};
}

int xmpi_change_transit_rank(const xmpi_change_t *change, int process)
{
    for (int i = 0; i < change->transit; i++)
        if (change->process[i] == process)
            return i;
    return -1;
}

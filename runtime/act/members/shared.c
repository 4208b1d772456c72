/* SPDX-License-Identifier: BSD-3-Clause
 * What every member knows in the same version. */
#include "act/members/shared.h"

#include <stdlib.h>
#include <string.h>

#include "base/misuse.h"

void xmpi_layout_put(xmpi_pack_t *pack, const xmpi_layout_t *layout)
{
    xmpi_pack_put(pack, &layout->domain, sizeof layout->domain);
    xmpi_pack_put_array(pack, layout->member, layout->members, sizeof *layout->member);
}

/* Nobody can go on who does not know what all others know. */
static void must_know(const xmpi_pack_t *pack)
{
    if (pack->status == XMPI_ERR_MEMORY)
        xmpi_misuse("no memory for the state that all members share");
}

void xmpi_layout_get(xmpi_pack_t *pack, xmpi_layout_t *layout)
{
    xmpi_pack_get(pack, &layout->domain, sizeof layout->domain);
    layout->member = xmpi_pack_get_array(pack, &layout->members, sizeof *layout->member);
    must_know(pack);
}

static void put_schedule(xmpi_pack_t *pack, const xmpi_schedule_t *schedule)
{
    xmpi_pack_put_array(pack, schedule->action, schedule->actions, sizeof *schedule->action);
    xmpi_pack_put_array(pack, schedule->appointment, schedule->appointments,
                        sizeof *schedule->appointment);
    xmpi_pack_put_array(pack, schedule->share, schedule->shares, sizeof *schedule->share);
}

static void get_schedule(xmpi_pack_t *pack, xmpi_schedule_t *schedule)
{
    schedule->action = xmpi_pack_get_array(pack, &schedule->actions, sizeof *schedule->action);
    schedule->appointment =
        xmpi_pack_get_array(pack, &schedule->appointments, sizeof *schedule->appointment);
    schedule->share = xmpi_pack_get_array(pack, &schedule->shares, sizeof *schedule->share);
}

void xmpi_leader_put(xmpi_pack_t *pack, const xmpi_leader_t *leader)
{
    xmpi_pack_put_sparse(pack, leader, sizeof *leader);
    xmpi_pack_put_array(pack, leader->history.speed, leader->history.pes,
                        sizeof *leader->history.speed);
    xmpi_pack_put_array(pack, leader->history.past, leader->history.pasts,
                        sizeof *leader->history.past);
    xmpi_pack_put_array(pack, leader->density.seen, leader->density.seen_blocks,
                        sizeof *leader->density.seen);
    xmpi_pack_put_array(pack, leader->density.best_block, leader->density.best_blocks,
                        sizeof *leader->density.best_block);
    xmpi_pack_put_array(pack, leader->home.block, leader->home.blocks, sizeof *leader->home.block);
}

void xmpi_leader_get(xmpi_pack_t *pack, xmpi_leader_t *leader)
{
    xmpi_history_t *history = &leader->history;
    xmpi_leader_free(leader);
    xmpi_pack_get_sparse(pack, leader, sizeof *leader);
    history->speed = xmpi_pack_get_array(pack, &history->pes, sizeof *history->speed);
    history->past = xmpi_pack_get_array(pack, &history->pasts, sizeof *history->past);
    xmpi_density_t *density = &leader->density;
    density->seen = xmpi_pack_get_array(pack, &density->seen_blocks, sizeof *density->seen);
    density->best_block =
        xmpi_pack_get_array(pack, &density->best_blocks, sizeof *density->best_block);
    leader->home.block =
        xmpi_pack_get_array(pack, &leader->home.blocks, sizeof *leader->home.block);
    must_know(pack);
}

void xmpi_shared_put(xmpi_pack_t *pack, const xmpi_shared_t *shared)
{
    const xmpi_resources_t *resources = &shared->resources;
    xmpi_settings_put(pack, &shared->settings);
    xmpi_pack_put(pack, &shared->since, sizeof shared->since);
    xmpi_pack_put(pack, &shared->started, sizeof shared->started);
    xmpi_pack_put(pack, &shared->leavers_end, sizeof shared->leavers_end);
    xmpi_pack_put(pack, &shared->records, sizeof shared->records);
    xmpi_pack_put(pack, &shared->parts, sizeof shared->parts);
    xmpi_pack_put(pack, &shared->spawners, sizeof shared->spawners);
    xmpi_pack_put(pack, &shared->groups, sizeof shared->groups);
    xmpi_pack_put(pack, &shared->movable, sizeof shared->movable);
    xmpi_pack_put(pack, &shared->resizable, sizeof shared->resizable);
    xmpi_pack_put(pack, &shared->rowless, sizeof shared->rowless);
    xmpi_pack_put_sparse(pack, shared->loop, sizeof shared->loop);
    put_schedule(pack, &shared->schedule);
    xmpi_pack_put_sparse(pack, resources, sizeof *resources);
    xmpi_pack_put_array(pack, resources->pe, resources->pes, sizeof *resources->pe);
    xmpi_pack_put_array(pack, shared->process, shared->processes, sizeof *shared->process);
    xmpi_layout_put(pack, &shared->layout);
    xmpi_leader_put(pack, &shared->leader);
}

static bool ends(const char *text, size_t room)
{
    return memchr(text, '\0', room) != NULL;
}

static bool pes_are_sound(const xmpi_shared_t *shared)
{
    const xmpi_resources_t *resources = &shared->resources;
    bool sound = resources->classes >= 0 && resources->classes <= XMPI_CLASSES_MAX;
    for (int i = 0; i < resources->pes && sound; i++) {
        const xmpi_pe_t *pe = &resources->pe[i];
        sound = ends(pe->node, sizeof pe->node) && pe->process >= -1 &&
                pe->process < shared->processes && pe->class_index < XMPI_CLASSES_MAX;
    }
    return sound;
}

/* Whatever is used as an index leads somewhere, and texts end. */
static bool is_sound(const xmpi_shared_t *shared)
{
    bool sound = pes_are_sound(shared) && ends(shared->loop, sizeof shared->loop);
    for (int i = 0; i < shared->processes && sound; i++) {
        const xmpi_process_t *process = &shared->process[i];
        sound = xmpi_door_is_sound(&process->door) &&
                (!process->used || (process->pe >= 0 && process->pe < shared->resources.pes));
    }
    for (int i = 0; i < shared->layout.members && sound; i++)
        sound = shared->layout.member[i].process >= 0 &&
                shared->layout.member[i].process < shared->processes;
    return sound;
}

void xmpi_shared_get(xmpi_pack_t *pack, xmpi_shared_t *shared)
{
    xmpi_resources_t *resources = &shared->resources;
    xmpi_shared_free(shared);
    xmpi_settings_get(pack, &shared->settings);
    xmpi_pack_get(pack, &shared->since, sizeof shared->since);
    xmpi_pack_get(pack, &shared->started, sizeof shared->started);
    xmpi_pack_get(pack, &shared->leavers_end, sizeof shared->leavers_end);
    xmpi_pack_get(pack, &shared->records, sizeof shared->records);
    xmpi_pack_get(pack, &shared->parts, sizeof shared->parts);
    xmpi_pack_get(pack, &shared->spawners, sizeof shared->spawners);
    xmpi_pack_get(pack, &shared->groups, sizeof shared->groups);
    xmpi_pack_get(pack, &shared->movable, sizeof shared->movable);
    xmpi_pack_get(pack, &shared->resizable, sizeof shared->resizable);
    xmpi_pack_get(pack, &shared->rowless, sizeof shared->rowless);
    xmpi_pack_get_sparse(pack, shared->loop, sizeof shared->loop);
    get_schedule(pack, &shared->schedule);
    xmpi_pack_get_sparse(pack, resources, sizeof *resources);
    resources->pe = xmpi_pack_get_array(pack, &resources->pes, sizeof *resources->pe);
    shared->process = xmpi_pack_get_array(pack, &shared->processes, sizeof *shared->process);
    must_know(pack);
    xmpi_layout_get(pack, &shared->layout);
    xmpi_leader_get(pack, &shared->leader);
    if (pack->status == XMPI_OK && !is_sound(shared))
        pack->status = XMPI_ERR_INTERNAL;
}

const xmpi_pe_t *xmpi_shared_pe(const xmpi_shared_t *shared, int rank)
{
    return &shared->resources.pe[shared->process[shared->layout.member[rank].process].pe];
}

int xmpi_shared_new_process(xmpi_shared_t *shared, int pe)
{
    xmpi_process_t made = {.used = true, .initial_rank = -1, .pe = pe};
    for (int i = shared->unused_from; i < shared->processes; i++)
        if (!shared->process[i].used) {
            shared->process[i] = made;
            shared->unused_from = i + 1;
            return i;
        }
    shared->unused_from = shared->processes;
    xmpi_process_t *grown =
        realloc(shared->process, (size_t)(shared->processes + 1) * sizeof *grown);
    if (grown == NULL)
        return -1;
    shared->process = grown;
    shared->process[shared->processes] = made;
    shared->unused_from++;
    return shared->processes++;
}

int xmpi_layout_rank(const xmpi_layout_t *layout, int process)
{
    for (int i = 0; i < layout->members; i++)
        if (layout->member[i].process == process)
            return i;
    return -1;
}

/* Marks the processes of LAYOUT, so that it is known of each process whether it is one of them. */
static void mark(xmpi_shared_t *shared, const xmpi_layout_t *layout, bool marked)
{
    for (int i = 0; i < layout->members; i++)
        if (layout->member[i].process >= 0)
            shared->process[layout->member[i].process].marked = marked;
}

/* By nodes those whose node is known, which are one entry of a request: several requests are made
 * at a time, and Hydra mixes up such of several entries. */
static bool may_be_together(const xmpi_shared_t *shared, int a, int b)
{
    const xmpi_pe_t *pe = shared->resources.pe;
    const char *node = pe[shared->process[a].pe].node;
    return shared->settings.strategy == XMPI_SPAWN_GROUP ||
           (node[0] != '\0' && strcmp(node, pe[shared->process[b].pe].node) == 0);
}

/* Those from place I of NEXT on that may be started with the process there, as the next group;
 * where there is none it is alone. */
static void group_with(xmpi_shared_t *shared, const xmpi_layout_t *next, int i)
{
    int mine = next->member[i].process;
    bool grouped = false;
    for (int k = i + 1; k < next->members; k++) {
        int other = next->member[k].process;
        if (shared->process[other].marked || shared->process[other].group > 0 ||
            !may_be_together(shared, mine, other))
            continue;
        shared->groups += !grouped;
        grouped = true;
        shared->process[other].group = shared->process[mine].group = shared->groups;
    }
}

void xmpi_shared_group_joiners(xmpi_shared_t *shared, const xmpi_layout_t *next)
{
    xmpi_spawning_t strategy = shared->settings.strategy;
    if (!shared->resources.can_spawn ||
        (strategy != XMPI_SPAWN_GROUP && strategy != XMPI_SPAWN_NODES))
        return;
    mark(shared, &shared->layout, true);
    for (int i = 0; i < next->members; i++) {
        const xmpi_process_t *process = &shared->process[next->member[i].process];
        if (!process->marked && process->group == 0)
            group_with(shared, next, i);
    }
    mark(shared, &shared->layout, false);
}

bool xmpi_shared_ends_alone(const xmpi_shared_t *shared, int process)
{
    const xmpi_process_t *entry = &shared->process[process];
    if (shared->parts && shared->resources.can_spawn)
        return true;
    return entry->initial_rank < 0 && entry->group == 0;
}

bool xmpi_shared_group_has_left(const xmpi_shared_t *shared, int group)
{
    for (int i = 0; i < shared->layout.members; i++)
        if (shared->process[shared->layout.member[i].process].group == group)
            return false;
    return group > 0;
}

static void free_entry(xmpi_shared_t *shared, int process)
{
    shared->process[process] = (xmpi_process_t){.initial_rank = -1};
    if (process < shared->unused_from)
        shared->unused_from = process;
}

void xmpi_shared_forget_groups(xmpi_shared_t *shared)
{
    for (int i = 0; i < shared->processes; i++)
        if (xmpi_shared_group_has_left(shared, shared->process[i].group))
            free_entry(shared, i);
}

void xmpi_shared_forget(xmpi_shared_t *shared, const xmpi_layout_t *next)
{
    mark(shared, &shared->layout, true);
    for (int i = 0; i < next->members; i++) {
        int process = next->member[i].process;
        if (process >= 0 && !shared->process[process].marked)
            shared->process[process].used = shared->process[process].initial_rank >= 0;
    }
    mark(shared, &shared->layout, false);
    shared->unused_from = 0;
}

/* In a pool a leaver parks and can be woken. Else its PE is free for another, to be spawned: a
 * leaver that was spawned alone ends, one of a group parks until the whole group has left, one that
 * mpiexec started until the program ends. */
static void note_leaver(xmpi_shared_t *shared, int process)
{
    xmpi_process_t *entry = &shared->process[process];
    xmpi_pe_t *pe = &shared->resources.pe[entry->pe];
    entry->used = !xmpi_shared_ends_alone(shared, process);
    if (!entry->used && process < shared->unused_from)
        shared->unused_from = process;
    if (shared->resources.can_spawn || shared->leavers_end)
        pe->process = -1;
    else
        pe->parked = true;
}

void xmpi_shared_commit(xmpi_shared_t *shared, xmpi_layout_t *next)
{
    mark(shared, next, true);
    for (int i = 0; i < shared->layout.members; i++)
        if (!shared->process[shared->layout.member[i].process].marked)
            note_leaver(shared, shared->layout.member[i].process);
    mark(shared, next, false);
    for (int i = 0; i < next->members; i++) {
        xmpi_pe_t *pe = &shared->resources.pe[shared->process[next->member[i].process].pe];
        pe->process = next->member[i].process;
        pe->parked = false;
        pe->reached = true;
        pe->failures = 0;
        shared->process[pe->process].used = true; /* also one that had left and is back */
    }
    xmpi_layout_free(&shared->layout);
    shared->layout = *next;
    memset(next, 0, sizeof *next);
}

void xmpi_shared_free(xmpi_shared_t *shared)
{
    xmpi_schedule_free(&shared->schedule);
    xmpi_resources_free(&shared->resources);
    xmpi_layout_free(&shared->layout);
    xmpi_leader_free(&shared->leader);
    free(shared->process);
    memset(shared, 0, sizeof *shared);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What every member knows in the same version: settings, schedule, PEs, processes, the layout. Any
 * member can lead, and a joiner needs nothing else to be like the others: whatever decides on a
 * collective operation of ours is here, and nowhere else. */
#ifndef XMPI_ACT_MEMBERS_SHARED_H
#define XMPI_ACT_MEMBERS_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "act/doors/door.h"
#include "base/data/pack.h"
#include "decide/layout/layout.h"
#include "decide/leader/leader.h"
#include "decide/policy/policy.h"
#include "decide/layout/resources.h"
#include "settings/settings.h"

/* A process of the program; its index in the table is its name in layouts and PEs. */
typedef struct {
    bool used;
    int initial_rank; /* in the world that mpiexec started; -1: spawned later */
    int group;        /* > 0: spawned together with others, and can only end together with them */
    int pe;
    bool marked; /* scratch of what compares layouts; false in between */
    xmpi_door_t door;
} xmpi_process_t;

enum { XMPI_LOOP_NAME_MAX = 256 };

typedef struct {
    xmpi_settings_t settings;
    xmpi_schedule_t schedule;
    xmpi_resources_t resources;
    int processes;
    xmpi_process_t *process; /* malloc */
    int unused_from;         /* no entry of the table below this one is unused */
    xmpi_layout_t layout;
    xmpi_leader_t leader; /* as the leader had it when the layout last changed */
    bool records;         /* a profile of this loop */
    bool parts;           /* this MPI lets each process of a world end alone */
    int spawners;         /* that follow the next leader, where the leader changes */
    int groups;           /* how many have been spawned: the number of the last */
    bool leavers_end;     /* who leaves goes on to the end of the program: it cannot be woken */
    bool movable;         /* the members are in a movable loop: who joins gets a program as it is */
    bool resizable; /* they are in one that is resizable by starting over: who joins starts with
                       them */
    bool rowless;   /* it has no rows: those of the layout stand for processes */
    char loop[XMPI_LOOP_NAME_MAX]; /* the end of the name of where the members are */
    double since;                  /* as by xmpi_trace_since, where the leader is */
    double started; /* seconds of the real-time clock, origin of times in the trace */
} xmpi_shared_t;

void xmpi_shared_put(xmpi_pack_t *pack, const xmpi_shared_t *shared);

/* Replaces what SHARED held. The pack has a status when what came is none: numbers that lead
 * nowhere, texts without an end. Without memory for it the job ends: nobody can go on who does not
 * know it. So do the others below that get something. */
void xmpi_shared_get(xmpi_pack_t *pack, xmpi_shared_t *shared);

/* What the leader knows, on its own: for those who may lead next. */
void xmpi_leader_put(xmpi_pack_t *pack, const xmpi_leader_t *leader);
void xmpi_leader_get(xmpi_pack_t *pack, xmpi_leader_t *leader);

/* Layouts on their own, for the next one. */
void xmpi_layout_put(xmpi_pack_t *pack, const xmpi_layout_t *layout);
void xmpi_layout_get(xmpi_pack_t *pack, xmpi_layout_t *layout);

/* The PE of the member RANK. (Of all at once: xmpi_members_pes.) */
const xmpi_pe_t *xmpi_shared_pe(const xmpi_shared_t *shared, int rank);

/* An unused entry of the process table for a process on PE; -1 when there is no memory. */
int xmpi_shared_new_process(xmpi_shared_t *shared, int pe);

/* Those that join NEXT are to be spawned as one group, or those of each node as one, where that is
 * the strategy. */
void xmpi_shared_group_joiners(xmpi_shared_t *shared, const xmpi_layout_t *next);

/* Whether a process ends when it leaves; others park. */
bool xmpi_shared_ends_alone(const xmpi_shared_t *shared, int process);

/* Whether all of the GROUP of a process have left: then it may end. */
bool xmpi_shared_group_has_left(const xmpi_shared_t *shared, int group);

/* Frees the entries of groups that have left as a whole. */
void xmpi_shared_forget_groups(xmpi_shared_t *shared);

/* Entries that were made for joiners of NEXT, which do not come after all, are free again. */
void xmpi_shared_forget(xmpi_shared_t *shared, const xmpi_layout_t *next);

/* Makes NEXT (taken over) the layout: PEs and processes of those that join and leave follow. */
void xmpi_shared_commit(xmpi_shared_t *shared, xmpi_layout_t *next);

/* Rank of PROCESS in LAYOUT, or -1. */
int xmpi_layout_rank(const xmpi_layout_t *layout, int process);

void xmpi_shared_free(xmpi_shared_t *shared);

#endif

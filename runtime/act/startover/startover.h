/* SPDX-License-Identifier: BSD-3-Clause
 * Starting over: at a change of a resizable loop the program of each member, and of each joiner, is
 * started in the world to come, where it makes by itself all that follows from the number of
 * members. At the point of the loop it gets its state (act/startover/state.h). Until all are there
 * what the program was is aside, and can come back. */
#ifndef XMPI_ACT_STARTOVER_STARTOVER_H
#define XMPI_ACT_STARTOVER_STARTOVER_H

#include "act/startover/inputs.h"
#include "act/startover/rows.h"
#include "act/startover/values.h"
#include "act/world/world.h"

/* Of one process. */
typedef struct {
    const xmpi_image_t *image;
    const xmpi_restart_t *program; /* NULL: it cannot start over */
    bool wanted;                   /* it has a loop for which it may have to */
    xmpi_first_t first;
    xmpi_state_told_t now; /* that the program that runs has told */

    /* While the program is being started. */
    bool under_way;
    bool had, has; /* this process was a member; it will be one */
    bool entered;  /* the world to come is there */
    bool noted;    /* the change is to be checked: "begin" is what the iteration began with */
    bool tried;    /* the program has that, and makes this iteration in the world to come */
    bool differs;  /* it has come to something else */
    double trial_seconds;     /* that this took */
    xmpi_file_place_t *stood; /* where the program's files stood then, and how many; malloc */
    int beginnings;
    xmpi_state_told_t begin;
    xmpi_state_told_t before;
    xmpi_aside_t aside;
    xmpi_world_t world;      /* that was before */
    xmpi_file_place_t *file; /* that the program had open here; malloc */
    int files;
    xmpi_inputs_t inputs;         /* of the programs of all members before */
    double began;                 /* seconds of MPI_Wtime */
    char why[XMPI_STATE_WHY_MAX]; /* it could not be */
} xmpi_startover_t;

/* What the program is like now, before its first line, is what it starts over from. */
xmpi_status_t xmpi_startover_note(xmpi_startover_t *start, const xmpi_image_t *image,
                                  const xmpi_restart_t *program);

/* What the program that stands still has is not needed any more. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_startover_clear(xmpi_startover_t *start);

/* The program of a member, which stands still, is put aside; of one that leaves, put together only.
 * To be followed by drop or back, also where there is no memory (XMPI_ERR_MEMORY). */
xmpi_status_t xmpi_startover_put_aside(xmpi_startover_t *start);

/* In its place is the program as it is before its first line. It is to be called then
 * (start->program->again). */
void xmpi_startover_begin(xmpi_startover_t *start);

/* Tells all others of TRANSIT that the start has failed here. */
void xmpi_startover_fail(MPI_Comm transit, int me);

/* Whether somebody has told so. Local; TRANSIT is not used by anybody else meanwhile. */
bool xmpi_startover_has_failed(MPI_Comm transit);

/* Whether the start has succeeded on all; WHY (empty: it has here), then of one where it has not,
 * on all. Asleep until all are there. Collective over TRANSIT. */
bool xmpi_startover_agree(MPI_Comm transit, int me, char *why, size_t size);

/* The program goes on with the files as they stood. Collective over TRANSIT. */
void xmpi_startover_settle_files(xmpi_startover_t *start, const xmpi_change_t *change,
                                 MPI_Comm transit, int me);

/* What was aside is not needed any more; or it comes back, in place of what was started. */
void xmpi_startover_drop(xmpi_startover_t *start);
void xmpi_startover_back(xmpi_startover_t *start);

#endif

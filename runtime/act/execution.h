/* SPDX-License-Identifier: BSD-3-Clause
 * A change that is carried out: what it is made on, and how far it is. */
#ifndef XMPI_ACT_EXECUTION_H
#define XMPI_ACT_EXECUTION_H

#include <mpi.h>
#include <stddef.h>

#include "act/members/change.h"
#include "act/check/copy.h"
#include "act/image/move.h"
#include "act/processes/connect.h"
#include "act/processes/join.h"
#include "act/moving/redistribute.h"
#include "act/data/registry.h"
#include "act/members/shared.h"
#include "act/startover/startover.h"
#include "act/world/world.h"

/* What the executor changes. PROGRESS is plain data that joiners take over from the leader. */
typedef struct {
    xmpi_shared_t *shared;
    xmpi_world_t *world;
    xmpi_registry_t *registry;
    void *progress;
    size_t progress_size;
    int process;  /* the caller, in the process table */
    bool outside; /* of an adaptive loop: live values mean nothing there, and the program does not
                     make its persistent requests anew, which stay while the world does */
    /* Of a movable loop, and of one that is resizable where blocks stay: the programs go where the
     * layout says, and nothing else. NULL: data move. */
    const xmpi_image_t *image;
    xmpi_mark_peers_t *marks; /* whom the program sends to, where images move */
    /* Called with CONTEXT, by members, when programs are about to change processes by NEXT and
     * nobody can be done without any more; NULL: nothing is. */
    void (*commits)(void *context, const xmpi_layout_t *next);
    /* Called in the same way, by all that take part in any change, when the world of before is all
     * that is left to be left: who is not in NEXT may end from then on. NULL: nothing is. */
    void (*leaves)(void *context, const xmpi_layout_t *next);
    void *context;
    /* Of a loop that is resizable by starting over: the program does, in the next world, unless
     * blocks stay. NULL: it does not. */
    xmpi_startover_t *start;
    /* A copy of the data that takes part in the change where the leader has one; joiners get
     * theirs, and its live values. Then everybody gets TOGETHER, a communicator of all that took
     * part, to be disconnected by them. Where there is one already the change is one back: its
     * joiners are among them, and nobody has to be met. */
    xmpi_copy_t *copy;
    MPI_Comm *together;
    const xmpi_consent_t *consent; /* of a move without a background; NULL: a reduction */
    double tolerance;              /* of such a check (xmpi_trial_compare) */
    int64_t limit; /* seconds in which MPI has to have the communicators after the change; 0: it has
                      all the time */
} xmpi_parts_t;

typedef enum {
    XMPI_DONE,       /* the caller is a member of the new layout */
    XMPI_LEFT,       /* the caller is not a member any more; its data are freed */
    XMPI_CALLED_OFF, /* nothing has changed: somebody had no memory, or something was not equal */
    XMPI_STARTS,     /* the program is to be started, or, by who leaves, to be waited for */
    XMPI_TRIES,      /* it has, and makes an iteration for the sake of a check; the same then */
    XMPI_UNDER_WAY,  /* the old layout runs on while constant arrays move */
} xmpi_outcome_t;

/* What it cost; bytes and messages of all together, at the new leader, in an adaptive loop. */
typedef struct {
    double join;       /* seconds to get one communicator of all */
    double move;       /* seconds to move the data and switch, while the program stood still */
    double parting;    /* of them, seconds from when all had agreed until this process went on */
    double background; /* seconds that data moved while the program went on */
    double start;      /* seconds in which the program started over */
    int64_t bytes, messages;
} xmpi_cost_t;

/* A change that is carried out. */
typedef struct {
    bool under_way;
    bool abandoned; /* who takes part cannot part, as one of them is lost */
    int held;       /* how often in a row a program could not move that was to */
    const xmpi_shared_t *shared;
    bool copied;            /* a copy of the data takes part */
    uint64_t digest;        /* of what all old members must have alike; 0: it is not compared */
    bool unequal;           /* it was called off, as they have not */
    xmpi_status_t failed;   /* it was called off for what this process lacks ... */
    xmpi_error_t error;     /* ... which this says */
    xmpi_image_move_t move; /* of images */
    xmpi_connect_t connect; /* of who takes them over */
    xmpi_change_t change;
    xmpi_layout_t next;
    MPI_Comm transit;
    int me; /* transit rank */
    xmpi_redistribution_t constants, others;
    xmpi_cost_t cost;
    double started; /* the background; seconds of MPI_Wtime */
} xmpi_execution_t;

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The one context of the runtime: what belongs to the program as a whole. Calls of the program come
 * without an argument for it, so program/ reaches it; all below is given the parts it needs, or
 * owns what calls of MPI reach (the world, the monitor, the clock, how to wait). */
#ifndef XMPI_PROGRAM_CONTEXT_H
#define XMPI_PROGRAM_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "act/processes/call.h"
#include "act/processes/called.h"
#include "act/check/copy.h"
#include "act/check/kept.h"
#include "act/checkpoint/saving.h"
#include "act/check/statics.h"
#include "act/check/outside.h"
#include "act/doors/doorbell.h"
#include "act/doors/question.h"
#include "act/machine/load.h"
#include "act/execute.h"
#include "act/processes/farewell.h"
#include "act/processes/join.h"
#include "base/data/pack.h"
#include "act/data/registry.h"
#include "act/outofcore/outofcore.h"
#include "act/members/shared.h"
#include "act/data/weights.h"
#include "act/spawning/spawner.h"
#include "control/endpoint.h"
#include "decide/model/baseline.h"
#include "observe/agents/agents.h"
#include "program/life/deaths.h"
#include "program/life/orphan.h"
#include "program/life/part.h"
#include "trace/trace.h"
#include "sources/source.h"

/* Which iteration of a check comes to its end next (program/check/check.h). */
typedef enum {
    XMPI_CHECKING_IDLE,
    XMPI_CHECKING_FIRST, /* the real one, in the old layout */
    XMPI_CHECKING_AGAIN, /* the same once more */
    XMPI_CHECKING_NEXT,  /* the one after it, real again, in the old layout */
    XMPI_CHECKING_OTHER, /* in the new layout */
} xmpi_check_phase_t;

typedef struct {
    xmpi_check_phase_t phase;
    int checks;                      /* changes of this loop that were to be checked */
    int results[XMPI_CHECK_RESULTS]; /* how many of them came to what */
    bool joined;                     /* one of them brought processes */
    bool odd;           /* one of them gave rows an odd index in their block for an even one */
    uint64_t sizes;     /* the numbers of members that they were from and to, by their class */
    bool tries;         /* whether the iteration repeats is looked at */
    int64_t iteration;  /* that is run twice */
    int from;           /* members */
    int unchecked;      /* that could not be */
    int64_t iterations; /* that were made besides the real one */
    double began;       /* the last of them; seconds of the real-time clock */
    double seconds;     /* that they took */
} xmpi_checking_t;

/* Checkpoints of a loop. */
typedef struct {
    bool on;           /* they are written */
    bool waits;        /* for the loop, or the point, at which the program goes on from one */
    bool open;         /* the last one may not be whole yet */
    int64_t set;       /* its number; 0: there was none */
    int64_t iteration; /* at which it was taken */
    int members;       /* then */
    double taken;      /* seconds of the real-time clock */
} xmpi_saves_t;

/* On the way to a loop inside another one (program/checkpoint/resume.h). */
typedef struct {
    int64_t set;                         /* the checkpoint; 0: none */
    bool on;                             /* it has begun */
    char loop[XMPI_CHECKPOINT_LOOP_MAX]; /* that it is of */
    xmpi_pack_t lives;                   /* its live values */
} xmpi_resume_t;

/* What people have asked for, and have been told. Plain data. */
typedef struct {
    xmpi_waiting_t waiting; /* requests, for who leads next */
    int wanted;             /* more members that the user asks for (xmpi_view_t) ... */
    int wanted_class;
    int told;   /* members that it was told to have; 0: as many as it likes */
    int coming; /* members for whom nodes have been asked for ... */
    int coming_class;
    double coming_until;            /* ... and who are not waited for longer; real-time clock */
    xmpi_wished_move_t wished;      /* ... or a move ... */
    int64_t request;                /* ... by this request; 0: nothing is decided on for one */
    char decision[XMPI_REASON_MAX]; /* the last one */
    bool spent_known;               /* what the job had before it was started again is counted */
    xmpi_log_t log;
} xmpi_steering_t;

/* How far the loop is. Plain data: joiners take it over. */
enum { XMPI_STRUCTURES_MAX = 16 };

typedef struct {
    int64_t loop;           /* which of the loops that the program has begun; the first is 1 */
    int64_t pass;           /* the how manieth time that it was entered, inside another loop */
    int64_t iteration;      /* completed */
    int64_t from;           /* of them, before this start of the program: by the checkpoint */
    int64_t bound;          /* iterations that the loop makes in all; 0: not known */
    int64_t every;          /* of a sampling interval, by its pragma; 0: it does not say */
    int64_t interval_start; /* iteration */
    int64_t measured_from;  /* iteration: the first one after a change also has the setup in it */
    bool settling;          /* it is that first iteration */
    int64_t talked_from;    /* iteration: what is sent is counted from there on */
    int64_t interval;       /* iterations of the present one */
    int64_t intervals;
    int64_t reconfigurations;
    double reconfiguration_seconds;
    char clause[XMPI_TEXT_MAX]; /* policy(...) of its pragma */
    double start_seconds;       /* that the program took to start, the last time that it did */
    xmpi_baseline_t baseline;   /* what iterations took before the first change */
    double loop_started;        /* seconds of the real-time clock */
    double cost;                /* of the PEs used since, in units of the machine file */
    double cost_until;          /* what cost is up to; seconds of the real-time clock */
    double saving_seconds;      /* that the program stood still for checkpoints */
    xmpi_node_seconds_t nodes;  /* up to the same; at the leader */
    xmpi_checking_t check;
    xmpi_saves_t saves;
    xmpi_reconfiguration_t under_way; /* for the trace of whoever leads when it is done */
    xmpi_source_mark_t source_mark;   /* of the PEs, as a leader saw it last */
    xmpi_steering_t steering;
} xmpi_progress_t;

/* A change that is to come when its processes are there. */
typedef struct {
    xmpi_layout_t next; /* no members: none */
    int withdrawn;      /* of its members, how many were to leave their nodes when it began */
    int64_t request;    /* that it comes of, as in xmpi_steering_t */
    xmpi_reconfiguration_t reconfiguration;
    double started, tended; /* as by xmpi_clock_wall */
} xmpi_ahead_t;

/* What a parked process saw of its node. */
typedef struct {
    xmpi_cpu_use_t use;
    double at, cpu; /* as by xmpi_clock_wall, and its own CPU seconds */
} xmpi_glance_t;

/* A parked process that is asked what its node is used for. */
typedef struct {
    int pe, process;
    xmpi_question_t question;
    bool begun, over;
    int in_vain;      /* times that it was looked for what comes, since something came */
    double begun_at;  /* as by xmpi_clock_wall */
    xmpi_load_t load; /* its answer; 0 s: none */
} xmpi_asked_t;

/* Those of an inquiry, one on each node. */
typedef struct {
    int n;               /* 0: none is under way */
    xmpi_asked_t *asked; /* malloc */
    double began, took;  /* as by xmpi_clock_wall, and seconds of the leader's */
    double until;        /* the last look was over */
} xmpi_inquiry_t;

/* How quick the CPU of this process is (act/machine/rate.h), and when that was measured. */
typedef struct {
    double value, at; /* as by xmpi_clock_wall; 0: never */
} xmpi_rate_t;

/* An adaptive loop by hand (program/api/evaluate.c). */
typedef struct {
    bool used;            /* this loop is one */
    bool marks;           /* the program says where iterations begin */
    int64_t count, displ; /* the block */
    double *weight;       /* of every row, or NULL */
} xmpi_hand_t;

/* Whether an iteration can be run a second time from the registered state (xmpi_gen_repeats). */
typedef struct {
    bool said; /* of the next loop or the present one */
    int how;   /* XMPI_GEN_NEVER_REPEATS, ... */
    const char *why;
} xmpi_repeats_t;

enum { XMPI_CHECK_WHY_MAX = 512 };

/* What a member keeps while a change is checked. */
typedef struct {
    xmpi_copy_t start, result; /* the data before the real iteration, or after it: one of both */
    xmpi_kept_t kept;          /* rows of others, as the result had them in the layout before */
    xmpi_layout_t next, before;
    MPI_Comm together; /* all that took part in the change; MPI_COMM_NULL: there was none */
    bool joined;       /* this process came by it */
    xmpi_outside_t outside;
    xmpi_memory_t memory;         /* after the first iteration */
    const void *noted_at;         /* the place of the point that was called then */
    char why[XMPI_CHECK_WHY_MAX]; /* it cannot be checked; empty: it can */
} xmpi_check_t;

typedef struct {
    bool annotated;                             /* the program has an adaptive loop */
    const char *too_new;                        /* why the program is none for this library; NULL */
    const xmpi_image_t *image;                  /* of the program; NULL: it cannot move */
    const char *structure[XMPI_STRUCTURES_MAX]; /* of its loops, as JSON (xmpi_gen_structure) */
    int structures;
    xmpi_part_t part;
    bool
        ended; /* the runtime has finalized MPI: this process has no part in the program any more */
    int process; /* this one, in the process table */
    const xmpi_policy_t *policy;
    xmpi_shared_t shared;
    xmpi_doorbell_t doorbell;
    xmpi_guard_t guard;
    xmpi_deaths_t deaths;
    xmpi_registry_t registry;
    xmpi_outofcore_t outofcore; /* what is on disk of the registry's arrays */
    bool said_in_memory;        /* that they cannot be */
    bool counted;               /* the registry knows how often the loop goes through its arrays */
    bool counting;              /* the monitor's counter is open */
    bool watching;              /* a program without an adaptive loop, for a trace */
    xmpi_trace_t trace;
    xmpi_endpoint_t *endpoint;  /* of the leader; NULL: nobody steers */
    double told;                /* when it was told last; seconds of the real-time clock */
    int64_t told_lines;         /* of the log, then */
    double efficiency;          /* of the last interval ... */
    double iteration_seconds;   /* ... on average, in it */
    char kept[XMPI_REASON_MAX]; /* why the last decision was no change; empty: it was one */
    bool asked_matrix;          /* somebody wants to know who sends how much to whom */
    bool asked_worth;           /* ... or what numbers of members are worth */

    const char *unseen;             /* the statement that asked without being seen to; NULL: none */
    const char *doubted;            /* record of what this loop relies on and nobody has shown */
    bool said_threads;              /* that threads keep the members as they are */
    char stays[XMPI_IMAGE_WHY_MAX]; /* why the program could not move when that was asked last */
    xmpi_image_size_t image_size;   /* of the program, as it was looked at last */
    bool pinned;                    /* this loop keeps its members and blocks ... */
    char keeps[XMPI_JOB_TEXT];      /* ... and why, for people: what a check has found,
                                       before it is pinned */
    bool rooted;                    /* rank 0 has something that nobody else has */
    bool restarted;                 /* the program has gone on from a checkpoint */
    bool saves_now;                 /* the interval that has ended ends in a checkpoint */
    bool said_unsaved;              /* that this process could not write the last one */
    bool said_unopened;             /* ... or, at the leader, that none can be begun */
    xmpi_saving_t saving;
    char unsaved[XMPI_IMAGE_WHY_MAX]; /* why the program could not be written when that was asked */
    xmpi_part_file_t image_part;      /* that this process is to go on from; 0 parts: it is not */
    int images_broken;                /* checkpoints with images that were not taken */
    int64_t images_said;              /* the oldest that was said not to be; 0: none */
    double images_since;              /* when they were looked for, as by xmpi_clock_wall */
    double stall;                     /* seconds that the last one took of the loop */
    double stood;                     /* ... of this process */
    bool laid_out;                    /* the layout is that of this loop */
    bool gone;                        /* it has left a loop, and not joined a later one yet */
    xmpi_check_t check;
    const void *point_frame, *point_site; /* of the program, while it is at a point; else NULL */

    const char *loop;          /* where it stands; NULL outside */
    const char *last_loop;     /* that was begun last; NULL before the first */
    double loop_ended;         /* seconds of the real-time clock; 0: the trace has its end */
    bool in_loop;              /* its first iteration has begun */
    int64_t interval;          /* iterations of a sampling interval that are asked for; 0: auto */
    xmpi_repeats_t repeats;    /* its iterations */
    int64_t least_rows;        /* that a block of it has, but for halos */
    const char *policy_clause; /* of the next loop's pragma; NULL: it has none */
    int64_t bound;             /* what the program has said of that of the next loop ... */
    int64_t every;             /* ... which starts over */
    double interval_cost;      /* seconds that the end of one takes, on average; at the leader */
    double loop_work;          /* units of registered work of an iteration here */
    xmpi_given_weights_t weights;
    xmpi_lb_t weighing; /* what weighs rows in this loop */
    xmpi_hand_t hand;
    xmpi_progress_t progress;
    xmpi_resume_t resume;
    xmpi_profile_t profile;           /* at the leader, when it has been read */
    xmpi_profile_origin_t profile_of; /* at the leader: what a profile of this loop is of */
    bool said_other_profile;
    bool opens;           /* the loop may have its first layout before its first iteration */
    bool record_failed;   /* at the leader */
    int recorded_classes; /* at the leader: whose speeds the profile has so far */
    xmpi_class_speed_t recorded_class[XMPI_CLASSES_MAX];
    xmpi_profile_parts_t recorded_weight; /* at the leader: what rows weigh by the profile so far */
    xmpi_profile_parts_t recorded;        /* at the leader: where the work of the interval was */
    double *weighed; /* where that is recorded: what own rows weighed at its begin; malloc ... */
    xmpi_block_t weighed_block; /* ... of so many */
    double ask_from; /* at the leader: parked processes are asked again, as by xmpi_clock_wall */
    xmpi_inquiry_t inquiry; /* at the leader */
    xmpi_agents_t agents;   /* at the leader: of nodes without a process of the program */
    xmpi_idle_t *seen;      /* at the leader: of each PE, what was answered last; malloc */
    xmpi_glance_t glance;   /* of a parked process, when it answered last; of a member that tells of
                               its node */
    double look_from;       /* at such a member: it looks again, as by xmpi_clock_wall */
    xmpi_rate_t rate;       /* of one that was parked, or leads */

    xmpi_spawners_t spawners;   /* of the leader, like the next four */
    bool led;                   /* before the change under way, or the last one */
    xmpi_farewells_t farewells; /* of those that may end */
    xmpi_calling_t calling;     /* processes that are being got */
    xmpi_ahead_t ahead;         /* what they are for, where the program goes on meanwhile */

    int line;                   /* of a joiner: to the leader that has called it */
    xmpi_greeting_t greeting;   /* of a spawned one: opens the line */
    bool broken;                /* of a joiner: others of its group have died, it cannot finalize */
    xmpi_startover_t start;     /* of the program */
    double initialized;         /* when its first start came out of MPI_Init, as the next */
    double started_at;          /* its start, as by xmpi_clock_wall */
    bool leaves_loop;           /* it has come to another loop than the one that goes on */
    xmpi_execution_t execution; /* of the change that is carried out, or was last */

    xmpi_layout_t next;   /* of a joiner: the layout that it will belong to */
    xmpi_port_t *ports;   /* of a joiner: where it meets the others; malloc */
    xmpi_pack_t snapshot; /* of a joiner: live variables as they were when it was called */
} xmpi_context_t;

extern xmpi_context_t xmpi_context;

#endif

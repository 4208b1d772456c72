/* SPDX-License-Identifier: BSD-3-Clause
 * Predictor: all that the prediction model knows at a decision, and what it predicts. */
#ifndef XMPI_DECIDE_PREDICT_PREDICTOR_H
#define XMPI_DECIDE_PREDICT_PREDICTOR_H

#include <stdint.h>

#include "decide/mheta/mheta.h"
#include "decide/model/calibration.h"
#include "decide/model/model.h"
#include "decide/communication/mpi_cost.h"
#include "decide/layout/nodes.h"
#include "decide/plan/plan.h"
#include "decide/model/profile.h"
#include "decide/model/sample.h"
#include "decide/model/speeds.h"
#include "decide/plan/transfer_size.h"

/* Seconds by phase. Computation, communication and I/O are those of the interval (Eq. 5.1); process
 * and redistribution those of the change before it (Eq. 5.2). */
typedef struct {
    double computation;    /* of the slowest member */
    double communication;  /* beside that: of the member that waits least; what pipelines make all
                              wait is in it */
    double io;             /* of the member with most */
    double process;        /* creating, waking, removing, parking (Eqs 5.6, 5.7) */
    double redistribution; /* Eqs 5.8 to 5.10, for the messages that really are sent */
    double start;          /* in which the program starts over, where it does */
    double behind;         /* what moves while the program goes on, at its expense at worst */
    double total;
    bool creates, joins; /* the change creates processes; it gets some, created or woken */
    bool same;           /* it is none of processes */
    int worlds;          /* of processes that are created in one call */
} xmpi_prediction_t;

/* All that is known. Pointers may be NULL where so marked; then that part is not predicted. */
typedef struct {
    const xmpi_layout_t *layout;
    const xmpi_resources_t *resources;
    const xmpi_sample_t *samples; /* of the last interval, in rank order */
    const xmpi_history_t
        *history; /* of speeds; NULL: the samples are all; needed to make it only */
    const xmpi_calibration_t *calibration; /* must pass xmpi_calibration_check */
    const xmpi_model_t *model;             /* what this run has taught so far */
    int arrays;
    const xmpi_moved_array_t *array;
    const double *prefix;          /* weights of rows, domain + 1 sums; NULL: all are alike */
    bool prefix_of_entries;        /* those weights are the entries of the only sparse matrix */
    const xmpi_profile_t *profile; /* of an irregular program; NULL: a regular one */
    int64_t iteration;             /* completed */
    int64_t interval;           /* from one decision to the next; 0: as many as the samples have */
    xmpi_curve_kind_t creation; /* how processes are created */
    double start;               /* seconds that the program takes to start over; 0: it does not */
    bool has_moves;             /* the communicator that data move in is there */
    double background; /* bytes of constant arrays from which on the program goes on while they
                          move; 0: it never does */
} xmpi_situation_t;

/* What is known of the I/O of members (decide/predict/disks.h). */
typedef struct {
    bool known;   /* I/O differs between members, by their disks or their memory */
    bool follows; /* the I/O that the program does follows the rows: it is that of each member */
    double *row;  /* then, of each member: seconds per iteration and row; malloc */
    xmpi_mheta_program_t program; /* arrays that leave the memory of a node */
    double whole;                 /* bytes that every member stores beside its rows */
    double work;                  /* of all members together in the next iteration */
} xmpi_disks_t;

/* Pipelines among the members (decide/predict/pipelines.h), from lower to higher ranks, and back.
 */
typedef struct {
    bool known;
    double tiles[2]; /* in an iteration; 0: there is none */
    double share[2]; /* of all computation */
    double seen; /* how much of the skew that the model says the members have waited for, <= 1 */
} xmpi_pipelines_t;

/* Calls of one kind and size, as the member that waits least makes them. */
typedef struct {
    xmpi_kind_t kind;
    bool posted;
    int members;      /* of the communicator: 0: of the layout, or there is none */
    double calls;     /* per iteration */
    double bytes;     /* of a call, where they do not depend on the rows of the member */
    double row_bytes; /* where they do: of a row */
} xmpi_calls_t;

enum { XMPI_GROUPS = 20 };

/* The members of a layout or plan, as far as communication depends on them. */
typedef struct {
    int members;
    int64_t group[XMPI_GROUPS]; /* rows of the largest of the groups of 1, 2, 4, ... members */
    xmpi_link_class_t link;
} xmpi_company_t;

typedef struct {
    xmpi_situation_t at;
    double work; /* per iteration, all members together, in the last interval */
    xmpi_speeds_t speeds;
    xmpi_nodes_t nodes;
    double *member_speed; /* of each member, work per second; malloc, like the other pointers */
    char *stays;          /* scratch, of each member */
    int exchanges;
    xmpi_calls_t exchange[XMPI_OBSERVED_MAX];
    double correction[XMPI_KINDS][2]; /* lambda (Eq. 5.4) of each kind; [1]: non-blocking */
    double other;                     /* seconds per iteration in MPI that no exchange explains */
    double row_io; /* seconds per iteration and row, of I/O that memory does not explain */
    xmpi_disks_t disks;
    xmpi_pipelines_t pipelines;
    bool by_parts; /* a profile says where the work of the next interval is: shares of it before */
    double before[XMPI_PROFILE_PARTS + 1]; /* each part of the domain */
    xmpi_company_t now;
    bool elsewhere; /* members that come may be on other nodes than those that are there */
    bool images;    /* in the plan that is looked at whole programs go elsewhere */
    int divided;    /* arrays whose rows are divided among the members */
    xmpi_moved_array_t *array; /* those; of which the same rows move stand together */
    int replicated;            /* the others */
    double *whole;             /* bytes of each of those */
    double *whole_constant;    /* of those that are constant, else 0 */
} xmpi_predictor_t;

#endif

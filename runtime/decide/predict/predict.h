/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model: how long the next interval will take when a plan is carried out before it
 * (thesis §5.3, the computational prediction model).
 *
 * A predictor is made once for a decision, from all that is known then; after that a prediction
 * costs little, so that a policy can ask for every plan that it thinks of. Pure. */
#ifndef XMPI_DECIDE_PREDICT_PREDICT_H
#define XMPI_DECIDE_PREDICT_PREDICT_H

#include <stdint.h>

#include "decide/model/calibration.h"
#include "decide/model/model.h"
#include "decide/model/mpi_cost.h"
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
    double communication;  /* beside that: of the member that waits least */
    double io;             /* of the member with most */
    double process;        /* creating, waking, removing, parking (Eqs 5.6, 5.7) */
    double redistribution; /* Eqs 5.8 to 5.10, for the messages that really are sent */
    double behind;         /* what moves while the program goes on, at its expense at worst */
    double total;
    bool creates, joins; /* the change creates processes; it gets some, created or woken */
    bool same;           /* it is none of processes */
} xmpi_prediction_t;

/* All that is known. Pointers may be NULL where so marked; then that part is not predicted. */
typedef struct {
    const xmpi_layout_t *layout;
    const xmpi_resources_t *resources;
    const xmpi_sample_t *samples; /* of the last interval, in rank order */
    const xmpi_history_t *history; /* of speeds; NULL: the samples are all; needed to make it only */
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
    bool has_moves;             /* the communicator that data move in is there */
    double background; /* bytes of constant arrays from which on the program goes on while they
                          move; 0: it never does */
} xmpi_situation_t;

/* Calls of one kind and size, as the member that waits least makes them. */
typedef struct {
    xmpi_kind_t kind;
    bool posted;
    int members;      /* of the communicator: 0: of the layout, or there is none */
    double calls;     /* per iteration */
    double bytes;     /* of a call, where they do not depend on the rows of the member */
    double row_bytes; /* where they do: of a row */
} xmpi_traffic_t;

enum { XMPI_GROUPS = 20 };

/* The members of a layout or plan, as far as communication depends on them. */
typedef struct {
    int members;
    int64_t group[XMPI_GROUPS]; /* rows of the largest of the groups of 1, 2, 4, ... members */
    xmpi_link_class_t link;
} xmpi_company_t;

typedef struct {
    xmpi_situation_t at;
    double work;          /* per iteration, all members together, in the last interval */
    xmpi_speeds_t speeds;
    xmpi_nodes_t nodes;
    double *member_speed; /* of each member, work per second; malloc, like the other pointers */
    char *stays;          /* scratch, of each member */
    int exchanges;
    xmpi_traffic_t exchange[XMPI_OBSERVED_MAX];
    double correction[XMPI_KINDS][2]; /* lambda (Eq. 5.4) of each kind; [1]: non-blocking */
    double other;                     /* seconds per iteration in MPI that no exchange explains */
    double row_io;                    /* seconds per iteration and row */
    bool by_parts; /* a profile says where the work of the next interval is: shares of it before */
    double before[XMPI_PROFILE_PARTS + 1]; /* each part of the domain */
    xmpi_company_t now;
    bool elsewhere; /* members that come may be on other nodes than those that are there */
    int divided;    /* arrays whose rows are divided among the members */
    xmpi_moved_array_t *array; /* those; of which the same rows move stand together */
    int replicated;            /* the others */
    double *whole;             /* bytes of each of those */
    double *whole_constant;    /* of those that are constant, else 0 */
} xmpi_predictor_t;

/* XMPI_ERR_MEMORY, or XMPI_ERR_INPUT for a calibration that cannot be used. On an error there is
 * nothing to free. */
xmpi_status_t xmpi_predictor_make(xmpi_predictor_t *predictor, const xmpi_situation_t *situation,
                                  xmpi_error_t *error);
void xmpi_predictor_free(xmpi_predictor_t *predictor);

/* Predicts ITERATIONS iterations after PLAN; a plan without places: everything stays as it is.
 * XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_predict(xmpi_predictor_t *predictor, const xmpi_plan_t *plan, int64_t iterations,
                           xmpi_prediction_t *prediction);

/* What SAMPLES say that the phases of the interval took; process and redistribution are 0. */
void xmpi_measured(const xmpi_sample_t *samples, int members, xmpi_prediction_t *measured);

/* Keeps in MODEL what the predictor has learnt from the samples: the corrections of communication
 * and the work of the interval. Once for each interval. */
void xmpi_predictor_teach(const xmpi_predictor_t *predictor, xmpi_model_t *model);

/* The same from a change that has been carried out: what was predicted of it and what it took. */
void xmpi_model_learn_change(xmpi_model_t *model, const xmpi_calibration_t *calibration,
                             const xmpi_prediction_t *predicted, double process,
                             double redistribution);

/* --- the parts, for policies that search before they have a plan -------------------------------
 */

/* Work per second of a PE (decide/model/speeds.h). > 0. */
double xmpi_predict_speed(const xmpi_predictor_t *predictor, int pe);

/* Work of all members together in the next ITERATIONS iterations. */
double xmpi_predict_work(const xmpi_predictor_t *predictor, int64_t iterations);

/* How many times as long as all work by all speed the present members take for the next ITERATIONS
 * iterations, as work wanders that is divided by where it was; >= 1, and 1 without a profile. */
double xmpi_predict_imbalance(const xmpi_predictor_t *predictor, int64_t iterations);

/* Seconds of communication in an iteration with MEMBERS members of equal blocks. */
double xmpi_predict_communication(const xmpi_predictor_t *predictor, int members);

/* Seconds for what MEMBERS processes do together in a change besides moving data. */
double xmpi_predict_agreement(const xmpi_predictor_t *predictor, xmpi_agreement_kind_t kind,
                              int members);

/* Seconds until CREATED processes are created, WOKEN woken, ENDED removed and PARKED parked. */
double xmpi_predict_process(const xmpi_predictor_t *predictor, int created, int woken, int ended,
                            int parked);

#endif

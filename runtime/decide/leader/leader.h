/* SPDX-License-Identifier: BSD-3-Clause
 * The leader: all that is decided between a gather of samples and a plan, as one pure function of
 * one state. The runtime gathers, carries out and prints; a simulator and a test call the same.
 *
 * The order of calls:
 *
 *     begin                    a loop begins
 *     open                     before its first iteration, where that may be of use
 *     step                     at the end of each sampling interval
 *     step_again               where step said that it needs the weights of the rows, or the
 * traffic changed or called_off    when the change that a step decided on is done, or does not
 * happen
 */
#ifndef XMPI_DECIDE_LEADER_LEADER_H
#define XMPI_DECIDE_LEADER_LEADER_H

#include "decide/density/told.h"
#include "decide/leader/home.h"
#include "decide/leader/interval.h"
#include "decide/leader/weigh.h"
#include "decide/planning/worth.h"
#include "decide/policy/policy.h"

/* What a leader knows from one interval to the next; whoever leads next takes it over. Plain data
 * but for the speeds of the history, what the density was learnt from, and blocks. */
typedef struct {
    xmpi_history_t history;
    xmpi_density_t density; /* of the rows, where nobody has weighed them */
    xmpi_told_t told;       /* whether they weigh what is said of them */
    xmpi_home_t home;       /* what the division of rows has lost */
    xmpi_warm_up_t warm_up;
    xmpi_calibration_t calibration;
    xmpi_model_t model;
    xmpi_policy_state_t policy;
    int64_t considered;          /* iteration of the last decision */
    double work;                 /* of all members since the loop began */
    xmpi_prediction_t expected;  /* of the present interval */
    int64_t expected_iterations; /* that it is for; 0: nothing is expected */
} xmpi_leader_t;

/* What the user wants, of the settings. */
typedef struct {
    int64_t interval;    /* iterations of a sampling interval; 0: as the leader finds good */
    double longest;      /* seconds that such an interval may take; 0: as long as is good */
    double imbalance;    /* TH1 of thesis Alg. 5 */
    double interference; /* TH2 */
    int window;          /* k */
    xmpi_placement_t placement;
    const xmpi_schedule_t *schedule;
    uint64_t seed;
    double memory; /* bytes that the data of a member may take; 0: not known */
    xmpi_goal_t goal;
    double tolerance; /* of the goal, as a share of the whole time */
    xmpi_constraint_t constraint;
    xmpi_curve_kind_t creation; /* how processes are created */
    double background; /* bytes of constant arrays from which on the program goes on while they
                          move; 0: it never does */
    xmpi_forecast_kind_t forecast; /* of speeds */
    xmpi_swap_terms_t swap;
    xmpi_node_share_t share;      /* of a node, of the processes */
    xmpi_mheta_layout_t division; /* of the rows */
} xmpi_wishes_t;

/* The end of a sampling interval: all that a step looks at besides the state. */
typedef struct {
    const xmpi_policy_t *policy; /* NULL: none decides */
    const xmpi_wishes_t *wishes;
    const xmpi_layout_t *layout;
    const xmpi_resources_t *resources;
    const xmpi_sample_t *samples; /* one for each member, in rank order */

    const xmpi_idle_t *idle; /* what was seen of each PE since the last step; NULL: nothing */

    /* The data of the program. */
    int arrays;
    const xmpi_moved_array_t *array;   /* NULL: there was no memory; nothing is predicted */
    bool weighted;                     /* rows differ in work, as is said */
    bool told_work;                    /* the work of the samples is what is said of rows */
    bool prefix_of_entries;            /* their weights are the entries of the only sparse matrix */
    const double *prefix;              /* domain + 1 sums of the weights; NULL: they are not here */
    const xmpi_glpk_t *glpk;           /* NULL: it is not here, or nobody needs it */
    const xmpi_scotch_t *scotch;       /* the same */
    const xmpi_traffic_t *traffic;     /* who talks to whom; NULL: it is not here */
    bool traffic_asked;                /* and has been asked for */
    const xmpi_profile_t *profile;     /* of an irregular program; NULL: a regular one */
    const xmpi_profile_origin_t *here; /* what a profile of this loop is of; NULL: of none */
    bool has_moves;                    /* the communicator that data move in is there */

    /* The loop. */
    bool movable;           /* whole processes move, and nothing else changes */
    bool sizes;             /* blocks are the program's own */
    double start;           /* seconds in which it starts over then */
    int64_t iteration;      /* completed */
    int64_t interval_start; /* iteration in which the interval began */
    int64_t loop;           /* which of the loops that the program has begun; the first is 1 */
    int64_t bound;          /* iterations that the loop makes in all; 0: not known */
    bool first;             /* it is the first interval of the loop */
    double now, started, loop_started; /* seconds of the real-time clock */
    double cost;                       /* of the loop so far */
    double interval_cost;              /* seconds that the end of an interval takes */

    int wanted, wanted_class; /* more members that the user asks for (xmpi_view_t) */
    xmpi_wished_move_t wished;
    bool waiting; /* processes are being got for a change: there is no other */
} xmpi_occasion_t;

typedef enum {
    XMPI_STEP_KEEPS,   /* no change */
    XMPI_STEP_CHANGES, /* to the plan */
    XMPI_STEP_FAILED,  /* a change was wanted, and cannot be planned: the error says why */
    XMPI_STEP_WEIGHS,  /* it depends on weights of rows that are not here: see step_again */
    XMPI_STEP_TALKS,   /* or on who talks to whom */
} xmpi_step_outcome_t;

/* What comes of it. */
typedef struct {
    xmpi_step_outcome_t outcome;
    xmpi_plan_t plan; /* of CHANGES: it fits layout and resources; of KEEPS its reason alone */
    xmpi_error_t error;
    int64_t interval;         /* iterations of the next interval */
    bool decided;             /* something was; else the interval was too short, or it waits */
    xmpi_decision_t decision; /* what was considered */
    bool unreachable;         /* the goal is found to be now: the decision says so */
    bool mistaken;            /* what is said of the work of rows is found to be now */
    bool was_expected;        /* there had been a prediction of this interval: the next */
    xmpi_prediction_t expected;
    xmpi_prediction_t predicted; /* of the change and what follows; total 0: nothing is */
    bool learnt;                 /* the model took the interval in */
    xmpi_weighed_t weighed;      /* what rows weigh, where that was learnt */
    bool predicts;               /* the predictor is there */
    xmpi_predictor_t predictor;
} xmpi_step_t;

/* A loop begins: what was learnt of the one before is forgotten, but for speeds of PEs and the
 * calibration. */
void xmpi_leader_begin(xmpi_leader_t *leader);

/* Whether the speeds of the members of the occasion are known, and their rows may be divided by
 * them before anything was measured (decide/leader/opening.h). */
bool xmpi_leader_can_open(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion);

/* Decides on the first layout, where the leader can. The occasion has no samples: SAMPLES, one for
 * each member, get those that are expected, for what STEP predicts from. Again with the weights
 * after WEIGHS. STEP is to be freed before them, whatever it says. */
void xmpi_leader_open(xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                      xmpi_sample_t *samples, xmpi_step_t *step);

/* Takes the samples in and decides. STEP is to be freed, whatever it says. */
void xmpi_leader_step(xmpi_leader_t *leader, const xmpi_occasion_t *occasion, xmpi_step_t *step);

/* The same occasion again, after WEIGHS with the weights, after TALKS with the traffic or without
 * it, which is then said to have been asked for. */
void xmpi_leader_step_again(xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                            xmpi_step_t *step);

/* After a STEP of this occasion that has not led to a change: what the numbers of members up to
 * MOST are worth (decide/planning/worth.h); none where nothing can be predicted. The OCCASION may
 * have more resources than that of the step, behind them. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_leader_worth(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                                xmpi_step_t *step, int most, xmpi_worth_t *worth, int *worths);

/* The change that was PREDICTED is done; it took PROCESSES seconds to get, part and join processes
 * and REDISTRIBUTION seconds to move data. */
void xmpi_leader_changed(xmpi_leader_t *leader, const xmpi_prediction_t *predicted,
                         double processes, double redistribution);

/* It does not happen: the PROCESSES that it wanted are asked for again after 1, 2, 4, ... intervals
 * of INTERVAL iterations. */
void xmpi_leader_called_off(xmpi_leader_t *leader, int64_t iteration, int64_t interval);

void xmpi_step_free(xmpi_step_t *step);
void xmpi_leader_free(xmpi_leader_t *leader);

#endif

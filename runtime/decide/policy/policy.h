/* SPDX-License-Identifier: BSD-3-Clause
 * Policies: pure functions from what was seen to a plan. The same view gives the same plan.
 *
 * A new policy is one file with one xmpi_policy_t, which says what it needs, and a line in
 * decide/policies/policies.h. */
#ifndef XMPI_DECIDE_POLICY_POLICY_H
#define XMPI_DECIDE_POLICY_POLICY_H

#include <stdint.h>

#include "decide/configurations/configurations.h"
#include "decide/policy/decision.h"
#include "decide/policy/goal.h"
#include "decide/mapping/mapping.h"
#include "decide/mheta/layouts.h"
#include "decide/model/history.h"
#include "decide/plan/plan.h"
#include "decide/predict/predict.h"
#include "decide/layout/resources.h"
#include "decide/model/sample.h"
#include "decide/policy/schedule.h"
#include "decide/policy/swap_terms.h"
#include "decide/scheduler/scheduler.h"

/* What the user asks for: RANK goes to the PE OTHER, or, in a movable loop, changes places with
 * that rank. Plain data. */
typedef enum { XMPI_WISHED_NOTHING, XMPI_WISHED_MOVE, XMPI_WISHED_SWAP } xmpi_wished_kind_t;

typedef struct {
    xmpi_wished_kind_t kind;
    bool asks; /* only what that would be */
    int rank, other;
} xmpi_wished_move_t;

/* All that a policy may look at. */
typedef struct {
    const xmpi_layout_t *layout;
    const xmpi_resources_t *resources;
    const xmpi_sample_t *samples;  /* of the last interval, one for each member in rank order */
    const xmpi_history_t *history; /* with the last interval; NULL: nothing else is remembered */
    bool weighted;                 /* rows differ in work */
    bool movable;                  /* whole processes move to other PEs, and nothing else changes */
    bool sizes; /* the number of members may change, blocks are the program's own */
    const double
        *prefix; /* domain + 1 sums of the weights of rows (decide/partition/partition.h), or NULL:
                    all rows weigh the same, or, when weighted, they are not here yet */
    bool learnt; /* they were learnt from what blocks took (decide/density/density.h) */
    bool mistaken; /* as they are not what is said of the rows (decide/density/told.h) */
    const xmpi_block_t *best_block; /* of the best layout seen, where learning has come to an end
                                       that is not good; NULL: it has not */
    const xmpi_block_t *home;       /* where rows are to be for a while, as their division has lost
                                       too much (decide/leader/home.h); NULL: it has not */
    int64_t loop;               /* which of the loops that the program has begun; the first is 1 */
    int64_t from_iteration;     /* first iteration of the interval */
    int64_t iteration;          /* iterations completed */
    double imbalance_threshold; /* TH1 of thesis Alg. 5 */
    xmpi_placement_t placement;
    const xmpi_schedule_t *schedule;
    uint64_t seed;
    int64_t remaining;           /* iterations that are still to come, -1 when that is not known */
    xmpi_predictor_t *predictor; /* of what plans will take; NULL: nothing can be predicted */
    bool may_grow;               /* false for a while after processes could not be had */
    int least_members;           /* fewer have not enough memory for the data; 0: not known */

    double now, started, loop_started; /* seconds of the real-time clock */
    double cost;                       /* of the loop so far */
    xmpi_goal_t goal;
    double tolerance; /* of the goal, as a share of the whole time */
    xmpi_constraint_t constraint;
    const xmpi_policy_state_t *state; /* of the policy; NULL: all 0 */
    const xmpi_glpk_t *glpk;          /* for those that need it; NULL: it is not here */
    int wanted;       /* more members that the user asks for, whatever the policy is */
    int wanted_class; /* of their PEs, or XMPI_ANY_CLASS */
    xmpi_wished_move_t wished;
    xmpi_swap_terms_t swap;
    const xmpi_scotch_t *scotch;   /* for those that need it; NULL: it is not here */
    const xmpi_traffic_t *traffic; /* who talks to whom; NULL: it is not here */
    bool traffic_asked;            /* it has been asked for, and is not to be had */
    xmpi_node_share_t share;
    xmpi_mheta_layout_t division; /* of the rows, that the user asks for */
} xmpi_view_t;

/* What a policy goes by, beside the samples: bits. */
enum {
    XMPI_OF_GOAL = 1,         /* XMPI_GOAL */
    XMPI_OF_SCHEDULE = 2,     /* XMPI_SCHEDULE */
    XMPI_OF_BOUND = 4,        /* how many iterations the loop makes */
    XMPI_OF_COSTS = 8,        /* of PEs, where the cost is what is to be least (XMPI_CONSTRAINT) */
    XMPI_OF_PREDICTIONS = 16, /* of plans (decide/predict/predict.h) */
    XMPI_OF_PROCESSES =
        32,               /* that join and leave: it changes the members, not their blocks alone */
    XMPI_OF_GLPK = 64,    /* by which processor configurations are found
                             (decide/configurations/configurations.h) */
    XMPI_OF_BLOCKS = 128, /* it divides the rows as it likes, not the members alone: all that it
                             does, or in between */
    XMPI_OF_IDLE = 512,   /* of PEs without a member, what is seen of them */
    XMPI_OF_TRAFFIC = 1024, /* who talks to whom, which Scotch maps (decide/mapping/mapping.h) */
    XMPI_OF_AVAILABILITY = 2048, /* of PEs: it says itself where members of withdrawn ones go */
    XMPI_OF_MOVES = 4096,        /* of whole processes, as they are: other loops it leaves alone */
    XMPI_OF_FORECASTS = 256, /* of speeds, by what erred least, unless XMPI_FORECAST says another */
};

typedef struct {
    const char *name;
    const char *help;
    unsigned needs;          /* bits: without these it cannot do what it is for */
    unsigned uses;           /* bits: these as well, where they are there */
    const char *settings;    /* that are its parameters, as in XMPI_POLICY_SETTINGS, with blanks in
                                between; types, ranges and help are in the table of settings */
    const char *expectation; /* what it does next, where nothing is known of it; NULL: nothing to
                                say */
    /* Makes PLAN (no places: nothing to do; its reason then says why, where there was something to
     * decide), and adds to DECISION what it has considered and remembers; there are no alternatives
     * in it yet, and the state is that of the view. On an error PLAN holds nothing.
     * XMPI_NEEDS_WEIGHTS and XMPI_NEEDS_TRAFFIC are none: it is to be asked again with the weights
     * of the rows, or with the traffic. */
    xmpi_status_t (*decide)(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error);
    /* The same for a movable loop (decide/planning/moves.h); NULL: members stay where they are. */
    xmpi_status_t (*move)(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                          xmpi_error_t *error);
} xmpi_policy_t;

#endif

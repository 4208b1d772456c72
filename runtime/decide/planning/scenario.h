/* SPDX-License-Identifier: BSD-3-Clause
 * Scenarios: what the rest of the loop would take with another number of members of each class
 * ("execution scenarios" of thesis Algs 7 and 8). All of them are compared by their powers, and the
 * few best ones by the plan that they come to. */
#ifndef XMPI_DECIDE_PLANNING_SCENARIO_H
#define XMPI_DECIDE_PLANNING_SCENARIO_H

#include "decide/configurations/configurations.h"
#include "decide/policy/policy.h"

/* One class. The orders are those of the process scheduler (thesis §4.4). */
typedef struct {
    int members; /* at present */
    int idle;    /* PEs that can be had */
    int fixed;   /* members that may not leave */
    int *join;   /* PEs in the order in which they are taken */
    int *leave;  /* ranks in the order in which they leave */
} xmpi_scenario_class_t;

typedef struct {
    const xmpi_view_t *view;
    xmpi_decision_t *decision; /* that alternatives are noted in */
    int64_t iterations;        /* that are still to come */
    double work;               /* of all of them */
    double upkeep;             /* seconds for rebalances in all of them, where the work wanders */
    int classes;
    xmpi_scenario_class_t of[XMPI_CLASSES_MAX];
    xmpi_choice_t choice[XMPI_CLASSES_MAX]; /* speeds and costs; the bounds are the caller's */
    int most;                               /* members */
    double *change; /* of each number of members up to MOST: seconds for processes and data */
    double *beside; /* and seconds that the model says beyond powers and messages: for disks, with
                       little memory, and in pipelines; NULL: it knows of none */
    int *order;     /* memory of the orders */
    xmpi_resources_t resources; /* those of the view without a limit */
    xmpi_selection_t selection; /* scratch */
} xmpi_scenarios_t;

/* XMPI_ERR_MEMORY; on an error there is nothing to free. Needs view->predictor. */
xmpi_status_t xmpi_scenarios_make(xmpi_scenarios_t *scenarios, const xmpi_view_t *view,
                                  xmpi_decision_t *decision);
void xmpi_scenarios_free(xmpi_scenarios_t *scenarios);

/* Bounds of the choices: members may be added, may leave, or both. */
void xmpi_scenarios_bound(xmpi_scenarios_t *scenarios, bool grow, bool shrink);

/* Seconds until the loop is done with MEMBERS members of this power together. */
double xmpi_scenario_seconds(const xmpi_scenarios_t *scenarios, int members, double power);

/* The power that MEMBERS members need to be done in SECONDS; INFINITY when none is enough. */
double xmpi_scenario_need(const xmpi_scenarios_t *scenarios, int members, double seconds);

/* The plan for COUNT members of each class, and what the model predicts for it to the end of the
 * loop. A plan that changes no member rebalances. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_scenario_plan(xmpi_scenarios_t *scenarios, const int *count, xmpi_plan_t *plan,
                                 xmpi_prediction_t *prediction);

/* Members of a configuration, their power, and what they cost per hour. */
int xmpi_scenario_members(const xmpi_scenarios_t *scenarios, const int *count);
double xmpi_scenario_power(const xmpi_scenarios_t *scenarios, const int *count);
double xmpi_scenario_cost(const xmpi_scenarios_t *scenarios, const int *count);

/* Notes the configuration, which is done in SECONDS, as an alternative of the decision. */
xmpi_alternative_t *xmpi_scenario_note(const xmpi_scenarios_t *scenarios, const int *count,
                                       double seconds, double change, bool feasible);

#endif

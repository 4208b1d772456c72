/* SPDX-License-Identifier: BSD-3-Clause
 * Scenarios: what the rest of the loop would take with another number of members of each class. */
#include "decide/planning/scenario.h"
#include "decide/planning/divide.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOTS = 5 }; /* numbers of members, in each direction, for which data are laid out */

static int now_members(const xmpi_scenarios_t *s)
{
    return s->view->layout->members;
}

int xmpi_scenario_members(const xmpi_scenarios_t *scenarios, const int *count)
{
    int n = 0;
    for (int c = 0; c < scenarios->classes; c++)
        n += count[c];
    return n;
}

double xmpi_scenario_power(const xmpi_scenarios_t *scenarios, const int *count)
{
    double power = 0;
    for (int c = 0; c < scenarios->classes; c++)
        power += count[c] * scenarios->choice[c].speed;
    return power;
}

double xmpi_scenario_cost(const xmpi_scenarios_t *scenarios, const int *count)
{
    double cost = 0;
    for (int c = 0; c < scenarios->classes; c++)
        cost += count[c] * scenarios->choice[c].cost;
    return cost;
}

/* --- what there is ------------------------------------------------------------------------------
 */

/* Mean speed and cost of the PEs of each class: of those with members where there are any. */
static void describe_classes(xmpi_scenarios_t *s)
{
    const xmpi_resources_t *resources = s->view->resources;
    int all[XMPI_CLASSES_MAX] = {0};
    double any_speed[XMPI_CLASSES_MAX] = {0}, any_cost[XMPI_CLASSES_MAX] = {0};
    for (int pe = 0; pe < resources->pes; pe++) {
        const xmpi_pe_t *p = &resources->pe[pe];
        int c = p->class_index;
        double speed = xmpi_predict_speed(s->view->predictor, pe);
        any_speed[c] += (speed - any_speed[c]) / ++all[c];
        any_cost[c] += (p->cost - any_cost[c]) / all[c];
        if (xmpi_pe_usable(resources, pe))
            s->of[c].idle++;
        if (p->process < 0 || p->parked)
            continue;
        int n = ++s->of[c].members;
        s->choice[c].speed += (speed - s->choice[c].speed) / n;
        s->choice[c].cost += (p->cost - s->choice[c].cost) / n;
        s->of[c].fixed += p->process == resources->anchor;
    }
    for (int c = 0; c < s->classes; c++)
        if (s->of[c].members == 0) {
            s->choice[c].speed = all[c] > 0 ? any_speed[c] : 1;
            s->choice[c].cost = any_cost[c];
        }
}

/* The orders in which PEs of the classes are taken and left, each class for itself. */
static xmpi_status_t find_orders(xmpi_scenarios_t *s)
{
    int *next = s->order;
    s->resources = *s->view->resources;
    s->resources.max_members = INT_MAX; /* who comes may take the place of who goes */
    xmpi_status_t status =
        xmpi_selection_make(&s->selection, &s->resources, s->view->layout, s->view->placement);
    if (status != XMPI_OK)
        return status;
    for (int c = 0; c < s->classes; c++) {
        s->of[c].join = next;
        s->of[c].idle = xmpi_select_joiners(&s->selection, c, s->of[c].idle, next);
        next += s->of[c].idle;
        xmpi_selection_clear(&s->selection);
        s->of[c].leave = next;
        next += xmpi_select_leavers(&s->selection, c, s->of[c].members - s->of[c].fixed, next);
        xmpi_selection_clear(&s->selection);
    }
    return XMPI_OK;
}

void xmpi_scenarios_bound(xmpi_scenarios_t *scenarios, bool grow, bool shrink)
{
    for (int c = 0; c < scenarios->classes; c++) {
        const xmpi_scenario_class_t *class = &scenarios->of[c];
        scenarios->choice[c].least = shrink ? class->fixed : class->members;
        scenarios->choice[c].most = class->members + (grow ? class->idle : 0);
    }
}

/* --- what it takes ------------------------------------------------------------------------------
 */

/* Members that end when they leave. */
static int count_spawned(const xmpi_scenarios_t *s)
{
    const xmpi_resources_t *resources = s->view->resources;
    int n = 0;
    for (int i = 0; i < now_members(s); i++)
        n += resources->can_spawn && s->view->layout->member[i].process >= resources->started;
    return n;
}

/* Processes: pool members are woken and parked, others are created and end or park. */
static double process_seconds(const xmpi_scenarios_t *s, int members, int spawned)
{
    const xmpi_resources_t *resources = s->view->resources;
    int more = members - now_members(s), fewer = -more;
    if (more >= 0)
        return xmpi_predict_process(s->view->predictor, resources->can_spawn ? more : 0,
                                    resources->can_spawn ? 0 : more, 0, 0);
    int ended = fewer < spawned ? fewer : spawned;
    return xmpi_predict_process(s->view->predictor, 0, 0, ended, fewer - ended);
}

static double messages(const xmpi_scenarios_t *s, int members)
{
    return (double)s->iterations * xmpi_predict_communication(s->view->predictor, members);
}

static double input_output(const xmpi_scenarios_t *s, int members)
{
    return (double)s->iterations * s->view->predictor->row_io * (double)s->view->layout->domain /
           members;
}

static double communication(const xmpi_scenarios_t *s, int members)
{
    return messages(s, members) +
           (s->beside != NULL ? s->beside[members] : input_output(s, members));
}

double xmpi_scenario_seconds(const xmpi_scenarios_t *scenarios, int members, double power)
{
    return scenarios->work / power + communication(scenarios, members) +
           scenarios->change[members] + scenarios->upkeep;
}

double xmpi_scenario_need(const xmpi_scenarios_t *scenarios, int members, double seconds)
{
    double left = seconds - communication(scenarios, members) - scenarios->change[members] -
                  scenarios->upkeep;
    return left > 0 ? scenarios->work / left : INFINITY;
}

xmpi_status_t xmpi_scenario_plan(xmpi_scenarios_t *scenarios, const int *count, xmpi_plan_t *plan,
                                 xmpi_prediction_t *prediction)
{
    const xmpi_view_t *view = scenarios->view;
    xmpi_selection_t *selection = &scenarios->selection;
    memset(plan, 0, sizeof *plan);
    xmpi_selection_clear(selection);
    for (int c = 0; c < scenarios->classes; c++) {
        const xmpi_scenario_class_t *class = &scenarios->of[c];
        for (int i = 0; i < count[c] - class->members; i++)
            xmpi_select_pe(selection, class->join[i]);
        for (int i = 0; i < class->members - count[c]; i++)
            xmpi_select_rank(selection, class->leave[i]);
    }
    xmpi_status_t status = xmpi_policy_plan(view, selection, plan);
    if (status == XMPI_OK)
        status = xmpi_predict(view->predictor, plan, scenarios->iterations, prediction);
    if (status == XMPI_OK)
        prediction->total += scenarios->upkeep;
    else
        xmpi_plan_free(plan);
    return status;
}

/* What the plan for MEMBERS members comes to: those with the most power when there are more,
 * without those with the least when there are fewer. */
typedef struct {
    double moving; /* seconds for data */
    double beside; /* as in xmpi_scenarios_t */
} laid_out_t;

static xmpi_status_t lay_out(xmpi_scenarios_t *s, int members, laid_out_t *found)
{
    int count[XMPI_CLASSES_MAX];
    xmpi_plan_t plan;
    xmpi_prediction_t prediction;
    xmpi_scenarios_bound(s, members > now_members(s), members < now_members(s));
    *found = (laid_out_t){0};
    if (xmpi_configurations_strongest(s->classes, s->choice, members, count) < 0)
        return XMPI_OK;
    xmpi_status_t status = xmpi_scenario_plan(s, count, &plan, &prediction);
    if (status != XMPI_OK)
        return status;
    double power = xmpi_scenario_power(s, count);
    found->moving = prediction.redistribution + prediction.start + prediction.behind;
    found->beside = prediction.computation + prediction.io + prediction.communication -
                    messages(s, members) - (power > 0 ? s->work / power : 0);
    xmpi_plan_free(&plan);
    return XMPI_OK;
}

static void keep(xmpi_scenarios_t *s, int members, const laid_out_t *found)
{
    s->change[members] = found->moving;
    if (s->beside != NULL)
        s->beside[members] = fmax(0, found->beside);
}

static laid_out_t kept(const xmpi_scenarios_t *s, int members)
{
    return (laid_out_t){s->change[members], s->beside != NULL ? s->beside[members] : 0};
}

/* From FIRST, of which it is known, to END: exact at some, close together near FIRST, and straight
 * in between. */
static xmpi_status_t fill_laid_out(xmpi_scenarios_t *s, int first, int end)
{
    int step = end < first ? -1 : 1, distance = abs(end - first), done = 0;
    for (int knot = 1; knot <= KNOTS && done < distance; knot++) {
        double target = pow(distance, (double)knot / KNOTS);
        laid_out_t next_one, from = kept(s, first + step * done);
        int next = knot == KNOTS ? distance : (int)target;
        if (next <= done)
            next = done + 1;
        xmpi_status_t status = lay_out(s, first + step * next, &next_one);
        if (status != XMPI_OK)
            return status;
        for (int i = done + 1; i <= next; i++) {
            double part = (double)(i - done) / (next - done);
            keep(s, first + step * i,
                 &(laid_out_t){from.moving + (next_one.moving - from.moving) * part,
                               from.beside + (next_one.beside - from.beside) * part});
        }
        done = next;
    }
    return XMPI_OK;
}

/* Blocks that follow the work are moved at the end of every interval. */
static double upkeep_seconds(const xmpi_scenarios_t *s)
{
    const xmpi_view_t *view = s->view;
    double interval = fmax(1, (double)(view->iteration - view->from_iteration));
    bool wanders = xmpi_predict_imbalance(view->predictor, s->iterations) > 1;
    return wanders ? (double)s->iterations / interval * s->change[now_members(s)] : 0;
}

static xmpi_status_t find_changes(xmpi_scenarios_t *s)
{
    int now = now_members(s), spawned = count_spawned(s);
    laid_out_t as_it_is;
    xmpi_status_t status = lay_out(s, now, &as_it_is);
    if (status != XMPI_OK)
        return status;
    keep(s, now, &as_it_is);
    status = fill_laid_out(s, now, s->most);
    if (status == XMPI_OK)
        status = fill_laid_out(s, now, 1);
    s->upkeep = upkeep_seconds(s);
    for (int n = 1; n <= s->most && status == XMPI_OK; n++)
        s->change[n] += process_seconds(s, n, spawned);
    return status;
}

xmpi_status_t xmpi_scenarios_make(xmpi_scenarios_t *scenarios, const xmpi_view_t *view,
                                  xmpi_decision_t *decision)
{
    const xmpi_resources_t *resources = view->resources;
    int most = resources->max_members;
    memset(scenarios, 0, sizeof *scenarios);
    scenarios->view = view;
    scenarios->decision = decision;
    scenarios->classes = resources->classes;
    /* Nobody knows how long: taken to go on for as long as it has gone on. */
    scenarios->iterations = view->remaining >= 0 ? view->remaining : view->iteration;
    scenarios->work = xmpi_predict_work(view->predictor, scenarios->iterations) *
                      xmpi_predict_imbalance(view->predictor, scenarios->iterations);
    most = most < view->layout->domain ? most : (int)view->layout->domain;
    scenarios->most = most > view->layout->members ? most : view->layout->members;
    scenarios->change = calloc((size_t)scenarios->most + 1, sizeof *scenarios->change);
    scenarios->order = calloc((size_t)(resources->pes + view->layout->members) + 1, sizeof(int));
    bool beside = view->predictor->disks.known || view->predictor->pipelines.known;
    if (beside)
        scenarios->beside = calloc((size_t)scenarios->most + 1, sizeof *scenarios->beside);
    xmpi_status_t status = scenarios->change == NULL || scenarios->order == NULL ||
                                   (beside && scenarios->beside == NULL)
                               ? XMPI_ERR_MEMORY
                               : XMPI_OK;
    if (status == XMPI_OK) {
        describe_classes(scenarios);
        status = find_orders(scenarios);
    }
    if (status == XMPI_OK)
        status = find_changes(scenarios);
    if (status != XMPI_OK)
        xmpi_scenarios_free(scenarios);
    return status;
}

void xmpi_scenarios_free(xmpi_scenarios_t *scenarios)
{
    free(scenarios->change);
    free(scenarios->beside);
    free(scenarios->order);
    xmpi_selection_free(&scenarios->selection);
    memset(scenarios, 0, sizeof *scenarios);
}

/* --- for the trace ------------------------------------------------------------------------------
 */

static void label(const xmpi_scenarios_t *s, const int *count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int c = 0; c < s->classes && used < size; c++) {
        int more = count[c] - s->of[c].members;
        if (more != 0)
            used += (size_t)snprintf(text + used, size - used, "%s%+d %s", used > 0 ? " " : "",
                                     more, s->view->resources->class_name[c]);
    }
    if (text[0] == '\0')
        snprintf(text, size, "as it is");
}

xmpi_alternative_t *xmpi_scenario_note(const xmpi_scenarios_t *scenarios, const int *count,
                                       double seconds, double change, bool feasible)
{
    xmpi_alternative_t *added = xmpi_decision_add(scenarios->decision);
    if (added == NULL)
        return NULL;
    label(scenarios, count, added->label, sizeof added->label);
    added->members = xmpi_scenario_members(scenarios, count);
    added->seconds = seconds;
    added->reconfiguration = change;
    added->cost = scenarios->view->cost + xmpi_scenario_cost(scenarios, count) * seconds / 3600;
    added->feasible = feasible;
    return added;
}

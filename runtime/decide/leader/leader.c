/* SPDX-License-Identifier: BSD-3-Clause
 * The leader: what is decided at the end of a sampling interval. */
#include "decide/leader/leader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/planning/appointments.h"
#include "decide/policies/catalogue.h"
#include "decide/leader/interval.h"
#include "decide/leader/opening.h"
#include "decide/policies/decide.h"
#include "decide/planning/divide.h"

void xmpi_leader_begin(xmpi_leader_t *leader)
{
    memset(&leader->model, 0, sizeof leader->model);
    memset(&leader->policy, 0, sizeof leader->policy);
    memset(&leader->expected, 0, sizeof leader->expected);
    memset(&leader->told, 0, sizeof leader->told);
    leader->warm_up = (xmpi_warm_up_t){0};
    xmpi_density_free(&leader->density);
    xmpi_home_free(&leader->home);
    leader->considered = leader->expected_iterations = 0;
    leader->work = 0;
}

void xmpi_leader_free(xmpi_leader_t *leader)
{
    xmpi_history_free(&leader->history);
    xmpi_density_free(&leader->density);
    xmpi_home_free(&leader->home);
    memset(leader, 0, sizeof *leader);
}

void xmpi_step_free(xmpi_step_t *step)
{
    if (step->predicts)
        xmpi_predictor_free(&step->predictor);
    xmpi_plan_free(&step->plan);
    xmpi_weighed_free(&step->weighed);
    step->predicts = false;
}

/* --- observing ---------------------------------------------------------------------------------
 */

/* How speeds are foretold: as the user says, or as the policy goes by them. */
static void foretell(xmpi_leader_t *leader, const xmpi_occasion_t *occasion)
{
    const xmpi_wishes_t *wishes = occasion->wishes;
    xmpi_forecast_kind_t forecast = wishes->forecast;
    if (forecast == XMPI_FORECAST_AUTO)
        forecast = xmpi_policy_uses(occasion->policy, XMPI_OF_FORECASTS) ? XMPI_FORECAST_BEST
                                                                         : XMPI_FORECAST_LEVEL;
    if (forecast == XMPI_FORECAST_BEST && wishes->swap.history <= 0)
        forecast = XMPI_FORECAST_LAST; /* there is no other without a past */
    xmpi_history_foretell(&leader->history, forecast, wishes->swap.history);
}

/* More rows are not weighed one by one, nor those of more members: a step is to stay short. */
static const int64_t weighed_most = (int64_t)1 << 27;
enum { WEIGHED_MEMBERS_MOST = 128 };

/* The profile that tells what wanders; NULL: there is none. One that has what rows weigh is of work
 * that stays. */
static const xmpi_profile_t *wandering(const xmpi_occasion_t *occasion)
{
    const xmpi_profile_t *profile = occasion->profile;
    return profile != NULL && profile->points > 0 && !profile->weighed ? profile : NULL;
}

/* Whether what blocks take may tell of rows: a profile tells what wanders, and what moves as it is
 * has no blocks of ours. */
static bool may_weigh(const xmpi_occasion_t *occasion)
{
    bool irregular = wandering(occasion) != NULL;
    return !occasion->movable && !occasion->sizes && !irregular && occasion->layout->members > 1 &&
           occasion->layout->members <= WEIGHED_MEMBERS_MOST &&
           occasion->layout->domain <= weighed_most;
}

/* What an earlier run has learnt of rows is not to be learnt again. */
static void remember_rows(xmpi_leader_t *leader, const xmpi_occasion_t *occasion)
{
    char why[XMPI_REASON_MAX];
    if (occasion->first && occasion->profile != NULL && occasion->here != NULL &&
        occasion->profile->weighed &&
        xmpi_profile_is_of(occasion->profile, occasion->here, why, sizeof why))
        xmpi_density_begin(&leader->density, occasion->profile);
}

/* The occasion with what rows weigh as far as that is learnt, which belongs to STEP; and without
 * what is said of it where that is mistaken. */
static xmpi_occasion_t weighed_by(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                                  const xmpi_step_t *step)
{
    xmpi_occasion_t weighed = *occasion;
    if (leader->told.mistaken || step->weighed.prefix != NULL) {
        weighed.weighted = step->weighed.prefix != NULL;
        weighed.prefix = step->weighed.prefix;
        weighed.prefix_of_entries = false;
    }
    if (step->weighed.prefix != NULL)
        weighed.samples = step->weighed.samples;
    return weighed;
}

/* Learns what rows weigh from what blocks take; where something is said of it, whether it is that.
 */
static void weigh(xmpi_leader_t *leader, const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    xmpi_density_t *density = &leader->density;
    bool told = occasion->weighted;
    if (!may_weigh(occasion) || (told && !occasion->told_work) ||
        xmpi_density_note(density, occasion->layout, occasion->resources, occasion->samples,
                          told) != XMPI_OK)
        return;
    step->mistaken = told && xmpi_told_note(&leader->told, density);
    if (step->mistaken)
        xmpi_density_begin_learning(density);
    if (!told || leader->told.mistaken)
        step->weighed = xmpi_weigh(density, &leader->history, occasion->layout, occasion->samples);
    if (step->weighed.prefix != NULL)
        xmpi_density_judge(density, step->weighed.prefix);
}

/* Takes the samples in; whether they are worth a decision. Without memory the old history stays. */
static bool take_in(xmpi_leader_t *leader, const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    const xmpi_wishes_t *wishes = occasion->wishes;
    remember_rows(leader, occasion);
    if (wishes->interval == 0 && !xmpi_warm_up_is_over(&leader->warm_up, occasion->samples))
        return false;
    foretell(leader, occasion);
    weigh(leader, occasion, step);
    xmpi_history_add(&leader->history, occasion->layout, occasion->resources,
                     weighed_by(leader, occasion, step).samples, wishes->window,
                     wishes->interference);
    if (occasion->idle != NULL)
        xmpi_history_see(&leader->history, occasion->resources, occasion->idle);
    return true;
}

static int64_t next_interval(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion)
{
    const xmpi_wishes_t *wishes = occasion->wishes;
    xmpi_interval_t interval = {.samples = occasion->samples,
                                .members = occasion->layout->members,
                                .cost = occasion->interval_cost,
                                .threshold = wishes->imbalance,
                                .longest = wishes->longest,
                                .first = occasion->first,
                                .turned = xmpi_history_turned(&leader->history, wishes->imbalance),
                                .apart = xmpi_history_apart(&leader->history)};
    return xmpi_appointment_until(wishes->schedule, occasion->loop, occasion->iteration,
                                  wishes->interval > 0 ? wishes->interval
                                                       : xmpi_interval_next(&interval));
}

/* What was expected of the interval beside what it was. */
static void compare(xmpi_leader_t *leader, const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    const xmpi_prediction_t *expected = &leader->expected;
    xmpi_model_t *model = &leader->model;
    xmpi_prediction_t measured;
    if (!step->was_expected)
        return;
    xmpi_measured(occasion->samples, occasion->layout->members, &measured);
    xmpi_model_compare(model, XMPI_PHASE_COMPUTATION, expected->computation, measured.computation);
    if (wandering(occasion) != NULL)
        xmpi_model_learn_irregular(model, expected->computation, measured.computation);
    xmpi_model_compare(model, XMPI_PHASE_COMMUNICATION, expected->communication,
                       measured.communication);
    xmpi_model_compare(model, XMPI_PHASE_IO, expected->io, measured.io);
    xmpi_model_compare(model, XMPI_PHASE_INTERVAL, expected->total, measured.total);
}

/* HISTORY: NULL before the first interval. */
static bool make_predictor(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                           const xmpi_history_t *history, xmpi_predictor_t *predictor)
{
    xmpi_situation_t situation = {.layout = occasion->layout,
                                  .resources = occasion->resources,
                                  .samples = occasion->samples,
                                  .history = history,
                                  .calibration = &leader->calibration,
                                  .model = &leader->model,
                                  .arrays = occasion->arrays,
                                  .array = occasion->array,
                                  .prefix_of_entries = occasion->prefix_of_entries,
                                  .profile = wandering(occasion),
                                  .iteration = occasion->iteration,
                                  .interval = occasion->iteration - occasion->interval_start,
                                  .creation = occasion->wishes->creation,
                                  .start = occasion->start,
                                  .has_moves = occasion->has_moves,
                                  .background = occasion->wishes->background};
    return occasion->array != NULL && xmpi_predictor_make(predictor, &situation, NULL) == XMPI_OK;
}

static void learn(xmpi_leader_t *leader, const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    compare(leader, occasion, step);
    step->predicts = step->learnt =
        make_predictor(leader, occasion, &leader->history, &step->predictor);
    if (!step->predicts)
        return;
    xmpi_predictor_teach(&step->predictor, &leader->model);
    leader->work += step->predictor.work * (double)(occasion->iteration - occasion->interval_start);
}

/* --- deciding ----------------------------------------------------------------------------------
 */

/* Iterations that are still to come, -1 when that is not known. */
static int64_t remaining(const xmpi_occasion_t *occasion)
{
    int64_t left = occasion->bound - occasion->iteration;
    return occasion->bound <= 0 ? -1 : left > 0 ? left : 0;
}

/* Whether rows are weighed by what is said of them. */
static bool is_told(const xmpi_occasion_t *occasion, const xmpi_step_t *step)
{
    return occasion->weighted && step->weighed.prefix == NULL;
}

/* Whether the division of rows is measured by the blocks of the begin: rows are ours to divide, and
 * nobody says how; what they weigh is here, and is not being learnt; and no files are read by them,
 * as what they would take with other blocks is not known. */
static bool goes_by_home(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                         const xmpi_step_t *step)
{
    return !occasion->movable && !occasion->sizes && occasion->layout->members > 1 &&
           occasion->wishes->division == XMPI_MHETA_BEST &&
           (!leader->density.differs || is_told(occasion, step)) &&
           (!occasion->weighted || occasion->prefix != NULL) &&
           !(step->predicts && step->predictor.disks.known);
}

/* The best layout of these members, where learning has come to an end; NULL: it has not, or the
 * program says itself what rows weigh. */
static const xmpi_block_t *best_block(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                                      const xmpi_step_t *step)
{
    const xmpi_density_t *density = &leader->density;
    bool of_these = density->members == occasion->layout->members;
    return density->exhausted && of_these && !is_told(occasion, step) ? density->best_block : NULL;
}

static xmpi_view_t view_of(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                           xmpi_step_t *step)
{
    const xmpi_wishes_t *wishes = occasion->wishes;
    xmpi_predictor_t *predictor = step->predicts ? &step->predictor : NULL;
    return (xmpi_view_t){
        .layout = occasion->layout,
        .resources = occasion->resources,
        .samples = occasion->samples,
        .history = &leader->history,
        .weighted = occasion->weighted,
        .movable = occasion->movable,
        .sizes = occasion->sizes,
        .prefix = occasion->prefix,
        .learnt = step->weighed.prefix != NULL,
        .mistaken = leader->told.mistaken,
        .best_block = best_block(leader, occasion, step),
        .home =
            leader->home.rests && goes_by_home(leader, occasion, step) ? leader->home.block : NULL,
        .loop = occasion->loop,
        .from_iteration = leader->considered,
        .iteration = occasion->iteration,
        .imbalance_threshold = wishes->imbalance,
        .placement = wishes->placement,
        .schedule = wishes->schedule,
        .seed = wishes->seed,
        .remaining = remaining(occasion),
        .predictor = predictor,
        .may_grow = occasion->iteration >= leader->policy.may_grow_from,
        .least_members =
            predictor != NULL ? xmpi_policy_least_members(predictor, wishes->memory) : 0,
        .now = occasion->now,
        .started = occasion->started,
        .loop_started = occasion->loop_started,
        .cost = occasion->cost,
        .goal = wishes->goal,
        .tolerance = wishes->tolerance,
        .constraint = wishes->constraint,
        .glpk = occasion->glpk,
        .scotch = occasion->scotch,
        .traffic = occasion->traffic,
        .traffic_asked = occasion->traffic_asked,
        .share = wishes->share,
        .division = wishes->division,
        .state = &leader->policy,
        .wanted = occasion->wanted,
        .wanted_class = occasion->wanted_class,
        .wished = occasion->wished,
        .swap = wishes->swap};
}

/* Remembers what is expected of the plan, when it is carried out, and of the interval after it. */
static void expect(xmpi_leader_t *leader, xmpi_step_t *step)
{
    int64_t iterations = step->interval;
    leader->expected_iterations = 0;
    memset(&step->predicted, 0, sizeof step->predicted);
    if (!step->predicts)
        return;
    if (step->plan.places > 0 && iterations > 1) {
        iterations--; /* the first one is not measured */
        step->predictor.at.iteration++;
    }
    xmpi_prediction_t *predicted = &step->predicted;
    if (xmpi_predict(&step->predictor, &step->plan, iterations, predicted) != XMPI_OK) {
        memset(predicted, 0, sizeof *predicted);
        return;
    }
    leader->expected_iterations = iterations;
    leader->expected = *predicted;
    leader->expected.process = leader->expected.redistribution = leader->expected.start = 0;
    leader->expected.total = predicted->computation + predicted->communication + predicted->io;
}

/* Whether the step moves rows by what is being learnt of them: the next layout is a try. */
static bool is_try(const xmpi_leader_t *leader, const xmpi_step_t *step)
{
    return step->plan.places > 0 && step->weighed.prefix != NULL && !leader->density.exhausted;
}

/* Whether rows move because what the program says of their weights has changed: it goes on to. */
static bool wanders(const xmpi_occasion_t *occasion, const xmpi_step_t *step)
{
    return step->plan.places > 0 && is_told(occasion, step);
}

/* Seconds of the next interval in which no more is lost than may be; INFINITY: nobody knows. */
static double may_last(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                       const xmpi_step_t *step)
{
    double seconds = INFINITY;
    if (wanders(occasion, step))
        seconds = occasion->samples[0].wall;
    if (is_try(leader, step))
        seconds = 0;
    if (goes_by_home(leader, occasion, step))
        seconds = fmin(seconds, xmpi_home_lasts(&leader->home, occasion->layout, &step->plan,
                                                occasion->prefix));
    return seconds;
}

/* What a division may lose in the next interval is bounded: that it is wrong is seen at its end. */
static void shorten(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    const xmpi_sample_t *sample = &occasion->samples[0];
    if (occasion->wishes->interval > 0 || sample->iterations <= 0 || !(sample->wall > 0))
        return;
    double seconds = may_last(leader, occasion, step);
    double least = xmpi_interval_least(occasion->interval_cost);
    double iterations = fmax(seconds, least) / sample->wall * (double)sample->iterations;
    if (iterations < (double)step->interval)
        step->interval = iterations > 1 ? (int64_t)iterations : 1;
}

static void decide(xmpi_leader_t *leader, const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    step->predictor.at.prefix = occasion->prefix;
    xmpi_view_t view = view_of(leader, occasion, step);
    xmpi_status_t status =
        xmpi_policy_decide(occasion->policy, &view, &step->plan, &step->decision, &step->error);
    if (status == XMPI_NEEDS_WEIGHTS && occasion->prefix == NULL) {
        step->outcome = XMPI_STEP_WEIGHS;
        return;
    }
    if (status == XMPI_NEEDS_TRAFFIC && !occasion->traffic_asked) {
        step->outcome = XMPI_STEP_TALKS;
        return;
    }
    if (status == XMPI_OK && step->plan.places > 0)
        status = xmpi_plan_check_in_loop(&step->plan, occasion->layout, occasion->resources,
                                         &step->error);
    step->outcome = status != XMPI_OK       ? XMPI_STEP_FAILED
                    : step->plan.places > 0 ? XMPI_STEP_CHANGES
                                            : XMPI_STEP_KEEPS;
    step->unreachable = !leader->policy.unreachable && step->decision.state.unreachable;
    leader->policy = step->decision.state;
    step->decided = true;
    leader->considered = occasion->iteration;
    shorten(leader, occasion, step);
    expect(leader, step);
}

/* --- before the first interval -----------------------------------------------------------------
 */

/* LEARNT: what rows weigh an earlier run has told. */
static xmpi_opening_t opening_of(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                                 bool learnt)
{
    double bytes = 0;
    for (int i = 0; i < occasion->arrays && occasion->array != NULL; i++)
        if (occasion->array[i].scheme != XMPI_SCHEME_REPLICATED)
            bytes += (double)occasion->array[i].rows * occasion->array[i].row_bytes;
    return (xmpi_opening_t){.layout = occasion->layout,
                            .resources = occasion->resources,
                            .calibration = &leader->calibration,
                            .profile = occasion->profile,
                            .here = occasion->here,
                            .weighted = occasion->weighted,
                            .prefix = occasion->prefix,
                            .learnt = learnt,
                            .bytes = bytes,
                            .tolerated = occasion->wishes->imbalance};
}

bool xmpi_leader_can_open(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion)
{
    const xmpi_policy_t *policy = occasion->policy;
    const xmpi_schedule_t *schedule = occasion->wishes->schedule;
    bool divides = xmpi_policy_uses(policy, XMPI_OF_BLOCKS) &&
                   occasion->wishes->division == XMPI_MHETA_BEST &&
                   (schedule == NULL || schedule->appointments == 0);
    const xmpi_opening_t opening = opening_of(leader, occasion, false);
    return divides && !occasion->movable && !occasion->sizes && occasion->iteration == 0 &&
           xmpi_opening_knows(&opening);
}

/* Whether the plan saves more than it costs in the iterations that are to come. */
static bool opening_pays(const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    enum { AT_LEAST = 100 }; /* where their number is not known */
    const xmpi_plan_t none = {0};
    int64_t left = occasion->bound > 0 ? remaining(occasion) : AT_LEAST;
    xmpi_prediction_t with, without;
    return step->predicts && !step->predictor.disks.known &&
           xmpi_predict(&step->predictor, &step->plan, left, &with) == XMPI_OK &&
           xmpi_predict(&step->predictor, &none, left, &without) == XMPI_OK &&
           with.total < without.total;
}

/* The occasion with what an earlier run has learnt of rows, which belongs to STEP. */
static xmpi_occasion_t with_learnt(const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    xmpi_occasion_t learnt = *occasion;
    if (!occasion->weighted && occasion->layout->domain <= weighed_most)
        step->weighed.prefix =
            xmpi_weigh_by_profile(occasion->profile, occasion->here, occasion->layout->domain);
    if (step->weighed.prefix == NULL)
        return learnt;
    learnt.prefix = step->weighed.prefix;
    learnt.weighted = true;
    learnt.prefix_of_entries = false;
    return learnt;
}

void xmpi_leader_open(xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                      xmpi_sample_t *samples, xmpi_step_t *step)
{
    memset(step, 0, sizeof *step);
    xmpi_occasion_t expected = with_learnt(occasion, step);
    expected.samples = samples;
    const xmpi_opening_t opening = opening_of(leader, &expected, step->weighed.prefix != NULL);
    xmpi_home_begin(&leader->home, occasion->layout);
    xmpi_status_t status = xmpi_opening_plan(&opening, samples, &step->plan);
    if (status != XMPI_OK || step->plan.places == 0) {
        step->outcome = status == XMPI_NEEDS_WEIGHTS ? XMPI_STEP_WEIGHS : XMPI_STEP_KEEPS;
        return;
    }
    step->predicts = make_predictor(leader, &expected, NULL, &step->predictor);
    if (step->predicts)
        step->predictor.at.prefix = expected.prefix;
    bool good = opening_pays(occasion, step) &&
                xmpi_plan_check_in_loop(&step->plan, occasion->layout, occasion->resources,
                                        &step->error) == XMPI_OK;
    step->outcome = good ? XMPI_STEP_CHANGES : XMPI_STEP_KEEPS;
    if (good)
        return;
    xmpi_plan_free(&step->plan);
    snprintf(step->plan.reason, sizeof step->plan.reason,
             "the move to the first layout takes longer than it saves");
}

/* --- an interval is over ---------------------------------------------------------------------- */

void xmpi_leader_step(xmpi_leader_t *leader, const xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    memset(step, 0, sizeof *step);
    step->was_expected = leader->expected_iterations == occasion->samples[0].iterations;
    step->expected = leader->expected;
    bool telling = take_in(leader, occasion, step);
    step->interval = next_interval(leader, occasion);
    if (occasion->waiting || !telling)
        return;
    const xmpi_occasion_t weighed = weighed_by(leader, occasion, step);
    learn(leader, &weighed, step);
    if (goes_by_home(leader, &weighed, step))
        xmpi_home_note(&leader->home, weighed.layout, weighed.samples, weighed.prefix,
                       remaining(&weighed));
    decide(leader, &weighed, step);
}

void xmpi_leader_step_again(xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                            xmpi_step_t *step)
{
    const xmpi_occasion_t weighed = weighed_by(leader, occasion, step);
    xmpi_plan_free(&step->plan);
    decide(leader, &weighed, step);
}

/* The step's predictor knows the speeds of the PEs that there are; here there may be more. */
xmpi_status_t xmpi_leader_worth(const xmpi_leader_t *leader, const xmpi_occasion_t *occasion,
                                xmpi_step_t *step, int most, xmpi_worth_t *worth, int *worths)
{
    const xmpi_occasion_t weighed = weighed_by(leader, occasion, step);
    xmpi_predictor_t predictor;
    *worths = 0;
    if (!step->predicts)
        return XMPI_OK;
    if (!make_predictor(leader, &weighed, &leader->history, &predictor))
        return XMPI_ERR_MEMORY;
    predictor.at.prefix = weighed.prefix;
    xmpi_view_t view = view_of(leader, &weighed, step);
    view.predictor = &predictor;
    xmpi_status_t status = xmpi_worth_of_members(&view, most, worth, worths);
    xmpi_predictor_free(&predictor);
    return status;
}

/* --- afterwards --------------------------------------------------------------------------------
 */

void xmpi_leader_changed(xmpi_leader_t *leader, const xmpi_prediction_t *predicted,
                         double processes, double redistribution)
{
    xmpi_model_t *model = &leader->model;
    if (predicted->same)
        xmpi_home_changed(&leader->home, processes + redistribution);
    if (predicted->total <= 0)
        return;
    double move = redistribution + (predicted->same ? processes : 0);
    if (!predicted->same)
        xmpi_model_compare(model, XMPI_PHASE_PROCESS, predicted->process, processes);
    xmpi_model_compare(model, XMPI_PHASE_REDISTRIBUTION, predicted->redistribution, move);
    xmpi_model_learn_change(model, &leader->calibration, predicted, processes, move);
}

void xmpi_leader_called_off(xmpi_leader_t *leader, int64_t iteration, int64_t interval)
{
    xmpi_policy_state_t *policy = &leader->policy;
    int doublings = policy->refusals < 20 ? policy->refusals++ : 20;
    policy->may_grow_from = iteration + interval * ((int64_t)1 << doublings);
    leader->expected_iterations = 0;
}

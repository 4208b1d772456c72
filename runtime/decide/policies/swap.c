/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "swap": processes on the slowest PEs go to the fastest idle ones when that pays (Sievert
 * 2003, ch. 5). Ranks and blocks stay as they are: a new process takes over from one that leaves.
 *
 * An iteration takes as long as its slowest member, so what is to become of it says who has to go:
 * everybody who takes longer, and nobody else. Sets of swaps are therefore the first members in the
 * order of their times, and the fewer the slower. All others gain as much with more swaps. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/policies/divide.h"
#include "decide/policies/moves.h"
#include "decide/policy/policy.h"

/* A speed may be as many standard errors less than it is taken for, or more: what an idle PE
 * promises has to stand out from that, or noise alone would make processes come and go. */
static const double doubt = 2;

/* Sets of swaps that are priced; where there are more, some in between are left out. */
enum { PRICED_MAX = 16 };

typedef struct {
    int rank;
    double work;    /* of an iteration */
    double seconds; /* that it takes */
    double least;   /* speed from which on a PE is quick enough for the gain of a process */
    bool may_go;
} member_t;

typedef struct {
    int pe;
    double speed; /* less its doubt */
    bool parked;
} idle_t;

/* So many of the first members go, and an iteration takes so many SECONDS of computation then. */
typedef struct {
    int swaps;
    double seconds;
} set_t;

/* A member, by its index, and the speed that it needs where it goes. */
typedef struct {
    int index;
    double needs;
} going_t;

/* The arrays are malloc. */
typedef struct {
    const xmpi_view_t *view;
    const xmpi_speeds_t *speeds;
    xmpi_speeds_t own;
    double others; /* seconds of an iteration that no swap changes: communication */
    int members, idles;
    member_t *member; /* the slowest first */
    idle_t *idle;     /* the quickest first */
    int *served;      /* scratch of fits, one more than idles */
    going_t *order;   /* scratch of make_plan */
} swapping_t;

/* --- what is known -----------------------------------------------------------------------------
 */

static int slower_first(const void *a, const void *b)
{
    const member_t *one = a, *other = b;
    return one->seconds != other->seconds ? (one->seconds < other->seconds ? 1 : -1)
                                          : one->rank - other->rank;
}

/* Of equal ones those whose process only has to be woken. */
static int quicker_first(const void *a, const void *b)
{
    const idle_t *one = a, *other = b;
    return one->speed != other->speed     ? (one->speed < other->speed ? 1 : -1)
           : one->parked != other->parked ? (int)other->parked - (int)one->parked
                                          : one->pe - other->pe;
}

static void add_members(swapping_t *s)
{
    const xmpi_view_t *view = s->view;
    for (int i = 0; i < view->layout->members; i++) {
        const xmpi_sample_t *sample = &view->samples[i];
        const xmpi_power_t *power = &s->speeds->member[i];
        double iterations = sample->iterations > 0 ? (double)sample->iterations : 1;
        double work = sample->work / iterations;
        double enough = power->speed * (1 + doubt * power->error) * (1 + view->swap.process_gain);
        s->member[s->members++] = (member_t){.rank = i,
                                             .work = work,
                                             .seconds = work / power->speed,
                                             .least = nextafter(enough, INFINITY),
                                             .may_go = xmpi_moves_may(view, i)};
    }
    qsort(s->member, (size_t)s->members, sizeof *s->member, slower_first);
}

/* A place beyond the processing elements of its node is none to itself. */
static void add_idle(swapping_t *s)
{
    const xmpi_resources_t *resources = s->view->resources;
    for (int i = 0; i < resources->pes; i++) {
        const xmpi_power_t *power = &s->speeds->pe[i];
        if (xmpi_pe_usable(resources, i) && !resources->pe[i].shared && isfinite(power->error))
            s->idle[s->idles++] = (idle_t){.pe = i,
                                           .speed = power->speed / (1 + doubt * power->error),
                                           .parked = resources->pe[i].parked};
    }
    qsort(s->idle, (size_t)s->idles, sizeof *s->idle, quicker_first);
}

static double other_seconds(const xmpi_view_t *view)
{
    xmpi_prediction_t measured;
    double iterations = (double)view->samples[0].iterations;
    xmpi_measured(view->samples, view->layout->members, &measured);
    return iterations > 0 ? (measured.communication + measured.io) / iterations : 0;
}

static void swapping_free(swapping_t *s)
{
    free(s->member);
    free(s->idle);
    free(s->served);
    free(s->order);
    xmpi_speeds_free(&s->own);
}

static xmpi_status_t swapping_make(swapping_t *s, const xmpi_view_t *view)
{
    xmpi_evidence_t evidence = {view->layout, view->resources, view->samples, view->history, NULL};
    size_t members = (size_t)view->layout->members + 1, pes = (size_t)view->resources->pes + 1;
    *s = (swapping_t){.view = view,
                      .member = calloc(members, sizeof *s->member),
                      .idle = calloc(pes, sizeof *s->idle),
                      .served = calloc(pes, sizeof *s->served),
                      .order = calloc(members, sizeof *s->order)};
    if (s->member == NULL || s->idle == NULL || s->served == NULL || s->order == NULL)
        return XMPI_ERR_MEMORY;
    s->speeds = &s->own;
    if (view->predictor != NULL)
        s->speeds = &view->predictor->speeds;
    else if (xmpi_speeds_make(&s->own, &evidence) != XMPI_OK)
        return XMPI_ERR_MEMORY;
    s->others = other_seconds(view);
    add_members(s);
    add_idle(s);
    return XMPI_OK;
}

/* --- who can go where --------------------------------------------------------------------------
 */

/* Speed that a member needs for its iteration to take SECONDS. */
static double need(const member_t *member, double seconds)
{
    return fmax(member->work / seconds, member->least);
}

/* How many idle PEs have at least this speed. */
static int as_quick(const swapping_t *s, double speed)
{
    int low = 0, high = s->idles;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->idle[middle].speed >= speed)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether each of the first SWAPS members finds a PE of its own with which it takes no longer than
 * SECONDS: PEs that do for one do for all that need less, so it is enough to count (Hall 1935). */
static bool fits(const swapping_t *s, int swaps, double seconds)
{
    int needed = 0;
    memset(s->served, 0, ((size_t)s->idles + 1) * sizeof *s->served);
    for (int i = 0; i < swaps; i++)
        s->served[as_quick(s, need(&s->member[i], seconds))]++;
    for (int quick = 0; quick <= s->idles; quick++) {
        needed += s->served[quick];
        if (needed > quick)
            return false;
    }
    return true;
}

/* Seconds of the slowest of those who stay. */
static double rest(const swapping_t *s, int swaps)
{
    return swaps < s->members ? s->member[swaps].seconds : 0;
}

/* Whether the first SWAPS members are all that take longer than the rest. */
static bool is_whole(const swapping_t *s, int swaps)
{
    return swaps > 0 && s->member[swaps - 1].seconds > rest(s, swaps);
}

/* The least seconds that the first SWAPS members, who fit in MOST, can come to. */
static double least_seconds(const swapping_t *s, int swaps, double most)
{
    enum { HALVINGS = 40 };
    double low = rest(s, swaps), high = most;
    for (int i = 0; i < HALVINGS && high - low > 1e-12 * high; i++) {
        double middle = low + (high - low) / 2;
        if (fits(s, swaps, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Most members that may go, as far as they come first. */
static int most_swaps(const swapping_t *s)
{
    int64_t allowed = s->view->swap.swaps > 0 ? s->view->swap.swaps : INT64_MAX;
    int most = 0;
    while (most < s->members && most < s->idles && most < allowed && s->member[most].may_go)
        most++;
    return most;
}

/* The most swaps with which all are as quick as the rest, of those up to MOST: more need more PEs,
 * and quicker ones. */
static int most_that_fit(const swapping_t *s, int most)
{
    int low = 0, high = most;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (rest(s, middle) > 0 && fits(s, middle, rest(s, middle)))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* All sets that are worth looking at, the best first, at most PRICED_MAX: those with which the
 * slowest of those who stay makes the time, and one more, with which it is one who went. */
static int find_sets(const swapping_t *s, set_t *set)
{
    int sets = 0, most = most_swaps(s), fit = most_that_fit(s, most), whole = 0, next = fit + 1;
    while (next <= most && !is_whole(s, next))
        next++;
    double now = rest(s, fit);
    if (next <= most && fits(s, next, nextafter(now, 0)))
        set[sets++] = (set_t){next, least_seconds(s, next, now)};
    for (int swaps = 1; swaps <= fit; swaps++)
        whole += is_whole(s, swaps);
    int every = (whole + PRICED_MAX - 3) / (PRICED_MAX - 2);
    for (int swaps = fit, i = 0; swaps > 0; swaps--)
        if (is_whole(s, swaps) && (i++ % every == 0 || i == whole))
            set[sets++] = (set_t){swaps, rest(s, swaps)};
    return sets;
}

/* --- plans -------------------------------------------------------------------------------------
 */

static int neediest_first(const void *a, const void *b)
{
    const going_t *one = a, *other = b;
    return one->needs != other->needs ? (one->needs < other->needs ? 1 : -1)
                                      : one->index - other->index;
}

/* The first members of ORDER by what they need, the most first. */
static void sort_by_need(const swapping_t *s, const set_t *set)
{
    for (int i = 0; i < set->swaps; i++)
        s->order[i] = (going_t){i, need(&s->member[i], set->seconds)};
    qsort(s->order, (size_t)set->swaps, sizeof *s->order, neediest_first);
}

/* The members of SET go to the quickest PEs, who needs most to the quickest one. */
static xmpi_status_t make_plan(const swapping_t *s, const set_t *set, xmpi_plan_t *plan,
                               xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_moves_none(s->view, plan, error);
    if (status != XMPI_OK)
        return status;
    plan->moves = s->view->movable;
    sort_by_need(s, set);
    for (int i = 0; i < set->swaps; i++) {
        xmpi_place_t *place = &plan->place[s->member[s->order[i].index].rank];
        place->origin = XMPI_TAKES_OVER;
        place->pe = s->idle[i].pe;
    }
    return XMPI_OK;
}

/* "0>5 3>7": which rank goes to which PE, as far as there is room. */
static void label(const xmpi_plan_t *plan, char *text)
{
    size_t used = 0;
    for (int i = 0; i < plan->places && used < XMPI_LABEL_MAX; i++)
        if (plan->place[i].origin == XMPI_TAKES_OVER)
            used += (size_t)snprintf(text + used, XMPI_LABEL_MAX - used, "%s%d>%d",
                                     used > 0 ? " " : "", i, plan->place[i].pe);
    if (used >= XMPI_LABEL_MAX)
        memcpy(text + XMPI_LABEL_MAX - 4, "...", 4);
}

/* --- whether it pays ---------------------------------------------------------------------------
 */

/* Seconds of an iteration, all phases. */
static double iteration_now(const swapping_t *s)
{
    return s->member[0].seconds + s->others;
}

static double iteration_with(const swapping_t *s, const set_t *set)
{
    return set->seconds + s->others;
}

static bool gains_enough(const swapping_t *s, const set_t *set)
{
    double gain = iteration_now(s) / iteration_with(s, set) - 1;
    return gain > s->view->swap.application_gain;
}

/* What cannot pay for itself in what is left of the loop never does. */
static bool pays(const xmpi_view_t *view, double payback)
{
    return payback >= 0 && payback < view->swap.payback &&
           (view->remaining < 0 || payback < (double)view->remaining);
}

/* Seconds of the iterations to come; of one where their number is not known. */
static double to_the_end(const xmpi_view_t *view, double iteration)
{
    return view->remaining >= 0 ? iteration * (double)view->remaining : iteration;
}

static void note_now(const swapping_t *s, xmpi_decision_t *decision)
{
    xmpi_alternative_t *stay = xmpi_decision_add(decision);
    if (stay == NULL)
        return;
    snprintf(stay->label, sizeof stay->label, "stay");
    stay->members = s->members;
    stay->seconds = to_the_end(s->view, iteration_now(s));
    stay->feasible = true;
}

/* Makes PLAN of SET, prices it, and adds it to DECISION; whether it pays. */
static xmpi_status_t try_set(const swapping_t *s, const set_t *set, xmpi_plan_t *plan,
                             xmpi_decision_t *decision, double *payback, xmpi_error_t *error)
{
    xmpi_status_t status = make_plan(s, set, plan, error);
    if (status != XMPI_OK)
        return status;
    double change = xmpi_policy_change_seconds(s->view, plan), now = iteration_now(s);
    *payback = xmpi_swap_payback(change, now, 1 / now, 1 / iteration_with(s, set));
    xmpi_alternative_t *alternative = xmpi_decision_add(decision);
    if (alternative == NULL)
        return XMPI_OK;
    label(plan, alternative->label);
    alternative->members = plan->places;
    alternative->seconds = to_the_end(s->view, iteration_with(s, set)) + change;
    alternative->reconfiguration = change;
    alternative->payback = *payback;
    alternative->feasible = pays(s->view, *payback);
    return XMPI_OK;
}

/* Without a plan, but for why. */
static xmpi_status_t keep(xmpi_plan_t *plan, xmpi_decision_t *decision, const char *why)
{
    xmpi_plan_free(plan);
    snprintf(plan->reason, sizeof plan->reason, "%s", why);
    memcpy(decision->reason, plan->reason, sizeof decision->reason);
    decision->chosen = decision->alternatives > 0 ? 0 : -1;
    return XMPI_OK;
}

static xmpi_status_t take(const swapping_t *s, const set_t *set, double payback, xmpi_plan_t *plan,
                          xmpi_decision_t *decision)
{
    snprintf(plan->reason, sizeof plan->reason,
             "%d to quicker processing elements: an iteration of %.3g s takes %.3g s then, paid "
             "back after %.3g iterations",
             set->swaps, iteration_now(s), iteration_with(s, set), payback);
    memcpy(decision->reason, plan->reason, sizeof decision->reason);
    decision->chosen = decision->alternatives - 1;
    return XMPI_OK;
}

static xmpi_status_t choose(const swapping_t *s, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    set_t set[PRICED_MAX];
    int sets = find_sets(s, set);
    if (sets == 0)
        return keep(plan, decision, "no idle processing elements make it quicker");
    note_now(s, decision);
    for (int i = 0; i < sets && gains_enough(s, &set[i]); i++) {
        double payback;
        xmpi_status_t status = try_set(s, &set[i], plan, decision, &payback, error);
        if (status != XMPI_OK)
            return status;
        if (pays(s->view, payback))
            return take(s, &set[i], payback, plan, decision);
        xmpi_plan_free(plan);
    }
    return keep(plan, decision,
                gains_enough(s, &set[0]) ? "no swaps pay for themselves soon enough"
                                         : "swaps would gain too little");
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    swapping_t s;
    memset(plan, 0, sizeof *plan);
    if (!view->may_grow)
        return keep(plan, decision, "processes could not be had lately");
    xmpi_status_t status = swapping_make(&s, view);
    if (status == XMPI_OK)
        status = choose(&s, plan, decision, error);
    else
        xmpi_error_set(error, status, "no memory to plan swaps");
    swapping_free(&s);
    return status;
}

const xmpi_policy_t xmpi_policy_swap = {
    .name = "swap",
    .help = "exchange the slowest processing elements for quicker idle ones when that pays, as "
            "XMPI_SWAP says",
    .uses =
        XMPI_OF_BOUND | XMPI_OF_PREDICTIONS | XMPI_OF_PROCESSES | XMPI_OF_FORECASTS | XMPI_OF_IDLE,
    .settings = "application_gain forecast history payback process_gain swap swaps",
    .decide = decide,
    .move = decide,
};

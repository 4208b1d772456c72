/* SPDX-License-Identifier: BSD-3-Clause
 * Swapping: members and idle PEs by what they can do, and the sets of swaps among them. */
#include "decide/planning/swapping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/planning/divide.h"
#include "decide/planning/moves.h"

/* A member, by its index, and the speed that it needs where it goes. */
struct xmpi_swap_going {
    int index;
    double needs;
};

/* --- what is known -----------------------------------------------------------------------------
 */

static int slower_first(const void *a, const void *b)
{
    const xmpi_swap_member_t *one = a, *other = b;
    return one->seconds != other->seconds ? (one->seconds < other->seconds ? 1 : -1)
                                          : one->rank - other->rank;
}

/* Of equal ones those whose process only has to be woken. */
static int quicker_first(const void *a, const void *b)
{
    const xmpi_swap_idle_t *one = a, *other = b;
    return one->speed != other->speed     ? (one->speed < other->speed ? 1 : -1)
           : one->parked != other->parked ? (int)other->parked - (int)one->parked
                                          : one->pe - other->pe;
}

static int weaker_first(const void *a, const void *b)
{
    const xmpi_swap_member_t *one = a, *other = b;
    return one->speed != other->speed ? (one->speed < other->speed ? -1 : 1)
                                      : one->rank - other->rank;
}

/* By how much a speed may be less or more than it is taken for. */
static double doubt_of(const xmpi_view_t *view, const xmpi_power_t *power)
{
    return view->swap.doubt > 0 ? 1 + view->swap.doubt * power->error : 1;
}

static void add_members(xmpi_swapping_t *s)
{
    const xmpi_view_t *view = s->view;
    for (int i = 0; i < view->layout->members; i++) {
        const xmpi_sample_t *sample = &view->samples[i];
        const xmpi_power_t *power = &s->speeds->member[i];
        double iterations = sample->iterations > 0 ? (double)sample->iterations : 1;
        double work = sample->work / iterations;
        double surely = power->speed * doubt_of(view, power);
        double enough = surely * (1 + view->swap.process_gain);
        s->member[s->members++] = (xmpi_swap_member_t){.rank = i,
                                                       .work = work,
                                                       .seconds = work / power->speed,
                                                       .speed = power->speed,
                                                       .least = nextafter(enough, INFINITY),
                                                       .may_go = xmpi_moves_may(view, i)};
        s->work += work;
        s->before[i + 1] = s->work;
        if (s->member[i].may_go)
            s->slow[s->slows++] = s->member[i];
    }
    qsort(s->slow, (size_t)s->slows, sizeof *s->slow, weaker_first);
    qsort(s->member, (size_t)s->members, sizeof *s->member, slower_first);
}

/* A place beyond the processing elements of its node is none to itself. */
static void add_idle(xmpi_swapping_t *s)
{
    const xmpi_resources_t *resources = s->view->resources;
    for (int i = 0; i < resources->pes; i++) {
        const xmpi_power_t *power = &s->speeds->pe[i];
        if (xmpi_pe_usable(resources, i) && !resources->pe[i].shared && isfinite(power->error))
            s->idle[s->idles++] =
                (xmpi_swap_idle_t){.pe = i,
                                   .speed = power->speed / doubt_of(s->view, power),
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

void xmpi_swapping_free(xmpi_swapping_t *s)
{
    free(s->member);
    free(s->slow);
    free(s->before);
    free(s->idle);
    free(s->served);
    free(s->order);
    xmpi_speeds_free(&s->own);
}

xmpi_status_t xmpi_swapping_make(xmpi_swapping_t *s, const xmpi_view_t *view)
{
    xmpi_evidence_t evidence = {view->layout, view->resources, view->samples, view->history, NULL};
    size_t members = (size_t)view->layout->members + 1, pes = (size_t)view->resources->pes + 1;
    *s = (xmpi_swapping_t){.view = view,
                           .member = calloc(members, sizeof *s->member),
                           .slow = calloc(members, sizeof *s->slow),
                           .before = calloc(members, sizeof *s->before),
                           .idle = calloc(pes, sizeof *s->idle),
                           .served = calloc(pes, sizeof *s->served),
                           .order = calloc(members, sizeof *s->order)};
    if (s->member == NULL || s->slow == NULL || s->before == NULL || s->idle == NULL ||
        s->served == NULL || s->order == NULL)
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
static double need(const xmpi_swap_member_t *member, double seconds)
{
    return fmax(member->work / seconds, member->least);
}

/* How many idle PEs have at least this speed. */
static int as_quick(const xmpi_swapping_t *s, double speed)
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
static bool fits(const xmpi_swapping_t *s, int swaps, double seconds)
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
static double rest(const xmpi_swapping_t *s, int swaps)
{
    return swaps < s->members ? s->member[swaps].seconds : 0;
}

/* Whether the first SWAPS members are all that take longer than the rest. */
static bool is_whole(const xmpi_swapping_t *s, int swaps)
{
    return swaps > 0 && s->member[swaps - 1].seconds > rest(s, swaps);
}

/* The least seconds that the first SWAPS members, who fit in MOST, can come to. */
static double least_seconds(const xmpi_swapping_t *s, int swaps, double most)
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

static int64_t allowed_swaps(const xmpi_view_t *view)
{
    return view->swap.swaps > 0 ? view->swap.swaps : INT64_MAX;
}

/* Most members that may go, as far as they come first. */
static int most_swaps(const xmpi_swapping_t *s)
{
    int64_t allowed = allowed_swaps(s->view);
    int most = 0;
    while (most < s->members && most < s->idles && most < allowed && s->member[most].may_go)
        most++;
    return most;
}

/* The most swaps with which all are as quick as the rest, of those up to MOST: more need more PEs,
 * and quicker ones. */
static int most_that_fit(const xmpi_swapping_t *s, int most)
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

/* All sets that are worth looking at, the best first, at most XMPI_SETS_KEPT: those with which the
 * slowest of those who stay makes the time, and one more, with which it is one who went. */
int xmpi_swapping_kept(const xmpi_swapping_t *s, xmpi_swap_set_t *set)
{
    int sets = 0, most = most_swaps(s), fit = most_that_fit(s, most), whole = 0, next = fit + 1;
    while (next <= most && !is_whole(s, next))
        next++;
    double now = rest(s, fit);
    if (next <= most && fits(s, next, nextafter(now, 0)))
        set[sets++] = (xmpi_swap_set_t){.swaps = next, .seconds = least_seconds(s, next, now)};
    for (int swaps = 1; swaps <= fit; swaps++)
        whole += is_whole(s, swaps);
    int every = (whole + XMPI_SETS_KEPT - 3) / (XMPI_SETS_KEPT - 2);
    for (int swaps = fit, i = 0; swaps > 0; swaps--)
        if (is_whole(s, swaps) && (i++ % every == 0 || i == whole))
            set[sets++] = (xmpi_swap_set_t){.swaps = swaps, .seconds = rest(s, swaps)};
    return sets;
}

/* --- rows divided anew ---------------------------------------------------------------------------
 */

/* Whether all of the SWAPS slowest gain enough on the as many quickest PEs, where the slowest takes
 * the least quick one: if they do not so, they do not in any way. */
static bool all_gain(const xmpi_swapping_t *s, int swaps)
{
    for (int i = 0; i < swaps; i++)
        if (s->idle[swaps - 1 - i].speed < s->slow[i].least)
            return false;
    return true;
}

/* The most swaps of which each makes all together quicker. */
static int most_divided(const xmpi_swapping_t *s)
{
    int64_t allowed = allowed_swaps(s->view);
    int low = 0, high = 0;
    while (high < s->slows && high < s->idles && high < allowed &&
           s->idle[high].speed > s->slow[high].speed)
        high++;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (all_gain(s, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int xmpi_swapping_divided(const xmpi_swapping_t *s, xmpi_swap_set_t *set)
{
    int sets = 0, most = most_divided(s);
    int every = (most + XMPI_SETS_DIVIDED - 1) / XMPI_SETS_DIVIDED;
    double speed = 0;
    for (int i = 0; i < s->members; i++)
        speed += s->member[i].speed;
    for (int i = 0; i < most; i++)
        speed += s->idle[i].speed - s->slow[i].speed;
    for (int swaps = most; swaps > 0; swaps--) {
        if ((most - swaps) % every == 0)
            set[sets++] =
                (xmpi_swap_set_t){.swaps = swaps, .divides = true, .seconds = s->work / speed};
        speed -= s->idle[swaps - 1].speed - s->slow[swaps - 1].speed;
    }
    return sets;
}

/* Work of the rows before ROW in an iteration: by their weights, or, where these are not known,
 * what its present member has in all of its rows alike. */
static double work_before(const xmpi_swapping_t *s, int64_t row)
{
    const xmpi_layout_t *layout = s->view->layout;
    const double *prefix = s->view->prefix;
    if (prefix != NULL && prefix[layout->domain] > 0)
        return s->work * prefix[row] / prefix[layout->domain];
    int low = 0, high = layout->members;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const xmpi_block_t *block = &layout->member[middle].block;
        if (block->displ + block->count < row)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == layout->members)
        return s->work;
    const xmpi_block_t *block = &layout->member[low].block;
    double share = block->count > 0 ? (double)(row - block->displ) / (double)block->count : 0;
    return s->before[low] + share * (s->before[low + 1] - s->before[low]);
}

static double work_of(const xmpi_swapping_t *s, const xmpi_block_t *block)
{
    return work_before(s, block->displ + block->count) - work_before(s, block->displ);
}

double xmpi_swapping_seconds(const xmpi_swapping_t *s, const xmpi_plan_t *plan)
{
    double most = 0;
    for (int i = 0; i < plan->places; i++) {
        const xmpi_place_t *place = &plan->place[i];
        bool stays = place->origin == XMPI_STAYS;
        const xmpi_power_t *power =
            stays ? &s->speeds->member[place->from] : &s->speeds->pe[place->pe];
        double speed = stays ? power->speed : power->speed / doubt_of(s->view, power);
        most = fmax(most, work_of(s, &place->block) / speed);
    }
    return most;
}

/* --- plans -------------------------------------------------------------------------------------
 */

static int neediest_first(const void *a, const void *b)
{
    const xmpi_swap_going_t *one = a, *other = b;
    return one->needs != other->needs ? (one->needs < other->needs ? 1 : -1)
                                      : one->index - other->index;
}

/* The first members of ORDER by what they need, the most first. */
static void sort_by_need(const xmpi_swapping_t *s, const xmpi_swap_set_t *set)
{
    for (int i = 0; i < set->swaps; i++)
        s->order[i] = (xmpi_swap_going_t){i, need(&s->member[i], set->seconds)};
    qsort(s->order, (size_t)set->swaps, sizeof *s->order, neediest_first);
}

/* The members of SET go to the quickest PEs, who needs most to the quickest one. */
static void send_longest(const xmpi_swapping_t *s, const xmpi_swap_set_t *set, xmpi_plan_t *plan)
{
    sort_by_need(s, set);
    for (int i = 0; i < set->swaps; i++)
        plan->place[s->member[s->order[i].index].rank].pe = s->idle[i].pe;
}

static void send_slowest(const xmpi_swapping_t *s, const xmpi_swap_set_t *set, xmpi_plan_t *plan)
{
    for (int i = 0; i < set->swaps; i++)
        plan->place[s->slow[i].rank].pe = s->idle[set->swaps - 1 - i].pe;
}

xmpi_status_t xmpi_swapping_plan(const xmpi_swapping_t *s, xmpi_swap_set_t *set, xmpi_plan_t *plan,
                                 xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_moves_none(s->view, plan, error);
    if (status != XMPI_OK)
        return status;
    plan->moves = s->view->movable;
    if (set->divides)
        send_slowest(s, set, plan);
    else
        send_longest(s, set, plan);
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].pe >= 0)
            plan->place[i].origin = XMPI_TAKES_OVER;
    if (!set->divides)
        return XMPI_OK;
    status = xmpi_policy_divide(s->view, plan);
    if (status == XMPI_OK)
        set->seconds = xmpi_swapping_seconds(s, plan);
    else
        xmpi_plan_free(plan);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to plan swaps");
    return status;
}

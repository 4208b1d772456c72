/* SPDX-License-Identifier: BSD-3-Clause
 * The opening: the first layout of a loop. */
#include "decide/leader/opening.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What must be gained at least where speeds are of this program, and where they are of other work,
 * in which machines may differ as much. */
static const double gain_of_own = 0.03, gain_of_calibrated = 0.2;

/* The share of the work that may have been recorded in other blocks than it is weighed in. */
static const double doubt = 0.05;

/* --- speeds ------------------------------------------------------------------------------------
 */

typedef struct {
    double *speed; /* of each member; malloc */
    bool own;      /* of this program: work per second; else only ratios count */
} speeds_t;

static bool is_known(const xmpi_opening_t *opening)
{
    char why[XMPI_REASON_MAX];
    return opening->profile != NULL && opening->profile->points > 0 &&
           xmpi_profile_is_of(opening->profile, opening->here, why, sizeof why);
}

/* The class of the PE that a member has to itself; NULL: it has none. */
static const char *class_of(const xmpi_opening_t *opening, int pe)
{
    const xmpi_resources_t *resources = opening->resources;
    return pe < 0 || resources->pe[pe].shared
               ? NULL
               : resources->class_name[resources->pe[pe].class_index];
}

static bool find(const xmpi_opening_t *opening, const int *pe, bool own, double *speed)
{
    for (int i = 0; i < opening->layout->members; i++) {
        const char *name = class_of(opening, pe[i]);
        speed[i] = name == NULL ? 0
                   : own        ? xmpi_profile_speed(opening->profile, opening->here, name)
                                : xmpi_calibration_speed(opening->calibration, name);
        if (!(speed[i] > 0))
            return false;
    }
    return true;
}

/* Speeds that are known of all members, from one source; false: of none, or there is no memory. */
static bool find_speeds(const xmpi_opening_t *opening, speeds_t *speeds)
{
    int *pe = xmpi_members_pes(opening->layout, opening->resources);
    *speeds = (speeds_t){.speed = calloc((size_t)opening->layout->members + 1, sizeof(double))};
    bool room = pe != NULL && speeds->speed != NULL;
    speeds->own = room && is_known(opening) && find(opening, pe, true, speeds->speed);
    bool found = speeds->own || (room && find(opening, pe, false, speeds->speed));
    free(pe);
    return found;
}

bool xmpi_opening_knows(const xmpi_opening_t *opening)
{
    speeds_t speeds;
    bool known = opening->layout->members > 1 && find_speeds(opening, &speeds);
    if (opening->layout->members > 1)
        free(speeds.speed);
    return known;
}

/* --- work --------------------------------------------------------------------------------------
 */

/* The share of the work that lies in BLOCK, as rows are weighed. */
static double share(const xmpi_opening_t *opening, const xmpi_block_t *block)
{
    const double *prefix = opening->prefix;
    int64_t domain = opening->layout->domain;
    if (!opening->weighted || !(prefix[domain] > 0))
        return (double)block->count / (double)domain;
    return (prefix[block->displ + block->count] - prefix[block->displ]) / prefix[domain];
}

/* Whether the profile has seen the work where the weights say that it is. */
static bool agrees(const xmpi_opening_t *opening)
{
    double before[XMPI_PROFILE_PARTS + 1];
    const xmpi_profile_t *profile = opening->profile;
    const xmpi_layout_t *layout = opening->layout;
    double elsewhere = 0;
    if (opening->learnt || !is_known(opening) ||
        !xmpi_profile_shares(profile, 0, profile->point[0].iteration, before))
        return true;
    for (int i = 0; i < layout->members; i++) {
        const xmpi_block_t *block = &layout->member[i].block;
        double recorded = xmpi_profile_share(before, layout->domain, block);
        elsewhere += fabs(recorded - share(opening, block)) / 2;
    }
    return elsewhere <= doubt;
}

/* Seconds of an iteration that is balanced, where nobody knows: in which each member touches its
 * rows once, and as many as make a program worth adapting at least. */
static double likely_seconds(const xmpi_opening_t *opening)
{
    static const double least = 1e-3;
    double touched = opening->bytes / opening->layout->members;
    return fmax(touched * opening->calibration->fresh, least);
}

/* Makes SPEEDS work per second, and returns the work of an iteration. */
static double scale(const xmpi_opening_t *opening, speeds_t *speeds)
{
    double sum = 0;
    int members = opening->layout->members;
    double work = is_known(opening) ? xmpi_profile_work(opening->profile, 0, 1) : 1;
    if (!(work > 0))
        work = 1;
    for (int i = 0; i < members; i++)
        sum += speeds->speed[i];
    for (int i = 0; i < members && !speeds->own; i++)
        speeds->speed[i] *= work / likely_seconds(opening) / sum;
    return work;
}

static void expect(const xmpi_opening_t *opening, const speeds_t *speeds, double work,
                   xmpi_sample_t *samples)
{
    double longest = 0;
    for (int i = 0; i < opening->layout->members; i++) {
        double own = work * share(opening, &opening->layout->member[i].block);
        double seconds = own / speeds->speed[i];
        samples[i] =
            (xmpi_sample_t){.iterations = 1, .work = own, .computation = seconds, .cpu = seconds};
        longest = fmax(longest, seconds);
    }
    for (int i = 0; i < opening->layout->members; i++)
        samples[i].wall = longest;
}

/* --- the plan ----------------------------------------------------------------------------------
 */

static double longest(const xmpi_opening_t *opening, const xmpi_plan_t *plan,
                      const speeds_t *speeds, double work)
{
    double most = 0;
    for (int i = 0; i < plan->places; i++)
        most = fmax(most, work * share(opening, &plan->place[i].block) / speeds->speed[i]);
    return most;
}

/* Leaves PLAN without places where it does not gain enough; says why in either case. */
static void judge(const xmpi_opening_t *opening, const speeds_t *speeds, double now, double then,
                  xmpi_plan_t *plan)
{
    const char *source = speeds->own ? "profile" : "calibration";
    double gain = now > 0 ? 1 - then / now : 0;
    double least = fmax(opening->tolerated, speeds->own ? gain_of_own : gain_of_calibrated);
    bool good = gain > least;
    if (!good)
        xmpi_plan_free(plan);
    snprintf(plan->reason, sizeof plan->reason,
             good ? "by the %s an iteration takes %.1f %% less"
                  : "by the %s an iteration would take no more than %.1f %% less",
             source, 100 * fmax(gain, 0));
}

static xmpi_status_t divide(const xmpi_opening_t *opening, speeds_t *speeds, xmpi_sample_t *samples,
                            xmpi_plan_t *plan)
{
    const xmpi_layout_t *layout = opening->layout;
    xmpi_status_t status = xmpi_plan_alloc(plan, layout->members);
    for (int i = 0; i < plan->places; i++)
        plan->place[i] = (xmpi_place_t){.origin = XMPI_STAYS, .from = i, .pe = -1};
    double work = scale(opening, speeds);
    expect(opening, speeds, work, samples);
    if (status == XMPI_OK)
        status = xmpi_plan_divide(plan, layout->domain, opening->weighted ? opening->prefix : NULL,
                                  speeds->speed);
    if (status == XMPI_OK)
        judge(opening, speeds, samples[0].wall, longest(opening, plan, speeds, work), plan);
    else
        xmpi_plan_free(plan);
    return status;
}

xmpi_status_t xmpi_opening_plan(const xmpi_opening_t *opening, xmpi_sample_t *samples,
                                xmpi_plan_t *plan)
{
    speeds_t speeds;
    xmpi_status_t status = XMPI_OK;
    *plan = (xmpi_plan_t){0};
    if (opening->weighted && opening->prefix == NULL)
        return XMPI_NEEDS_WEIGHTS;
    if (!find_speeds(opening, &speeds))
        snprintf(plan->reason, sizeof plan->reason, "not all speeds are known");
    else if (!agrees(opening))
        snprintf(plan->reason, sizeof plan->reason,
                 "the profile has seen the work elsewhere than the weights of the rows say");
    else
        status = divide(opening, &speeds, samples, plan);
    free(speeds.speed);
    return status;
}

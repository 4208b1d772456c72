/* SPDX-License-Identifier: BSD-3-Clause
 * Sharing a system. All aims are one search: each job has its least at first; then what is left
 * goes, step by step, to the job whose next better option is worth most per processing element. */
#include "decide/sharing/sharing.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const char *const xmpi_share_aim_name[XMPI_SHARE_AIMS] = {"equal", "late", "use", "energy"};

/* The step that a job would take next. */
typedef struct {
    int at, next; /* options; next == at: there is none that is better */
    double worth; /* of the step, per processing element */
} step_t;

static const xmpi_worth_t *option(const xmpi_sharing_t *sharing, int job, int index)
{
    return &sharing->job[job].option[index];
}

/* Joules of a job until it is done: its members are busy, and of the processing elements that are
 * its equal share the others are idle for as long. */
static double energy(const xmpi_sharing_t *sharing, const xmpi_worth_t *worth)
{
    double idle = (double)sharing->pes / sharing->jobs - worth->members;
    return worth->seconds * (sharing->busy * worth->members + sharing->idle * idle);
}

/* What the step from option FROM to TO of JOB is worth in all; nothing that is not positive is
 * taken. */
static double worth_of(const xmpi_sharing_t *sharing, int job, const xmpi_worth_t *from,
                       const xmpi_worth_t *to)
{
    const xmpi_worth_t *least = option(sharing, job, 0);
    int more = to->members - from->members;
    switch (sharing->aim) {
    case XMPI_SHARE_EQUALLY: /* who has the fewest */
        return (double)more / to->members;
    case XMPI_SHARE_ENERGY:
        return energy(sharing, from) - energy(sharing, to);
    case XMPI_SHARE_FEWEST_LATE: /* with what is left when those that can be are in time */
    case XMPI_SHARE_UTILISATION: /* work per second, in terms of what its least do */
    default:
        return least->members * least->seconds * (1 / to->seconds - 1 / from->seconds);
    }
}

/* The next option in which the job is done sooner than where it is: a change that does not pay is
 * none. */
static void look_ahead(const xmpi_sharing_t *sharing, int job, step_t *step)
{
    const xmpi_worth_t *from = option(sharing, job, step->at);
    step->next = step->at;
    for (int i = step->at + 1; i < sharing->job[job].options; i++) {
        const xmpi_worth_t *to = option(sharing, job, i);
        if (!(to->seconds < from->seconds))
            continue;
        double worth = worth_of(sharing, job, from, to);
        if (!(worth > 0))
            continue;
        step->next = i;
        step->worth = worth / (to->members - from->members);
        return;
    }
}

static int more_of(const xmpi_sharing_t *sharing, const step_t *step, int job)
{
    return option(sharing, job, step[job].next)->members -
           option(sharing, job, step[job].at)->members;
}

/* The job whose step is worth most of those that LEFT processing elements are enough for. */
static int best_of(const xmpi_sharing_t *sharing, const step_t *step, int left)
{
    int best = -1;
    for (int i = 0; i < sharing->jobs; i++)
        if (step[i].next != step[i].at && more_of(sharing, step, i) <= left &&
            (best < 0 || step[i].worth > step[best].worth))
            best = i;
    return best;
}

static void give(const xmpi_sharing_t *sharing, step_t *step, int left)
{
    for (int i = 0; i < sharing->jobs; i++)
        look_ahead(sharing, i, &step[i]);
    for (int job; (job = best_of(sharing, step, left)) >= 0;) {
        left -= more_of(sharing, step, job);
        step[job].at = step[job].next;
        look_ahead(sharing, job, &step[job]);
    }
}

/* --- in time -----------------------------------------------------------------------------------
 */

/* The first option with which JOB is in time; its least where it is not with any. */
static int in_time(const xmpi_claimant_t *job)
{
    for (int i = 0; i < job->options; i++)
        if (job->option[i].seconds <= job->due)
            return i;
    return 0;
}

int xmpi_share_fewest(xmpi_share_aim_t aim, const xmpi_claimant_t *job)
{
    return job->option[aim == XMPI_SHARE_FEWEST_LATE ? in_time(job) : 0].members;
}

/* Who needs the fewest to be in time gets them first, so that the most are. What is left then. */
static int give_for_time(const xmpi_sharing_t *sharing, step_t *step, int left)
{
    for (int i = 0; i < sharing->jobs; i++)
        step[i].next = in_time(&sharing->job[i]);
    for (;;) {
        int best = -1;
        for (int i = 0; i < sharing->jobs; i++)
            if (step[i].next != step[i].at && more_of(sharing, step, i) <= left &&
                (best < 0 || more_of(sharing, step, i) < more_of(sharing, step, best)))
                best = i;
        if (best < 0)
            return left;
        left -= more_of(sharing, step, best);
        step[best].at = step[best].next;
    }
}

xmpi_status_t xmpi_share_out(const xmpi_sharing_t *sharing, int *members)
{
    int left = sharing->pes;
    step_t *step = calloc((size_t)sharing->jobs + 1, sizeof *step);
    if (step == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < sharing->jobs; i++)
        left -= option(sharing, i, 0)->members;
    if (left >= 0 && sharing->aim == XMPI_SHARE_FEWEST_LATE)
        left = give_for_time(sharing, step, left);
    if (left >= 0)
        give(sharing, step, left);
    for (int i = 0; i < sharing->jobs; i++)
        members[i] = option(sharing, i, step[i].at)->members;
    free(step);
    return left >= 0 ? XMPI_OK : XMPI_ERR_INPUT;
}

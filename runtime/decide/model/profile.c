/* SPDX-License-Identifier: BSD-3-Clause
 * Profile: the work of an irregular program by iteration. */
#include "decide/model/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The segment of the profile that ITERATION is in: from point LOW - 1, or the begin of the loop, to
 * point LOW; the last segment also serves what lies behind it. */
static int segment_of(const xmpi_profile_t *profile, double iteration)
{
    int low = 0, high = profile->points - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if ((double)profile->point[middle].iteration >= iteration)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int64_t begin_of(const xmpi_profile_t *profile, int segment)
{
    return segment > 0 ? profile->point[segment - 1].iteration : 0;
}

static double length_of(const xmpi_profile_t *profile, int segment)
{
    return (double)(profile->point[segment].iteration - begin_of(profile, segment));
}

/* How much of its segment is over at ITERATION: 0 to 1, more behind the last, less before the
 * first. */
static double passed(const xmpi_profile_t *profile, int segment, double iteration)
{
    double iterations = length_of(profile, segment);
    return iterations > 0 ? (iteration - (double)begin_of(profile, segment)) / iterations : 0;
}

/* Work from the begin of the loop to ITERATION. */
static double work_until(const xmpi_profile_t *profile, double iteration)
{
    int segment = segment_of(profile, iteration);
    double begin = segment > 0 ? profile->point[segment - 1].work : 0;
    return begin + (profile->point[segment].work - begin) * passed(profile, segment, iteration);
}

double xmpi_profile_work(const xmpi_profile_t *profile, int64_t from, int64_t to)
{
    return profile->points > 0 ? work_until(profile, (double)to) - work_until(profile, (double)from)
                               : 0;
}

/* --- what it is of -----------------------------------------------------------------------------
 */

bool xmpi_profile_is_of(const xmpi_profile_t *profile, const xmpi_profile_origin_t *here, char *why,
                        size_t room)
{
    const xmpi_profile_origin_t *origin = &profile->origin;
    if (origin->loop[0] == '\0' || origin->domain <= 0)
        snprintf(why, room, "it does not say of which loop it is");
    else if (strcmp(origin->loop, here->loop) != 0)
        snprintf(why, room, "it is of the loop %s", origin->loop);
    else if (origin->domain != here->domain)
        snprintf(why, room, "it is of %" PRId64 " rows instead of %" PRId64, origin->domain,
                 here->domain);
    else if (strcmp(origin->counter, here->counter) != 0)
        snprintf(why, room, "its work was counted by %.64s instead of %.64s", origin->counter,
                 here->counter);
    else
        return true;
    return false;
}

double xmpi_profile_speed(const xmpi_profile_t *profile, const xmpi_profile_origin_t *here,
                          const char *class_name)
{
    if (profile->origin.machine[0] == '\0' || strcmp(profile->origin.machine, here->machine) != 0)
        return 0;
    for (int i = 0; i < profile->classes; i++)
        if (strcmp(profile->class_speed[i].name, class_name) == 0)
            return profile->class_speed[i].speed;
    return 0;
}

/* --- parts of the domain ----------------------------------------------------------------------
 */

/* Adds SIGN times the work of each part until ITERATION. */
static void add_until(const xmpi_profile_t *profile, double iteration, double sign, double *work)
{
    int segment = segment_of(profile, iteration);
    double share = passed(profile, segment, iteration);
    const double *end = profile->parts[segment].work;
    const double *begin = segment > 0 ? profile->parts[segment - 1].work : NULL;
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++) {
        double before = begin != NULL ? begin[i] : 0;
        work[i] += sign * (before + share * (end[i] - before));
    }
}

/* Makes BEFORE the shares of WORK, by part; false where there is none. */
static bool add_up(const double *work, double *before)
{
    double sum = 0;
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++) {
        before[i] = sum;
        sum += fmax(0, work[i]);
    }
    before[XMPI_PROFILE_PARTS] = sum;
    for (int i = 0; i <= XMPI_PROFILE_PARTS && sum > 0; i++)
        before[i] /= sum;
    return sum > 0;
}

/* Makes BEFORE the shares of the work between two moments. */
static bool shares_between(const xmpi_profile_t *profile, double from, double to, double *before)
{
    double work[XMPI_PROFILE_PARTS] = {0};
    if (profile->points == 0 || profile->parts == NULL)
        return false;
    add_until(profile, to, 1, work);
    add_until(profile, from, -1, work);
    return add_up(work, before);
}

bool xmpi_profile_shares(const xmpi_profile_t *profile, int64_t from, int64_t to, double *before)
{
    return shares_between(profile, (double)from, (double)to, before);
}

bool xmpi_profile_weights(const xmpi_profile_t *profile, double *before)
{
    return profile->weighed && add_up(profile->weight.work, before);
}

/* The sum before the part that begins at PART; a border may be within a row. */
static double sum_before(const double *prefix, int64_t domain, int part)
{
    double at = (double)part * (double)domain / XMPI_PROFILE_PARTS;
    int64_t row = at < (double)domain ? (int64_t)at : domain - 1;
    return prefix[row] + (at - (double)row) * (prefix[row + 1] - prefix[row]);
}

void xmpi_profile_take_weights(const double *prefix, int64_t domain, xmpi_profile_parts_t *parts)
{
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++)
        parts->work[i] = fmax(0, sum_before(prefix, domain, i + 1) - sum_before(prefix, domain, i));
}

/* The share before ROW; within a part its rows are taken to be alike. */
static double share_before(const double *before, int64_t domain, int64_t row)
{
    double at = (double)row * XMPI_PROFILE_PARTS / (double)domain;
    int part = at < XMPI_PROFILE_PARTS ? (int)at : XMPI_PROFILE_PARTS - 1;
    return before[part] + (at - part) * (before[part + 1] - before[part]);
}

double xmpi_profile_share(const double *before, int64_t domain, const xmpi_block_t *block)
{
    return domain > 0 ? share_before(before, domain, block->displ + block->count) -
                            share_before(before, domain, block->displ)
                      : 0;
}

/* Where, counted in parts, the shares BEFORE reach SHARE. */
static double position_of(const double *before, double share)
{
    int part = 0;
    while (part < XMPI_PROFILE_PARTS - 1 && before[part + 1] < share)
        part++;
    double own = before[part + 1] - before[part];
    double within = own > 0 ? (share - before[part]) / own : 0;
    return part + fmin(fmax(within, 0), 1);
}

static double share_at(const double *before, double position)
{
    int part = position < XMPI_PROFILE_PARTS ? (int)position : XMPI_PROFILE_PARTS - 1;
    return before[part] + (position - part) * (before[part + 1] - before[part]);
}

/* The share of the slowest member over what it would be if all were done at once, of work that is
 * as in NOW where the domain was divided as in THEN. */
static double slowest(const double *then, const double *now, int n, const double *speeds,
                      double power)
{
    double sum = 0, begin = 0, most = 1;
    for (int i = 0; i < n; i++) {
        sum += speeds[i];
        double end = i < n - 1 ? share_at(now, position_of(then, sum / power)) : 1;
        if (speeds[i] > 0)
            most = fmax(most, (end - begin) * power / speeds[i]);
        begin = end;
    }
    return most;
}

/* The same where work wanders evenly from one segment to the next: of less than a segment nothing
 * is recorded, and as many iterations as it has, around the middle of those that are asked for, go
 * over from its mean to those of its neighbours. */
static bool wandering_shares(const xmpi_profile_t *profile, int64_t from, int64_t to,
                             double *before)
{
    double middle = ((double)from + (double)to) / 2;
    double segment = profile->points > 0 ? length_of(profile, segment_of(profile, middle)) : 0;
    double around = fmax((double)(to - from), segment) / 2;
    return shares_between(profile, middle - around, middle + around, before);
}

enum { LOOKS = 64 }; /* at so many intervals at most */

double xmpi_profile_imbalance(const xmpi_profile_t *profile, int64_t from, int64_t to,
                              int64_t interval, int n, const double *speeds)
{
    double then[XMPI_PROFILE_PARTS + 1], now[XMPI_PROFILE_PARTS + 1];
    double power = 0, all = 0, slow = 0;
    int64_t step = (to - from) / LOOKS > interval ? (to - from) / LOOKS : interval;
    for (int i = 0; i < n; i++)
        power += speeds[i];
    if (profile->points == 0 || profile->parts == NULL || interval <= 0 || !(power > 0))
        return 1;
    for (int64_t at = from; at < to; at += step) {
        double work = xmpi_profile_work(profile, at, at + interval);
        /* The weights that they divide by are of the last iteration. */
        bool known = wandering_shares(profile, at - 1, at, then);
        if (!known || !wandering_shares(profile, at, at + interval, now))
            continue;
        all += work;
        slow += work * slowest(then, now, n, speeds, power);
    }
    return all > 0 ? slow / all : 1;
}

void xmpi_profile_add_rows(xmpi_profile_parts_t *parts, int64_t domain, const xmpi_block_t *block,
                           const double *begin, const double *end, double work)
{
    double sum = 0;
    for (int64_t i = 0; i < block->count; i++)
        sum += begin[i] + end[i];
    for (int64_t i = 0; i < block->count && sum > 0; i++) {
        double part = (double)(block->displ + i) * XMPI_PROFILE_PARTS / (double)domain;
        parts->work[(int)part] += work * (begin[i] + end[i]) / sum;
    }
}

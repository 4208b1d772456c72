/* SPDX-License-Identifier: BSD-3-Clause
 * Density: which layouts were seen, and whether rows differ. */
#include "decide/density/density.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows alike take so much more or less in another place, or as their blocks fit a cache; after two
 * changes in a row not even so much. */
static const double alike = 1.15, alike_again = 1.05;
enum { AGAIN = 2 };

/* Times are taken to be off by so many of their standard errors; where there is one iteration only,
 * nobody has seen how it varies, by this share. */
enum { STANDARD_ERRORS = 3 };
static const double unknown_noise = 0.5;

/* Seconds of an interval below which they are rather those of interrupts, caches and clocks. */
static const double brief = 0.001;

/* Rows have no work where they take less than this share of what as many others take: no processor
 * is so much quicker. As it takes a little to look at them, they are taken to have this much. */
static const double empty = 0.005, next_to_none = 0.001;

/* Work per row that a counter says differs by this share. */
static const double counted_differs = 0.05;

/* A layout is better by this share, or no better; after so many that are not, none will be, unless
 * the best one would take longer than they did. */
static const double better = 0.02;
enum { TRIED_MOST = 6 };

/* The best layout, taken again, is not what it was when it is so many times as bad. Then learning
 * begins anew, at first at once, as work may have gone somewhere else once and for all, then after
 * 8, 16, 32, ... intervals. */
static const double worse = 1.1;
enum { REST = 8, DOUBLINGS_MOST = 16 };

/* --- the last layouts --------------------------------------------------------------------------
 */

static xmpi_seen_block_t *newest(const xmpi_density_t *density)
{
    return &density->seen[(density->layouts - 1) * density->members];
}

static bool is_newest(const xmpi_density_t *density, const xmpi_seen_block_t *now)
{
    const xmpi_seen_block_t *last = newest(density);
    for (int i = 0; i < density->members; i++)
        if (last[i].pe != now[i].pe || last[i].block.count != now[i].block.count ||
            last[i].block.displ != now[i].block.displ)
            return false;
    return true;
}

/* Noise evens out. */
static void add_to_newest(xmpi_density_t *density, const xmpi_seen_block_t *now)
{
    xmpi_seen_block_t *last = newest(density);
    for (int i = 0; i < density->members; i++) {
        last[i].seconds = (last[i].seconds + now[i].seconds) / 2;
        last[i].work = (last[i].work + now[i].work) / 2;
        last[i].noise = hypot(last[i].noise, now[i].noise) / 2;
    }
}

static xmpi_status_t append(xmpi_density_t *density, const xmpi_seen_block_t *now)
{
    size_t n = (size_t)density->members, size = n * sizeof *now;
    if (density->layouts == XMPI_DENSITY_LAYOUTS) {
        memmove(density->seen, density->seen + n, (XMPI_DENSITY_LAYOUTS - 1) * size);
        density->layouts--;
    }
    xmpi_seen_block_t *grown = realloc(density->seen, ((size_t)density->layouts + 1) * size);
    density->seen_blocks = density->layouts * density->members;
    if (grown == NULL)
        return XMPI_ERR_MEMORY;
    density->seen = grown;
    density->layouts++;
    density->seen_blocks += density->members;
    memcpy(newest(density), now, size);
    return XMPI_OK;
}

/* Seconds for which a process had its PE; what others take says nothing of rows. Where they take
 * more than half, 0: not even that tells. (Nor is it exact: it is read of a part of the time.) */
static double own_seconds(const xmpi_sample_t *sample)
{
    double cpu = fmin(sample->cpu, sample->computation);
    return cpu > 0.95 * sample->computation  ? sample->computation
           : cpu > 0.5 * sample->computation ? cpu
                                             : 0;
}

static double noise_of(const xmpi_sample_t *sample)
{
    double iterations = (double)sample->iterations;
    return iterations < 2 || sample->computation <= 0
               ? unknown_noise
               : STANDARD_ERRORS * sample->deviation * sqrt(iterations) / sample->computation;
}

/* Members whose rows have no work have little of what others have. */
static void fill_empty(const xmpi_layout_t *layout, const xmpi_sample_t *samples,
                       xmpi_seen_block_t *now)
{
    double longest = 0, most = 0;
    for (int i = 0; i < layout->members; i++) {
        longest = fmax(longest, now[i].seconds);
        most = fmax(most, now[i].work);
    }
    for (int i = 0; i < layout->members; i++) {
        double iterations = (double)samples[i].iterations;
        if (!(samples[i].computation < empty * longest * iterations))
            continue;
        now[i].empty = true;
        now[i].seconds = fmax(now[i].seconds, next_to_none * longest);
        now[i].work = fmax(now[i].work, next_to_none * most);
    }
}

static bool all_tell(const xmpi_seen_block_t *now, int members)
{
    for (int i = 0; i < members; i++)
        if (!(now[i].seconds > 0) || now[i].block.count <= 0)
            return false;
    return true;
}

/* What the members of LAYOUT took; malloc. NULL: no memory, or that cannot be told of one. */
static xmpi_seen_block_t *look_at(const xmpi_layout_t *layout, const xmpi_resources_t *resources,
                                  const xmpi_sample_t *samples)
{
    int *pe = xmpi_members_pes(layout, resources);
    xmpi_seen_block_t *now = calloc((size_t)layout->members, sizeof *now);
    bool room = pe != NULL && now != NULL;
    for (int i = 0; i < layout->members && room; i++) {
        const xmpi_sample_t *sample = &samples[i];
        double iterations = fmax(1, (double)sample->iterations);
        now[i] = (xmpi_seen_block_t){.pe = pe[i],
                                     .block = layout->member[i].block,
                                     .seconds = own_seconds(sample) / iterations,
                                     .work = sample->work / iterations,
                                     .noise = noise_of(sample),
                                     .brief = own_seconds(sample) < brief};
    }
    free(pe);
    if (room)
        fill_empty(layout, samples, now);
    if (room && all_tell(now, layout->members))
        return now;
    free(now);
    return NULL;
}

/* --- whether rows differ -----------------------------------------------------------------------
 */

static bool work_differs(const xmpi_seen_block_t *now, int members)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < members; i++) {
        double each = now[i].work / (double)now[i].block.count;
        least = fmin(least, each);
        most = fmax(most, each);
    }
    return least > 0 && most > (1 + counted_differs) * least;
}

static bool some_are_empty(const xmpi_seen_block_t *now, int members)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < members; i++) {
        double each = now[i].seconds / (double)now[i].block.count;
        least = fmin(least, each);
        most = fmax(most, each);
    }
    return least < empty * most;
}

/* Two or more members take neither what they took nor what their rows alone would change, by more
 * than TOLERATED and chance: one may have become quicker or slower meanwhile. */
static bool times_differ(const xmpi_seen_block_t *last, const xmpi_seen_block_t *now, int members,
                         double tolerated)
{
    int others = 0;
    for (int i = 0; i < members; i++) {
        double rows = (double)now[i].block.count / (double)last[i].block.count;
        double ratio = now[i].seconds / (last[i].seconds * rows);
        if (last[i].pe != now[i].pe)
            return false;
        double least = fmax(tolerated, 1 + hypot(last[i].noise, now[i].noise));
        others += ratio > least || ratio < 1 / least;
    }
    return others > 1;
}

/* --- the best layout ---------------------------------------------------------------------------
 */

/* How much longer the slowest member takes than all do on average: what all take may grow or shrink
 * meanwhile. */
static double loss(const xmpi_seen_block_t *now, int members)
{
    double longest = 0, sum = 0;
    for (int i = 0; i < members; i++) {
        longest = fmax(longest, now[i].seconds);
        sum += now[i].seconds;
    }
    return longest * members / sum;
}

static void keep_best(xmpi_density_t *density, const xmpi_seen_block_t *now, bool again)
{
    double lost = loss(now, density->members);
    if (density->best > 0 && lost > (1 - better) * density->best) {
        density->tried += !again;
        if (density->tried < TRIED_MOST || density->exhausted)
            return;
        if (density->behind > 0) {
            density->exhausted = true;
            density->given_up += density->given_up < DOUBLINGS_MOST;
            density->rested = 0;
            return;
        }
    }
    for (int i = 0; i < density->members; i++)
        density->best_block[i] = now[i].block;
    density->best = lost;
    density->behind = 0;
    density->tried = 0;
}

/* The layouts seen before rows were found to differ count too: one of them may be the best. */
static void keep_best_of_all(xmpi_density_t *density)
{
    for (int i = 0; i < density->layouts; i++)
        keep_best(density, &density->seen[i * density->members], false);
    density->tried = 0;
}

/* --- the interface -----------------------------------------------------------------------------
 */

void xmpi_density_begin(xmpi_density_t *density, const xmpi_profile_t *profile)
{
    xmpi_density_free(density);
    density->known = density->differs = xmpi_profile_weights(profile, density->before);
}

/* Other members of the same rows. */
static xmpi_status_t begin(xmpi_density_t *density, int members)
{
    xmpi_density_t last = *density;
    xmpi_density_free(density);
    density->given_up = last.members == members ? last.given_up : 0;
    density->known = density->differs = last.known;
    memcpy(density->before, last.before, sizeof density->before);
    density->best_block = calloc((size_t)members, sizeof *density->best_block);
    if (density->best_block == NULL)
        return XMPI_ERR_MEMORY;
    density->members = density->best_blocks = members;
    return XMPI_OK;
}

/* Intervals in the best layout before it is looked at whether it still is what it was. */
static int rest_of(const xmpi_density_t *density)
{
    return density->given_up < 2 ? 1 : REST << (density->given_up - 2);
}

/* What it had come to is not what there is any more: in the best layout the slowest member takes
 * longer, others on its PE counted. */
static bool is_outdated(xmpi_density_t *density, const xmpi_layout_t *layout,
                        const xmpi_sample_t *samples)
{
    double longest = 0, sum = 0;
    if (!density->exhausted || ++density->rested < rest_of(density))
        return false;
    for (int i = 0; i < layout->members; i++) {
        if (density->best_block[i].count != layout->member[i].block.count)
            return false;
        longest = fmax(longest, samples[i].computation);
        sum += samples[i].computation;
    }
    return longest * layout->members > worse * density->best * sum;
}

static bool on_other_pes(const xmpi_density_t *density, const xmpi_seen_block_t *now)
{
    const xmpi_seen_block_t *last = newest(density);
    for (int i = 0; i < density->members; i++)
        if (last[i].pe != now[i].pe)
            return true;
    return false;
}

/* What was the best is none: it was that of other processors, or of other work of rows, which the
 * same layout tells. */
static void forget_best(xmpi_density_t *density)
{
    density->best = density->behind = 0;
    density->tried = 0;
    density->exhausted = false;
}

/* Rows have other work now than layouts tell, though they still differ. */
static void forget_layouts(xmpi_density_t *density)
{
    density->layouts = 0;
    density->known = false;
    forget_best(density);
}

/* Whether the rows of the layout that was seen last have other work now. */
static bool has_changed(const xmpi_density_t *density, const xmpi_seen_block_t *now)
{
    return !density->exhausted && is_newest(density, now) &&
           times_differ(newest(density), now, density->members, alike);
}

/* Whether the change from the layout that was seen last shows that rows differ. */
static bool change_differs(xmpi_density_t *density, const xmpi_seen_block_t *now)
{
    const xmpi_seen_block_t *last = newest(density);
    bool odd = times_differ(last, now, density->members, alike_again);
    density->odd = odd ? density->odd + 1 : 0;
    return density->odd >= AGAIN || times_differ(last, now, density->members, alike);
}

static xmpi_status_t take_in(xmpi_density_t *density, const xmpi_seen_block_t *now, bool told)
{
    bool differed = density->differs;
    if (density->layouts > 0 && has_changed(density, now)) {
        forget_layouts(density);
    } else if (density->layouts > 0 && on_other_pes(density, now)) {
        forget_best(density);
    }
    bool again = density->layouts > 0 && is_newest(density, now);
    if (again) {
        add_to_newest(density, now);
    } else {
        density->differs |= density->layouts > 0 && change_differs(density, now);
        xmpi_status_t status = append(density, now);
        if (status != XMPI_OK)
            return status;
    }
    density->moved = !again && density->layouts > 1;
    density->counted = !told && work_differs(now, density->members);
    density->differs |= density->counted || some_are_empty(now, density->members);
    if (density->differs && !differed)
        keep_best_of_all(density);
    else if (density->differs)
        keep_best(density, now, again);
    return XMPI_OK;
}

xmpi_status_t xmpi_density_note(xmpi_density_t *density, const xmpi_layout_t *layout,
                                const xmpi_resources_t *resources, const xmpi_sample_t *samples,
                                bool told)
{
    xmpi_status_t status = XMPI_OK;
    density->moved = false;
    bool outdated = density->members == layout->members && is_outdated(density, layout, samples);
    if (density->members != layout->members)
        status = begin(density, layout->members);
    else if (outdated)
        forget_layouts(density);
    xmpi_seen_block_t *now = status == XMPI_OK ? look_at(layout, resources, samples) : NULL;
    if (now != NULL)
        status = take_in(density, now, told);
    free(now);
    return status;
}

void xmpi_density_begin_learning(xmpi_density_t *density)
{
    density->differs = true;
    forget_best(density);
}

static double weight_of(const double *prefix, const xmpi_block_t *block)
{
    return prefix[block->displ + block->count] - prefix[block->displ];
}

void xmpi_density_judge(xmpi_density_t *density, const double *prefix)
{
    double now = 0, there = 0;
    if (!density->moved || density->best_blocks != density->members)
        return;
    for (int i = 0; i < density->members; i++) {
        const xmpi_seen_block_t *seen = &newest(density)[i];
        double weight = weight_of(prefix, &seen->block);
        now = fmax(now, seen->seconds);
        there = fmax(there, seen->seconds / weight * weight_of(prefix, &density->best_block[i]));
    }
    if (now > 0 && there > 0)
        density->behind += log(now / there);
}

/* Of a row of mean weight 1. */
static double weight_known(const double *before, int64_t domain, int64_t row)
{
    const xmpi_block_t one = {.count = 1, .displ = row};
    return before != NULL ? (double)domain * xmpi_profile_share(before, domain, &one) : 1;
}

xmpi_status_t xmpi_density_prefix(const xmpi_density_t *density, int64_t domain, double *prefix)
{
    xmpi_density_parts_t parts = {0};
    const double *before = density->known ? density->before : NULL;
    const xmpi_seen_t seen = {density->layouts, density->members, density->counted, density->seen,
                              before};
    bool known = density->differs && density->layouts > 0;
    xmpi_status_t status = known ? xmpi_density_fit(&seen, &parts) : XMPI_ERR_INPUT;
    if (status != XMPI_OK)
        return status;
    bool whole = parts.parts > 0 && parts.border[0] == 0 && parts.border[parts.parts] == domain;
    prefix[0] = 0;
    for (int k = 0; k < parts.parts && whole; k++)
        for (int64_t row = parts.border[k]; row < parts.border[k + 1]; row++)
            prefix[row + 1] = prefix[row] + parts.weight[k] * weight_known(before, domain, row);
    xmpi_density_parts_free(&parts);
    double sum = whole ? prefix[domain] : 0;
    for (int64_t row = 1; row <= domain && sum > 0; row++)
        prefix[row] *= (double)domain / sum;
    return sum > 0 ? XMPI_OK : XMPI_ERR_INPUT;
}

void xmpi_density_free(xmpi_density_t *density)
{
    free(density->seen);
    free(density->best_block);
    memset(density, 0, sizeof *density);
}

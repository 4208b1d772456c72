/* SPDX-License-Identifier: BSD-3-Clause
 * Home: the blocks with which a loop began. */
#include "decide/leader/home.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the run, that may be lost before rows go home. What is lost until that is seen, and on the
 * way, comes to as much again. */
static const double share = 0.01;

/* Intervals of the first rest; the next is twice as long. Where the end of the loop is not known it
 * is hoped to run as long again, and for so many iterations at least. A division that was wrong
 * once or twice may be one that has shown how rows differ (decide/density). */
enum { FIRST_REST = 16, DOUBLINGS = 16, HOPED = 100, PROOFS = 3 };

void xmpi_home_free(xmpi_home_t *home)
{
    free(home->block);
    memset(home, 0, sizeof *home);
}

static bool is_of(const xmpi_home_t *home, const xmpi_layout_t *layout)
{
    const xmpi_block_t *last = home->blocks > 0 ? &home->block[home->blocks - 1] : NULL;
    return home->blocks == layout->members && last != NULL &&
           last->displ + last->count == layout->domain;
}

void xmpi_home_begin(xmpi_home_t *home, const xmpi_layout_t *layout)
{
    xmpi_home_free(home);
    home->block = calloc((size_t)layout->members + 1, sizeof *home->block);
    if (home->block == NULL)
        return;
    home->blocks = layout->members;
    for (int i = 0; i < layout->members; i++)
        home->block[i] = layout->member[i].block;
}

static double weight(const xmpi_block_t *block, const double *prefix)
{
    return prefix != NULL ? prefix[block->displ + block->count] - prefix[block->displ]
                          : (double)block->count;
}

/* Seconds of computation of an iteration as it was, and at HOME; false where that is not known. */
static bool compare(const xmpi_home_t *home, const xmpi_layout_t *layout,
                    const xmpi_sample_t *samples, const double *prefix, double *now, double *there)
{
    *now = *there = 0;
    for (int i = 0; i < layout->members; i++) {
        double own = weight(&layout->member[i].block, prefix);
        double seconds = samples[i].computation / (double)samples[i].iterations;
        if (!(own > 0) || samples[i].iterations <= 0)
            return false;
        *now = fmax(*now, seconds);
        *there = fmax(*there, seconds / own * weight(&home->block[i], prefix));
    }
    return true;
}

static double allowed(const xmpi_home_t *home, double iterations, double seconds, int64_t remaining)
{
    double done = seconds > 0 ? home->seconds / seconds * iterations : 0;
    double left = remaining >= 0 ? (double)remaining : fmax(done, HOPED);
    return share * (home->seconds + left * seconds / iterations);
}

static void rest(xmpi_home_t *home)
{
    int doublings = home->rests_before < DOUBLINGS ? home->rests_before : DOUBLINGS;
    if (home->rests && ++home->rested > FIRST_REST << doublings) {
        home->rests = false;
        home->rests_before++;
        home->lost = fmin(home->lost, home->most / 2);
    } else if (!home->rests && home->losing >= PROOFS && home->lost > home->most) {
        home->rests = true;
        home->rested = 0;
    }
}

void xmpi_home_note(xmpi_home_t *home, const xmpi_layout_t *layout, const xmpi_sample_t *samples,
                    const double *prefix, int64_t remaining)
{
    double now, there, iterations = (double)samples[0].iterations, seconds = samples[0].wall;
    if (!is_of(home, layout))
        xmpi_home_begin(home, layout);
    if (home->blocks == 0 || !compare(home, layout, samples, prefix, &now, &there))
        return;
    home->seconds += seconds;
    home->losing += now > there;
    home->lost = fmax(0, home->lost + iterations * (now - there));
    if (!(home->lost > 0))
        home->losing = 0;
    home->gained = fmax(0, home->gained + iterations * (there - now));
    home->most = allowed(home, iterations, seconds, remaining);
    rest(home);
}

double xmpi_home_lasts(const xmpi_home_t *home, const xmpi_layout_t *layout,
                       const xmpi_plan_t *plan, const double *prefix)
{
    double longer = 1; /* an iteration, where only the heaviest block counts */
    int members = plan->places > 0 ? plan->places : layout->members;
    if (home->blocks != members || !is_of(home, layout))
        return INFINITY;
    for (int i = 0; i < members; i++) {
        const xmpi_block_t *block =
            plan->places > 0 ? &plan->place[i].block : &layout->member[i].block;
        double there = weight(&home->block[i], prefix);
        longer = fmax(longer, there > 0 ? weight(block, prefix) / there : INFINITY);
    }
    double share_lost = 1 - 1 / longer;
    double spare = home->most - home->lost + (plan->places > 0 ? 0 : home->gained);
    return share_lost > 0 ? fmax(0, spare) / PROOFS / share_lost : INFINITY;
}

void xmpi_home_changed(xmpi_home_t *home, double seconds)
{
    home->lost += seconds;
    home->gained = 0;
}

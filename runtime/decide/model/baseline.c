/* SPDX-License-Identifier: BSD-3-Clause
 * The baseline: what an iteration took before the first change. */
#include "decide/model/baseline.h"

/* An interval that takes so many times the median is none like the others. */
static const double unlike = 2;

/* What has to be seen at least of those that are alike: a few short iterations may be alike by
 * chance, and what takes some milliseconds in all is still part of the start. */
static const int64_t least_iterations = 8;
static const double least_seconds = 0.02, enough_seconds = 1;

static double seconds_of(const xmpi_baseline_t *baseline, int i)
{
    return baseline->interval[i].seconds / (double)baseline->interval[i].iterations;
}

/* Each two neighbours become one: nothing is lost but detail. */
static void halve(xmpi_baseline_t *baseline)
{
    for (int i = 0; i < XMPI_BASELINE_MAX / 2; i++) {
        baseline->interval[i].seconds =
            baseline->interval[2 * i].seconds + baseline->interval[2 * i + 1].seconds;
        baseline->interval[i].iterations =
            baseline->interval[2 * i].iterations + baseline->interval[2 * i + 1].iterations;
    }
    baseline->intervals = XMPI_BASELINE_MAX / 2;
}

void xmpi_baseline_add(xmpi_baseline_t *baseline, int64_t iterations, double seconds)
{
    bool first = !baseline->began;
    baseline->began = true;
    if (first || iterations < 1)
        return;
    if (baseline->intervals == XMPI_BASELINE_MAX)
        halve(baseline);
    baseline->interval[baseline->intervals].seconds = seconds;
    baseline->interval[baseline->intervals++].iterations = iterations;
}

/* Of the iterations, as far as intervals tell; 0 without any. */
static double median(const xmpi_baseline_t *baseline)
{
    int64_t all = 0;
    for (int i = 0; i < baseline->intervals; i++)
        all += baseline->interval[i].iterations;
    for (int i = 0; i < baseline->intervals; i++) {
        int64_t below = 0, upto = 0;
        for (int k = 0; k < baseline->intervals; k++) {
            bool less = seconds_of(baseline, k) < seconds_of(baseline, i);
            bool more = seconds_of(baseline, k) > seconds_of(baseline, i);
            below += less ? baseline->interval[k].iterations : 0;
            upto += more ? 0 : baseline->interval[k].iterations;
        }
        if (2 * below < all && 2 * upto >= all)
            return seconds_of(baseline, i);
    }
    return 0;
}

double xmpi_baseline_seconds(const xmpi_baseline_t *baseline)
{
    double middle = median(baseline), seconds = 0;
    int64_t iterations = 0;
    for (int i = 0; i < baseline->intervals; i++)
        if (seconds_of(baseline, i) <= unlike * middle) {
            seconds += baseline->interval[i].seconds;
            iterations += baseline->interval[i].iterations;
        }
    bool enough = seconds >= (iterations < least_iterations ? enough_seconds : least_seconds);
    return enough ? seconds / (double)iterations : 0;
}

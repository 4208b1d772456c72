/* SPDX-License-Identifier: BSD-3-Clause
 * Fitting: from timed changes to the curves and agreements of a calibration. */
#include "decide/communication/calibration_fit.h"

#include <math.h>
#include <stdlib.h>

#include "decide/communication/mpi_cost.h"

/* --- curves -----------------------------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, int n)
{
    qsort(value, (size_t)n, sizeof *value, compare);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

static double round_seconds(const xmpi_calibration_t *calibration, int members)
{
    return xmpi_round_seconds(members, &calibration->link[XMPI_LINK_NETWORK]);
}

static double seconds_of_worlds(const xmpi_timed_change_t *change,
                                const xmpi_calibration_t *calibration)
{
    return change->worlds *
           xmpi_world_seconds(change->to - change->from, &calibration->link[XMPI_LINK_NETWORK]);
}

/* Processes that came, how long a round of all takes then, and how long the change took. */
typedef struct {
    int count;
    double round, seconds;
} coming_t;

/* The first change of a run is another thing. */
static int find_coming(const xmpi_timed_changes_t *changes, const xmpi_calibration_t *calibration,
                       coming_t *coming)
{
    int n = 0;
    for (int i = 1; i < changes->n; i++) {
        const xmpi_timed_change_t *change = &changes->change[i];
        if (change->to > change->from)
            coming[n++] =
                (coming_t){change->to - change->from, round_seconds(calibration, change->to),
                           change->processes - seconds_of_worlds(change, calibration)};
    }
    return n;
}

/* The points of CURVE for its number of rounds: medians. */
static void place_points(int n, const coming_t *coming, xmpi_curve_t *curve)
{
    double seconds[XMPI_TIMED_CHANGES_MAX];
    curve->points = 0;
    for (int count = 1; count < XMPI_TIMED_CHANGES_MAX && curve->points < XMPI_CURVE_POINTS;
         count++) {
        int found = 0;
        for (int i = 0; i < n; i++)
            if (coming[i].count == count)
                seconds[found++] = coming[i].seconds - curve->rounds * coming[i].round;
        if (found == 0)
            continue;
        curve->point[curve->points].count = count;
        curve->point[curve->points++].seconds = fmax(0, median(seconds, found));
    }
}

static double curve_deviation(int n, const coming_t *coming, const xmpi_curve_t *curve)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (coming[i].seconds > 0)
            sum += fabs(coming[i].seconds - xmpi_curve_at(curve, coming[i].count) -
                        curve->rounds * coming[i].round) /
                   coming[i].seconds;
    return sum;
}

/* Meeting takes a few collective operations of all: beyond this, noise is taken for rounds. */
static const double most_rounds = 24;

void xmpi_fit_curve(const xmpi_timed_changes_t *changes, const xmpi_calibration_t *calibration,
                    xmpi_curve_t *curve)
{
    coming_t coming[XMPI_TIMED_CHANGES_MAX] = {{0}};
    int n = find_coming(changes, calibration, coming);
    double least;
    curve->rounds = 0;
    place_points(n, coming, curve);
    least = curve_deviation(n, coming, curve);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) {
            xmpi_curve_t other;
            double distance = coming[i].round - coming[k].round;
            if (coming[i].count != coming[k].count || !(fabs(distance) > 0))
                continue;
            other.rounds = (coming[i].seconds - coming[k].seconds) / distance;
            if (!(other.rounds >= 0 && other.rounds <= most_rounds))
                continue;
            place_points(n, coming, &other);
            double sum = curve_deviation(n, coming, &other);
            if (sum < least) {
                least = sum;
                *curve = other;
            }
        }
}

double xmpi_fit_first(const xmpi_timed_changes_t *changes, const xmpi_calibration_t *calibration,
                      const xmpi_curve_t *curve)
{
    const xmpi_timed_change_t *first = &changes->change[0];
    if (changes->n == 0 || first->to <= first->from)
        return 0;
    return fmax(0, first->processes - xmpi_curve_at(curve, first->to - first->from) -
                       curve->rounds * round_seconds(calibration, first->to));
}

/* --- agreements -------------------------------------------------------------------------------
 */

/* Whether CHANGE shows what KIND takes, and how long it took. */
static int shows(const xmpi_timed_change_t *change, xmpi_agreement_kind_t kind, double *seconds)
{
    *seconds = change->redistribution;
    if (kind == XMPI_AGREE_REBALANCE)
        *seconds += change->processes;
    return kind == XMPI_AGREE_REBALANCE ? change->to == change->from
           : kind == XMPI_AGREE_JOINED  ? change->to > change->from
                                        : change->to < change->from;
}

/* The sum of the relative deviations of the points from a line. */
static double deviation(int n, const double *x, const double *y, xmpi_agreement_t line)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (y[i] > 0)
            sum += fabs(y[i] - line.seconds - line.rounds * x[i]) / y[i];
    return sum;
}

static void take_better(int n, const double *x, const double *y, xmpi_agreement_t line,
                        double *least, xmpi_agreement_t *best)
{
    double sum = deviation(n, x, y, line);
    if (line.seconds < 0 || line.rounds < 0 || !(sum < *least))
        return;
    *least = sum;
    *best = line;
}

/* The line seconds + rounds * x, neither below 0, with the least relative deviations, which some
 * odd measurements do not bend. It goes through two points, or one and begins at 0, which is more
 * likely where all members are as many, or is level. */
static void fit(int n, const double *x, const double *y, xmpi_agreement_t *best)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        if (x[i] > 0)
            take_better(n, x, y, (xmpi_agreement_t){.rounds = y[i] / x[i]}, &least, best);
        take_better(n, x, y, (xmpi_agreement_t){.seconds = y[i]}, &least, best);
        for (int k = 0; k < i; k++) {
            double rounds = x[i] > x[k] || x[i] < x[k] ? (y[i] - y[k]) / (x[i] - x[k]) : -1;
            take_better(n, x, y, (xmpi_agreement_t){y[i] - rounds * x[i], rounds}, &least, best);
        }
    }
}

void xmpi_fit_agreement(const xmpi_timed_changes_t *changes, xmpi_agreement_kind_t kind,
                        xmpi_calibration_t *calibration)
{
    double x[XMPI_TIMED_CHANGES_MAX], y[XMPI_TIMED_CHANGES_MAX];
    int n = 0;
    for (int i = 0; i < changes->n; i++) {
        const xmpi_timed_change_t *change = &changes->change[i];
        if (shows(change, kind, &y[n]))
            x[n++] = xmpi_change_round_seconds(change->from, change->to,
                                               &calibration->link[XMPI_LINK_NETWORK]);
    }
    if (n > 0)
        fit(n, x, y, &calibration->agreement[kind]);
}

double xmpi_fit_move(const xmpi_timed_changes_t *changes, const xmpi_calibration_t *calibration)
{
    const xmpi_agreement_t *agreement = &calibration->agreement[XMPI_AGREE_REBALANCE];
    double beta[XMPI_TIMED_CHANGES_MAX];
    int n = 0;
    for (int i = 0; i < changes->n; i++) {
        const xmpi_timed_change_t *change = &changes->change[i];
        double known =
            agreement->seconds + agreement->rounds * round_seconds(calibration, change->from);
        if (change->from == change->to && change->bytes > 0)
            beta[n++] = (change->processes + change->redistribution - known) / change->bytes;
    }
    return n > 0 ? fmax(0, median(beta, n) - calibration->fresh) : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The length of the sampling interval, where the user leaves it open. */
#include "decide/leader/interval.h"

#include <math.h>

/* Seconds: what clocks need to be exact and noise to even out, what has to do where each interval
 * in blocks that are not right costs more than it tells, and what is soon enough for people and for
 * changes of load. */
static const double shortest = 0.02, shortest_of_all = 0.005, standard_longest = 5;

/* The end of an interval may take this share of it: half of what may be noticed (0.1 %). */
static const double cost_share = 0.0005;

/* Standard errors between two speeds that differ by the threshold. */
static const double distance = 4;

/* Iterations of a cold program are quicker than the ones before by this share at least; it is cold
 * no longer than so many seconds. */
static const double quicker = 0.25, longest_warm_up = 0.25;

bool xmpi_warm_up_is_over(xmpi_warm_up_t *warm_up, const xmpi_sample_t *samples)
{
    const xmpi_sample_t *leader = &samples[0];
    double before = warm_up->iteration;
    warm_up->iteration = leader->wall / (double)leader->iterations;
    warm_up->seconds += leader->wall;
    warm_up->over = warm_up->over || warm_up->seconds >= longest_warm_up ||
                    (before > 0 && warm_up->iteration >= (1 - quicker) * before);
    return warm_up->over;
}

/* (max - min) / max of the computation times. */
static double imbalance_of(const xmpi_interval_t *interval)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < interval->members; i++) {
        least = fmin(least, interval->samples[i].computation);
        most = fmax(most, interval->samples[i].computation);
    }
    return most > 0 ? (most - least) / most : 0;
}

/* What is to be seen against noise: the threshold, or a part of an imbalance that is FAR beyond. */
static double telling_difference(const xmpi_interval_t *interval, bool *far)
{
    static const double part = 0.25;
    double least = fmax(interval->threshold, 0.001), seen = part * imbalance_of(interval);
    *far = seen > least;
    return fmax(least, seen);
}

/* Iterations after which the noise of the noisiest member is small enough to see DIFFERENCE. */
static double against_noise(const xmpi_interval_t *interval, double difference)
{
    double most = 0;
    for (int i = 0; i < interval->members; i++) {
        const xmpi_sample_t *sample = &interval->samples[i];
        if (!(sample->computation > 0))
            continue;
        double mean = sample->computation / (double)sample->iterations;
        most = fmax(most, sample->deviation / mean);
    }
    double root = distance * most / difference;
    return root * root;
}

double xmpi_interval_least(double cost)
{
    static const double most_share = 0.005;
    return fmax(shortest_of_all, cost / most_share);
}

/* Seconds of the intervals that lose least where loads come and go: half of one until a change is
 * seen, in which a share LOSS is lost, and the end of each. */
static double against_changes(const xmpi_interval_t *interval, double seconds)
{
    static const double loss = 0.5; /* of its CPU, as where a load comes to one process */
    double apart = interval->apart * seconds;
    if (!(apart > 0))
        return INFINITY;
    return fmax(sqrt(2 * interval->cost * apart / loss), xmpi_interval_least(interval->cost));
}

/* Iterations that are enough to decide by. */
static double telling_iterations(const xmpi_interval_t *interval, double seconds)
{
    bool far;
    double difference = telling_difference(interval, &far);
    double soonest = xmpi_interval_least(interval->cost);
    if (interval->turned)
        return soonest / seconds;
    double least = far && interval->first ? soonest : fmax(shortest, interval->cost / cost_share);
    return fmin(fmax(least / seconds, against_noise(interval, difference)),
                against_changes(interval, seconds) / seconds);
}

int64_t xmpi_interval_next(const xmpi_interval_t *interval)
{
    const xmpi_sample_t *leader = &interval->samples[0];
    double iterations = (double)leader->iterations, seconds = leader->wall / iterations;
    double longest =
        interval->longest > 0 ? fmin(interval->longest, standard_longest) : standard_longest;
    if (!(seconds > 0))
        return leader->iterations * 2;
    double wanted = telling_iterations(interval, seconds);
    double soon = fmax(2 * iterations, shortest / seconds);
    double next = fmin(fmin(wanted, soon), longest / seconds);
    return next > 1 ? (int64_t)ceil(next) : 1;
}

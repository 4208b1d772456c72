/* SPDX-License-Identifier: BSD-3-Clause
 * History: what policies remember of earlier intervals. */
#include "decide/model/history.h"

#include "decide/model/likes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The mean of a speed goes back this many intervals of the present length. */
static const double memory = 8;

/* A speed has changed when one interval is further from the mean than OUTLIER times its noise, or
 * when several are on one side of it: a Shewhart chart and a CUSUM chart together (Page 1954, Lucas
 * 1982; SLACK and LIMIT are their usual values for shifts of one standard deviation). */
static const double outlier = 4, slack = 0.5, limit = 5;

/* Relative noise that is believed of one interval before it has been measured, and the least ever:
 * clocks and scheduling are not better. */
static const double first_noise = 0.02, least_noise = 0.001;

bool xmpi_sample_is_shared(const xmpi_sample_t *sample, double threshold)
{
    return sample->computation > 0 &&
           (sample->computation - sample->cpu) / sample->computation > threshold;
}

/* Relative standard error of the speed in the interval, by its iterations. */
static double noise_within(const xmpi_sample_t *sample)
{
    if (sample->iterations < 2)
        return first_noise;
    double mean = sample->computation / (double)sample->iterations;
    return sample->deviation / mean / sqrt((double)sample->iterations);
}

/* The part of it that what others take of the CPU may be behind: the mean of what they take in an
 * iteration errs by no more than itself. The rest may be that iterations differ in work, which
 * makes no speed uncertain. */
static double noise_of_others(const xmpi_sample_t *sample)
{
    double taken = sample->cpu > 0 ? fmax(0, 1 - sample->cpu / sample->computation) : 0;
    return fmin(noise_within(sample), taken);
}

/* The share of the differences between intervals, smallest first, that only noise is behind; and
 * the value below which this share of a normal distribution's absolute values lies. */
static const double quiet_share = 0.25, quiet_value = 0.3186;

/* What difference I would have been between intervals of so many ITERATIONS: in longer ones noise
 * evens out. */
static double difference_over(const xmpi_speed_t *speed, int i, double iterations)
{
    double share = (double)speed->over[i] / iterations;
    return (double)speed->difference[i] * sqrt(fmin(share, 1));
}

/* Relative noise between intervals of so many ITERATIONS. From differences of consecutive ones, as
 * in moving-range charts, and of those from the small ones: steps of the speed, even in most
 * intervals, are no noise. */
static double noise_between(const xmpi_speed_t *speed, double iterations)
{
    int n = speed->differences < XMPI_SPEEDS_MAX ? speed->differences : XMPI_SPEEDS_MAX;
    int rank = (int)ceil(quiet_share * n);
    double difference[XMPI_SPEEDS_MAX];
    for (int i = 0; i < n; i++)
        difference[i] = difference_over(speed, i, iterations);
    for (int i = 0; i < n; i++) {
        int smaller = 0, equal = 0;
        for (int k = 0; k < n; k++) {
            smaller += difference[k] < difference[i];
            equal += difference[k] == difference[i];
        }
        if (n > 2 && smaller < rank && smaller + equal >= rank)
            return difference[i] / quiet_value / sqrt(2);
    }
    return 0;
}

/* A difference counts as one between two intervals that are as long as both are on the harmonic
 * mean. */
static void note_difference(xmpi_speed_t *speed, double measured, double iterations)
{
    double difference = fabs(measured - speed->last) / fmin(measured, speed->last);
    if (speed->last > 0) {
        int at = speed->differences++ % XMPI_SPEEDS_MAX;
        speed->difference[at] = (float)difference;
        speed->over[at] = (float)(2 / (1 / iterations + 1 / speed->last_iterations));
    }
    if (speed->differences == 2 * XMPI_SPEEDS_MAX) /* counts round a full ring */
        speed->differences = XMPI_SPEEDS_MAX;
    speed->last = measured;
    speed->last_iterations = iterations;
}

/* Noise that a change stands out from. A load that begins within an interval makes its iterations
 * differ: more than FAR times the noise BETWEEN intervals is none. */
static double noise_against_changes(double between, double within)
{
    static const double far = 4;
    return between > 0 ? fmax(between, fmin(within, fmax(far * between, first_noise))) : within;
}

/* Whether a speed that deviates from the mean by DEVIATION of it is another speed. */
static bool has_changed(xmpi_speed_t *speed, double deviation, double noise)
{
    double distance = deviation / noise;
    speed->above = fmax(0, speed->above + distance - slack);
    speed->below = fmax(0, speed->below - distance - slack);
    return fabs(distance) > outlier || speed->above > limit || speed->below > limit;
}

/* What the process would have done if it had had the CPU for as long as it computed. All work by
 * all time, as a mean of quotients would be that of the intervals whose CPU time was taken for too
 * short: it is told by samples. */
static void follow_capacity(xmpi_speed_t *speed, const xmpi_sample_t *sample)
{
    double had = sample->cpu > 0 ? fmin(sample->cpu, sample->computation) : sample->computation;
    speed->done += sample->work - speed->done / memory;
    speed->had += had - speed->had / memory;
    speed->capacity = speed->done / speed->had;
}

/* The level before the change that began with SINCE is over. */
static void end_level(xmpi_speed_t *speed)
{
    double stayed = speed->stays - (speed->since + 1);
    speed->lasted[speed->levels++ % XMPI_LEVELS_MAX] = (float)fmax(stayed, 0);
    if (speed->levels == 2 * XMPI_LEVELS_MAX) /* counts round a full ring */
        speed->levels = XMPI_LEVELS_MAX;
    speed->stays = speed->since;
}

/* The mean begins anew. A level is over where the speed is another one by more than THRESHOLD. What
 * has begun within an interval is seen as two changes, in this one and the next. */
static void turn(xmpi_speed_t *speed, double deviation, double noise, double threshold)
{
    bool goes_on = speed->turned * deviation > 0;
    bool is_over = goes_on && fabs(speed->turned) > threshold;
    double whole = goes_on ? (1 + speed->turned) * (1 + deviation) - 1 : deviation;
    speed->speed = speed->iterations = speed->above = speed->below = 0;
    speed->turned = fabs(deviation) > outlier * noise ? deviation : 0; /* else it did before */
    if (!goes_on)
        speed->since = -1; /* one iteration alone may have been late */
    if (!is_over && fabs(whole) > threshold)
        end_level(speed);
}

/* Smooths without lag: the mean since the last change. */
static void follow(xmpi_speed_t *speed, const xmpi_sample_t *sample, double threshold)
{
    double iterations = (double)sample->iterations;
    if (!(sample->work > 0) || !(sample->computation > 0) || sample->iterations < 1)
        return;
    double measured = sample->work / sample->computation;
    if (speed->idle) /* nobody had measured it */
        speed->speed = speed->iterations = 0;
    speed->idle = false;
    follow_capacity(speed, sample);
    double deviation = speed->speed > 0 ? (measured - speed->speed) / speed->speed : 0;
    double between = noise_between(speed, iterations), within = noise_within(sample);
    double noise = fmax(noise_against_changes(between, within), least_noise);
    if (speed->speed > 0 && has_changed(speed, deviation, noise))
        turn(speed, deviation, noise, threshold);
    else
        speed->turned = 0;
    note_difference(speed, measured, iterations);
    speed->since += iterations;
    speed->stays += iterations;
    speed->iterations = fmin(speed->iterations + iterations, memory * iterations);
    between = between > 0 ? between : fmin(within, first_noise);
    speed->error = fmax(fmax(between, noise_of_others(sample)), least_noise) *
                   sqrt(iterations / speed->iterations);
    speed->speed += (measured - speed->speed) * iterations / speed->iterations;
}

/* Nobody computes on a PE that was left: what it could is remembered, but differences are those of
 * consecutive intervals. */
static void keep_or_age(xmpi_speed_t *speed, bool empty, double seconds)
{
    speed->away = empty && speed->speed > 0 ? speed->away + 1 : 0;
    speed->age = empty && speed->speed > 0 ? speed->age + seconds : 0;
    if (empty)
        speed->last = speed->above = speed->below = 0;
}

/* --- what is foretold --------------------------------------------------------------------------
 */

static bool needs_past(const xmpi_history_t *history)
{
    return history->forecast > XMPI_FORECAST_LEVEL;
}

void xmpi_history_foretell(xmpi_history_t *history, xmpi_forecast_kind_t forecast, double span)
{
    history->forecast = forecast;
    history->span = span;
    if (needs_past(history))
        return;
    free(history->past);
    history->past = NULL;
    history->pasts = 0;
}

/* LEVEL is what the speed was taken for before SAMPLE, which lasted for SECONDS. */
static void remember(xmpi_history_t *history, int pe, const xmpi_sample_t *sample, double seconds,
                     double level)
{
    if (pe >= history->pasts)
        return;
    if (sample->iterations > 0 && sample->work > 0 && sample->computation > 0)
        xmpi_past_add(&history->past[pe], sample->work / sample->computation, seconds,
                      history->span, level);
    else
        xmpi_past_skip(&history->past[pe], seconds);
}

double xmpi_history_speed(const xmpi_history_t *history, int pe, double *error)
{
    const xmpi_speed_t *seen = &history->speed[pe];
    bool foretold = pe < history->pasts && history->past[pe].points > 0;
    double erred = -1, speed = foretold ? xmpi_forecast(&history->past[pe], history->forecast,
                                                        seen->speed, &erred)
                                        : seen->speed;
    *error = erred >= 0 ? fmax(erred, least_noise) : seen->error;
    if (seen->idle && erred >= 0) /* however steady the load is, what it leaves is in doubt */
        *error = hypot(*error, seen->error);
    return speed;
}

double xmpi_history_error(const xmpi_history_t *history, int pe)
{
    xmpi_forecast_kind_t kind = history->forecast;
    double error;
    if (pe >= history->pasts || history->past[pe].points == 0)
        return history->speed[pe].error;
    if (kind == XMPI_FORECAST_BEST)
        kind = xmpi_forecast_best(&history->past[pe]);
    xmpi_history_speed(history, pe, &error);
    return kind == XMPI_FORECAST_LAST ? error : fmin(error, history->speed[pe].error);
}

static xmpi_status_t make_room_for_past(xmpi_history_t *history, int pes)
{
    if (!needs_past(history) || pes <= history->pasts)
        return XMPI_OK;
    xmpi_past_t *grown = realloc(history->past, (size_t)pes * sizeof *grown);
    if (grown == NULL)
        return XMPI_ERR_MEMORY;
    memset(grown + history->pasts, 0, (size_t)(pes - history->pasts) * sizeof *grown);
    history->past = grown;
    history->pasts = pes;
    return XMPI_OK;
}

/* --- an interval -------------------------------------------------------------------------------
 */

static xmpi_status_t make_room(xmpi_history_t *history, int pes)
{
    if (pes <= history->pes)
        return XMPI_OK;
    xmpi_speed_t *grown = realloc(history->speed, (size_t)pes * sizeof *grown);
    if (grown == NULL)
        return XMPI_ERR_MEMORY;
    memset(grown + history->pes, 0, (size_t)(pes - history->pes) * sizeof *grown);
    history->speed = grown;
    history->pes = pes;
    return XMPI_OK;
}

/* Samples of all PEs: those of PEs without a member are empty. NULL: no memory. */
static xmpi_sample_t *by_pe(const xmpi_layout_t *layout, const xmpi_resources_t *resources,
                            const xmpi_sample_t *samples)
{
    int *pe = xmpi_members_pes(layout, resources);
    xmpi_sample_t *sorted = calloc((size_t)resources->pes + 1, sizeof *sorted);
    for (int rank = 0; pe != NULL && sorted != NULL && rank < layout->members; rank++)
        if (pe[rank] >= 0)
            sorted[pe[rank]] = samples[rank];
    if (pe == NULL) {
        free(sorted);
        sorted = NULL;
    }
    free(pe);
    return sorted;
}

xmpi_status_t xmpi_history_add(xmpi_history_t *history, const xmpi_layout_t *layout,
                               const xmpi_resources_t *resources, const xmpi_sample_t *samples,
                               int window, double threshold)
{
    bool shared = false;
    xmpi_sample_t *of_pe = by_pe(layout, resources, samples);
    if (of_pe == NULL || make_room(history, resources->pes) != XMPI_OK ||
        make_room_for_past(history, resources->pes) != XMPI_OK) {
        free(of_pe);
        return XMPI_ERR_MEMORY;
    }
    for (int i = 0; i < resources->pes; i++) {
        shared |= xmpi_sample_is_shared(&of_pe[i], threshold);
        keep_or_age(&history->speed[i], of_pe[i].iterations == 0, samples[0].wall);
        double level = history->speed[i].speed;
        follow(&history->speed[i], &of_pe[i], threshold);
        remember(history, i, &of_pe[i], samples[0].wall, level);
    }
    free(of_pe);
    history->window = window;
    history->intervals++;
    history->shared[history->intervals % window] = shared;
    return XMPI_OK;
}

/* Relative errors of a capacity that was measured on the PE itself, and of one that follows from
 * other work, as far as machines differ in what they are good at. */
static const double error_of_own = 0.01, error_of_rate = 0.2;

/* What is known of capacities. */
typedef struct {
    xmpi_likes_t of_class[XMPI_CLASSES_MAX]; /* that were measured */
    xmpi_likes_t of_rate;                    /* over the rates of the same PEs */
} capacities_t;

static void add_capacity(capacities_t *known, const xmpi_speed_t *speed, int class_index)
{
    if (speed->capacity > 0)
        xmpi_likes_add(&known->of_class[class_index], speed->capacity);
}

/* A rate goes with the capacity of the PE, or with that of its class. */
static void add_rate(capacities_t *known, const xmpi_speed_t *speed, int class_index)
{
    const xmpi_likes_t *class = &known->of_class[class_index];
    double capacity = speed->capacity > 0 ? speed->capacity : class->n > 0 ? class->mean : 0;
    if (speed->rate > 0 && capacity > 0)
        xmpi_likes_add(&known->of_rate, capacity / speed->rate);
}

static void learn_capacities(const xmpi_history_t *history, const xmpi_resources_t *resources,
                             capacities_t *known)
{
    *known = (capacities_t){.of_rate = {0}};
    for (int i = 0; i < resources->pes && i < history->pes; i++)
        add_capacity(known, &history->speed[i], resources->pe[i].class_index);
    for (int i = 0; i < resources->pes && i < history->pes; i++)
        add_rate(known, &history->speed[i], resources->pe[i].class_index);
}

/* Units of work per second where nobody shares the PE; 0: not known. */
static double capacity_of(const capacities_t *known, const xmpi_speed_t *speed, int class_index,
                          double *error)
{
    const xmpi_likes_t *class = &known->of_class[class_index];
    *error = speed->capacity > 0 ? error_of_own
             : class->n > 0      ? xmpi_likes_error(class)
                                 : fmax(error_of_rate, xmpi_likes_error(&known->of_rate));
    return speed->capacity > 0 ? speed->capacity
           : class->n > 0      ? class->mean
                               : known->of_rate.mean * speed->rate;
}

static void see(xmpi_history_t *history, int pe, double capacity, double error,
                const xmpi_idle_t *seen)
{
    xmpi_speed_t *speed = &history->speed[pe];
    double level = speed->speed;
    speed->speed = capacity * seen->share;
    speed->error = error;
    speed->away = speed->age = 0;
    speed->idle = true;
    if (pe >= history->pasts)
        return;
    xmpi_past_skip(&history->past[pe], -seen->seconds); /* which went by meanwhile */
    xmpi_past_add(&history->past[pe], speed->speed, seen->seconds, history->span, level);
}

void xmpi_history_see(xmpi_history_t *history, const xmpi_resources_t *resources,
                      const xmpi_idle_t *seen)
{
    capacities_t known;
    for (int i = 0; i < resources->pes && i < history->pes; i++)
        if (seen[i].rate > 0)
            history->speed[i].rate = seen[i].rate;
    learn_capacities(history, resources, &known);
    for (int i = 0; i < resources->pes && i < history->pes; i++) {
        double error, capacity = capacity_of(&known, &history->speed[i],
                                             resources->pe[i].class_index, &error);
        bool has_member = resources->pe[i].process >= 0 && !resources->pe[i].parked;
        if (!has_member && seen[i].share > 0 && capacity > 0)
            see(history, i, capacity, error, &seen[i]);
    }
}

/* --- how long speeds last ----------------------------------------------------------------------
 */

static int levels_of(const xmpi_speed_t *speed)
{
    return speed->levels < XMPI_LEVELS_MAX ? speed->levels : XMPI_LEVELS_MAX;
}

double xmpi_speed_lasts(const xmpi_speed_t *speed)
{
    double least = INFINITY;
    for (int i = 0; i < levels_of(speed); i++)
        least = fmin(least, (double)speed->lasted[i]);
    return speed->levels >= XMPI_LEVELS_MAX ? least : 0;
}

double xmpi_history_apart(const xmpi_history_t *history)
{
    double least = 0;
    for (int i = 0; i < history->pes; i++) {
        const xmpi_speed_t *speed = &history->speed[i];
        double iterations = speed->stays + 1;
        for (int k = 0; k < levels_of(speed); k++)
            iterations += (double)speed->lasted[k] + 1;
        if (speed->levels > 0 && (least == 0 || iterations < least * levels_of(speed)))
            least = iterations / levels_of(speed);
    }
    return least;
}

bool xmpi_history_turned(const xmpi_history_t *history, double share)
{
    for (int i = 0; i < history->pes; i++)
        if (fabs(history->speed[i].turned) > share)
            return true;
    return false;
}

xmpi_interference_t xmpi_history_interference(const xmpi_history_t *history)
{
    if (history->intervals == 0 || !history->shared[history->intervals % history->window])
        return XMPI_DEDICATED;
    for (int i = 0; i < history->window; i++)
        if (!history->shared[i])
            return XMPI_BURST;
    return XMPI_LONG_TERM;
}

int xmpi_history_classes(const xmpi_history_t *history, const xmpi_resources_t *resources,
                         xmpi_class_speed_t *classes)
{
    xmpi_likes_t likes[XMPI_CLASSES_MAX] = {{0}};
    int n = 0;
    if (xmpi_history_interference(history) != XMPI_DEDICATED)
        return 0;
    for (int i = 0; i < history->pes && i < resources->pes; i++) {
        const xmpi_speed_t *speed = &history->speed[i];
        if (speed->speed > 0 && speed->away == 0 && !speed->idle && !resources->pe[i].shared)
            xmpi_likes_add(&likes[resources->pe[i].class_index], speed->speed);
    }
    for (int i = 0; i < resources->classes; i++)
        if (likes[i].n > 0) {
            classes[n] = (xmpi_class_speed_t){.speed = likes[i].mean};
            strcpy(classes[n++].name, resources->class_name[i]);
        }
    return n;
}

void xmpi_history_begin_anew(xmpi_history_t *history)
{
    for (int i = 0; i < history->pes; i++) {
        xmpi_speed_t *speed = &history->speed[i];
        if (speed->away > 0 || speed->idle)
            continue;
        speed->capacity = speed->done = speed->had = 0;
        speed->speed = speed->iterations = speed->above = speed->below = speed->last = 0;
    }
}

void xmpi_history_free(xmpi_history_t *history)
{
    free(history->speed);
    free(history->past);
    memset(history, 0, sizeof *history);
}

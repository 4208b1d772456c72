/* SPDX-License-Identifier: BSD-3-Clause
 * Forecasts of a speed from its past. */
#include "decide/model/forecast.h"

#include <math.h>
#include <string.h>

/* Errors are means of about as many, so that another forecaster can come to be the best. */
enum { ERRORS_MAX = 64 };

/* Standard deviation of a normal distribution over its mean absolute value: sqrt(pi / 2). */
static const double deviations = 1.2533141373155;

/* --- the past ----------------------------------------------------------------------------------
 */

static void forget(xmpi_past_t *past, double span)
{
    while (past->points > 0 && past->point[past->points - 1].age >= (float)span)
        past->points--;
}

void xmpi_past_skip(xmpi_past_t *past, double seconds)
{
    for (int i = 0; i < past->points; i++)
        past->point[i].age += (float)seconds;
}

/* Two neighbours that are short together become one, of equally short ones the oldest. */
static void make_room(xmpi_past_t *past)
{
    xmpi_past_point_t *point = past->point;
    int at = past->points - 2;
    for (int i = at - 1; i >= 0; i--)
        if (point[i].seconds + point[i + 1].seconds < point[at].seconds + point[at + 1].seconds)
            at = i;
    float seconds = point[at].seconds + point[at + 1].seconds;
    point[at].value += (point[at + 1].value - point[at].value) * point[at + 1].seconds / seconds;
    point[at].seconds = seconds;
    past->points--;
    memmove(&point[at + 1], &point[at + 2], (size_t)(past->points - at - 1) * sizeof *point);
}

static void add_point(xmpi_past_t *past, double value, double seconds)
{
    if (past->points == XMPI_PAST_MAX)
        make_room(past);
    memmove(past->point + 1, past->point, (size_t)past->points++ * sizeof *past->point);
    past->point[0] = (xmpi_past_point_t){.value = (float)value, .seconds = (float)seconds};
}

static void smooth(xmpi_past_t *past, double value, double seconds, double span)
{
    double weight = span > 0 ? -expm1(-4 * seconds / span) : 1;
    past->smooth = past->last > 0
                       ? (float)((double)past->smooth + weight * (value - (double)past->smooth))
                       : (float)value;
}

/* --- forecasts ---------------------------------------------------------------------------------
 */

static double mean(const xmpi_past_t *past)
{
    double sum = 0, seconds = 0;
    for (int i = 0; i < past->points; i++) {
        sum += (double)past->point[i].value * (double)past->point[i].seconds;
        seconds += (double)past->point[i].seconds;
    }
    return seconds > 0 ? sum / seconds : 0;
}

/* Seconds at which the speed was less than that of POINT, and as much. */
static void below(const xmpi_past_t *past, int point, double *less, double *equal)
{
    *less = *equal = 0;
    for (int i = 0; i < past->points; i++) {
        double seconds = (double)past->point[i].seconds;
        *less += past->point[i].value < past->point[point].value ? seconds : 0;
        *equal += past->point[i].value == past->point[point].value ? seconds : 0;
    }
}

static double median(const xmpi_past_t *past)
{
    double all = 0, less, equal;
    for (int i = 0; i < past->points; i++)
        all += (double)past->point[i].seconds;
    for (int i = 0; i < past->points; i++) {
        below(past, i, &less, &equal);
        if (less <= all / 2 && less + equal >= all / 2)
            return (double)past->point[i].value;
    }
    return 0;
}

static double forecast(const xmpi_past_t *past, xmpi_forecast_kind_t kind, double level)
{
    switch (kind) {
    case XMPI_FORECAST_LAST:
        return (double)past->last;
    case XMPI_FORECAST_MEAN:
        return mean(past);
    case XMPI_FORECAST_MEDIAN:
        return median(past);
    case XMPI_FORECAST_EXPONENTIAL:
        return (double)past->smooth;
    default:
        return level;
    }
}

static void note_errors(xmpi_past_t *past, double value, double level)
{
    if (past->points == 0 || !(level > 0))
        return;
    if (past->errors < ERRORS_MAX)
        past->errors++;
    double scale = mean(past); /* the same for all, so that it does not choose between them */
    for (int k = XMPI_FORECAST_LEVEL; k < XMPI_FORECASTS; k++) {
        double error = fabs(forecast(past, (xmpi_forecast_kind_t)k, level) - value) / scale;
        double erred = (double)past->erred[k];
        past->erred[k] = (float)(erred + (error - erred) / past->errors);
    }
}

void xmpi_past_add(xmpi_past_t *past, double value, double seconds, double span, double level)
{
    if (!isfinite(value) || !(value > 0) || !(seconds > 0))
        return;
    note_errors(past, value, level);
    xmpi_past_skip(past, seconds);
    forget(past, span);
    add_point(past, value, seconds);
    smooth(past, value, seconds, span);
    past->last = (float)value;
}

xmpi_forecast_kind_t xmpi_forecast_best(const xmpi_past_t *past)
{
    int best = XMPI_FORECAST_LEVEL;
    for (int k = XMPI_FORECAST_LAST; k < XMPI_FORECASTS && past->errors > 0; k++)
        if (past->erred[k] < past->erred[best])
            best = k;
    return (xmpi_forecast_kind_t)best;
}

double xmpi_forecast(const xmpi_past_t *past, xmpi_forecast_kind_t kind, double level,
                     double *error)
{
    if (kind == XMPI_FORECAST_BEST)
        kind = xmpi_forecast_best(past);
    if (kind == XMPI_FORECAST_AUTO)
        kind = XMPI_FORECAST_LEVEL;
    *error = past->errors > 0 ? deviations * (double)past->erred[kind] : -1;
    return forecast(past, kind, level);
}

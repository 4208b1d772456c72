/* SPDX-License-Identifier: BSD-3-Clause
 * Forecasts of a speed from its past: simple ones side by side, each with how much it has erred,
 * and the one that erred least so far, as the Network Weather Service chooses (Wolski 1998). */
#ifndef XMPI_DECIDE_MODEL_FORECAST_H
#define XMPI_DECIDE_MODEL_FORECAST_H

#include <stdbool.h>

/* In the order of the setting XMPI_FORECAST. */
typedef enum {
    XMPI_FORECAST_AUTO,        /* as the policy declares: LEVEL, or BEST */
    XMPI_FORECAST_LEVEL,       /* the mean since the speed last changed (decide/model/history.h) */
    XMPI_FORECAST_LAST,        /* the last interval */
    XMPI_FORECAST_MEAN,        /* of the span, by time */
    XMPI_FORECAST_MEDIAN,      /* of the span, by time */
    XMPI_FORECAST_EXPONENTIAL, /* smoothed: what is a quarter of the span old counts 1/e */
    XMPI_FORECAST_BEST,        /* of those above, the one that erred least */
    XMPI_FORECASTS = XMPI_FORECAST_BEST,
} xmpi_forecast_kind_t;

enum { XMPI_PAST_MAX = 16 };

/* Speeds that were measured, the newest first. Where there are many, neighbours are one. */
typedef struct {
    float value;
    float seconds; /* that it is the mean of */
    float age;     /* seconds since they were over */
} xmpi_past_point_t;

/* Plain data; all 0: nothing was measured. */
typedef struct {
    int points;
    xmpi_past_point_t point[XMPI_PAST_MAX];
    float last, smooth;
    float erred[XMPI_FORECASTS]; /* mean absolute error of LEVEL, ..., as a share of the mean */
    int errors;                  /* that it is the mean of */
} xmpi_past_t;

/* Takes in VALUE, measured for SECONDS, and how much the forecasts of it erred; LEVEL is that of
 * XMPI_FORECAST_LEVEL, 0: none. What is older than SPAN seconds counts no more. */
void xmpi_past_add(xmpi_past_t *past, double value, double seconds, double span, double level);

/* SECONDS in which nothing was measured. */
void xmpi_past_skip(xmpi_past_t *past, double seconds);

/* What KIND says of the next interval, LEVEL as above; 0: nothing is known. ERROR: relative
 * standard error by its errors so far; negative where it has made no forecast yet. */
double xmpi_forecast(const xmpi_past_t *past, xmpi_forecast_kind_t kind, double level,
                     double *error);

/* The forecaster that erred least so far; LEVEL before there are errors. */
xmpi_forecast_kind_t xmpi_forecast_best(const xmpi_past_t *past);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * History: what policies remember of earlier intervals. Part of the view, so that the same view
 * still gives the same plan; it belongs to what all members share, and a new leader goes on with
 * it. */
#ifndef XMPI_DECIDE_MODEL_HISTORY_H
#define XMPI_DECIDE_MODEL_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "decide/layout/layout.h"
#include "decide/layout/resources.h"
#include "decide/model/calibration.h"
#include "decide/model/forecast.h"
#include "decide/model/idle.h"
#include "decide/model/sample.h"

enum { XMPI_WINDOW_MAX = 64, XMPI_SPEEDS_MAX = 12, XMPI_LEVELS_MAX = 3 };

/* The computing power that a PE has shown since it last changed. Plain data. */
typedef struct {
    double speed;      /* units of work per second; 0: unknown */
    double iterations; /* that SPEED is the mean of */
    double since;      /* iterations since it last changed, the first one not counted */
    double turned;     /* by what share it changed in the last interval; 0: it did not */
    double stays; /* iterations since it changed by more than loads that do not count, as SINCE */
    int levels;   /* so often it did */
    float lasted[XMPI_LEVELS_MAX]; /* STAYS of the last levels that are over: a ring */
    double error;                  /* relative standard error of SPEED */
    double above;                  /* CUSUM of deviations to either side, in units of the noise */
    double below;
    double last;            /* measured in the last interval ... */
    double last_iterations; /* ... of so many */
    double away;            /* intervals since a member was last there */
    double age;             /* seconds of them */
    double capacity;        /* units of work per second of a PE that nobody shares: DONE by HAD */
    double done, had;       /* units of work, and seconds of the CPU, that count less and less */
    double rate;            /* at which its CPU does work of ours; 0: not known */
    bool idle;              /* no member has computed there since: it is concluded from a load */
    int differences;        /* between consecutive intervals so far */
    float difference[XMPI_SPEEDS_MAX]; /* the last of them, as shares of the speed: a ring */
    float over[XMPI_SPEEDS_MAX];       /* iterations of the intervals of each */
} xmpi_speed_t;

/* Interference of an interval (thesis §5.2.1, Fig. 5.6). */
typedef enum { XMPI_DEDICATED, XMPI_BURST, XMPI_LONG_TERM } xmpi_interference_t;

typedef struct {
    int window;                   /* k of Alg. 5, 1 to XMPI_WINDOW_MAX */
    int64_t intervals;            /* n of Alg. 5, from 1 on */
    char shared[XMPI_WINDOW_MAX]; /* dedicated_system of Alg. 5, inverted: the circular buffer */
    int pes;
    xmpi_speed_t *speed;           /* of each PE; malloc */
    xmpi_forecast_kind_t forecast; /* how its speeds are foretold ... */
    double span;                   /* ... from so many seconds */
    int pasts;
    xmpi_past_t *past; /* of each PE, malloc; none where speeds are foretold by their level */
} xmpi_history_t;

/* Whether the PE of a member was shared with others in the interval: its computation took more than
 * the share THRESHOLD (TH2) longer than it had the CPU (Alg. 5, lines 8-12, where the prose says
 * what the pseudocode turns round). */
bool xmpi_sample_is_shared(const xmpi_sample_t *sample, double threshold);

/* From now on speeds are foretold by FORECAST from the last SPAN seconds. */
void xmpi_history_foretell(xmpi_history_t *history, xmpi_forecast_kind_t forecast, double span);

/* Units of work per second that are foretold of PE, with their relative standard error; 0: none. */
double xmpi_history_speed(const xmpi_history_t *history, int pe, double *error);

/* Relative standard error of that speed over a longer time, in which errors of single intervals
 * even out where it is not that of the last one alone. */
double xmpi_history_error(const xmpi_history_t *history, int pe);

/* Iterations that a new speed of the PE will last at least, by those that were over so far, of
 * which one has to have come and gone; 0: that is not known. */
double xmpi_speed_lasts(const xmpi_speed_t *speed);

/* Iterations from one change of a speed to the next, of the PE on which there were most of late;
 * 0: there was none. */
double xmpi_history_apart(const xmpi_history_t *history);

/* Whether a speed has changed by more than SHARE of it in the last interval. */
bool xmpi_history_turned(const xmpi_history_t *history, double share);

/* Takes in the SAMPLES of the members of LAYOUT, in rank order. WINDOW is k, THRESHOLD is TH2. The
 * speeds of PEs without a member are kept, with how long ago they were seen. XMPI_ERR_MEMORY leaves
 * it as it was. */
xmpi_status_t xmpi_history_add(xmpi_history_t *history, const xmpi_layout_t *layout,
                               const xmpi_resources_t *resources, const xmpi_sample_t *samples,
                               int window, double threshold);

/* Takes in what was SEEN of PEs, as many as RESOURCES has, beside the last interval: those without
 * a member have the capacity that was measured there, or that of their class, or of the rates at
 * which their CPUs do work of ours, as far as others leave it. */
void xmpi_history_see(xmpi_history_t *history, const xmpi_resources_t *resources,
                      const xmpi_idle_t *seen);

/* Interference in the last interval: a burst until the system has been shared k times in a row
 * (Alg. 5, lines 21-27). */
xmpi_interference_t xmpi_history_interference(const xmpi_history_t *history);

/* The speeds of the classes of PEs that have members, as far as nobody else has taken of them in
 * the last interval: how many, into CLASSES, of which there is room for XMPI_CLASSES_MAX. */
int xmpi_history_classes(const xmpi_history_t *history, const xmpi_resources_t *resources,
                         xmpi_class_speed_t *classes);

/* The work of members' rows is known better from now on: what their speeds were taken for before
 * is void. All work together is what it was, so that PEs without a member keep theirs. */
void xmpi_history_begin_anew(xmpi_history_t *history);

void xmpi_history_free(xmpi_history_t *history);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Loads that come and go. */
#include "simulate/loads/load_model.h"

#include <math.h>
#include <stdlib.h>

/* splitmix64 (Steele et al. 2014). (As in decide/planning/draw.h, which programs of the emulated
 * cluster do not see.) */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* From 0, never 1. */
static double uniform(uint64_t *state)
{
    return (double)(next(state) >> 11) / 9007199254740992.0;
}

/* Nodes are independent of one another. */
static uint64_t state_of(const load_run_t *run, int index)
{
    uint64_t state = run->seed;
    state = next(&state) + (uint64_t)index;
    next(&state);
    return state;
}

void load_onoff(const load_run_t *run, const load_onoff_t *onoff, int index, load_change_t *change,
                void *context)
{
    uint64_t state = state_of(run, index);
    double all = onoff->start + onoff->stop, often = all > 0 ? onoff->start / all : 0;
    int on = 0;
    for (int i = 0; i < onoff->sources; i++)
        on += uniform(&state) < often;
    change(context, 0, on);
    for (int64_t k = 1; (double)k * onoff->step < run->seconds; k++) {
        int before = on, stops = 0, starts = 0;
        for (int i = 0; i < onoff->sources; i++) {
            double drawn = uniform(&state);
            stops += i < before && drawn < onoff->stop;
            starts += i >= before && drawn < onoff->start;
        }
        on += starts - stops;
        if (on != before)
            change(context, (double)k * onoff->step, on);
    }
}

/* A job that comes or ends. */
typedef struct {
    double when;
    int change;
} event_t;

static int earlier_first(const void *a, const void *b)
{
    const event_t *one = a, *other = b;
    return one->when != other->when ? (one->when < other->when ? -1 : 1)
                                    : other->change - one->change;
}

/* Both events of each job, malloc; NULL: no memory. */
static event_t *draw_jobs(const load_run_t *run, const load_jobs_t *jobs, uint64_t state, int *n)
{
    event_t *event = NULL;
    double when = 2 * jobs->between * uniform(&state);
    for (*n = 0; when < run->seconds; when += 2 * jobs->between * uniform(&state)) {
        double lasts = uniform(&state) < jobs->share
                           ? -log(1 - uniform(&state)) * jobs->mean / jobs->share
                           : 0;
        event_t *grown = realloc(event, (size_t)(*n + 2) * sizeof *event);
        if (grown == NULL) {
            free(event);
            return NULL;
        }
        event = grown;
        event[(*n)++] = (event_t){when, 1};
        event[(*n)++] = (event_t){when + lasts, -1};
    }
    return event != NULL ? event : malloc(sizeof *event);
}

int load_jobs(const load_run_t *run, const load_jobs_t *jobs, int index, load_change_t *change,
              void *context)
{
    int n, load = 0, written = -1;
    event_t *event = draw_jobs(run, jobs, state_of(run, index), &n);
    if (event == NULL)
        return -1;
    qsort(event, (size_t)n, sizeof *event, earlier_first);
    for (int i = 0; i < n && event[i].when < run->seconds; i++) {
        load += event[i].change;
        if (i + 1 < n && event[i + 1].when - event[i].when < 5e-4)
            continue; /* both in the same millisecond */
        if (load != written)
            change(context, event[i].when, load);
        written = load;
    }
    free(event);
    return 0;
}

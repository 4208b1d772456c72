/* SPDX-License-Identifier: BSD-3-Clause
 * What the demonstration needs to know from the trace of a run. */
#ifndef DEMO_TRACE_H
#define DEMO_TRACE_H

enum { TRACE_STEPS = 64, TRACE_WHY = 512 };

/* The speed of a processor class, 0 for one that is unknown. */
typedef double (*trace_speed_t)(const char *class);

typedef struct {
    char kind[16]; /* rebalance, grow, shrink or exchange */
    int iteration, from, to;
    double seconds;
} trace_step_t;

typedef struct {
    int iterations;       /* of the loop */
    double before, after; /* seconds per iteration in the first and in the last interval */
    double work;          /* sum over all iterations of 1 / the total speed of their members */
    int members;          /* in the last interval */
    int steps;            /* reconfigurations that were done */
    int called_off;       /* those that were not */
    double step_seconds;  /* what those done took in all */
    trace_step_t step[TRACE_STEPS]; /* the first of those done */
} trace_t;

/* Reads the trace in TEXT (JSON lines). 0, or -1 with one line that says WHY. */
int trace_read(const char *text, trace_speed_t speed, trace_t *trace, char why[TRACE_WHY]);

/* Whether a reconfiguration of this kind led to TO members. */
int trace_has(const trace_t *trace, const char *kind, int to);

#endif

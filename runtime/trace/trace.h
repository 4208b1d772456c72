/* SPDX-License-Identifier: BSD-3-Clause
 * Trace: what happened and why, as JSON lines (docs/trace.md). Written by the leader (rank 0 of the
 * current world); a new leader appends. Every line is complete, so that a killed job leaves a
 * readable file. */
#ifndef XMPI_TRACE_TRACE_H
#define XMPI_TRACE_TRACE_H

#include <cjson/cJSON.h>

#include "act/data/fingerprint.h"
#include "act/members/shared.h"
#include "decide/layout/node_seconds.h"
#include "decide/scheduler/availability.h"
#include "decide/mapping/traffic.h"
#include "decide/plan/plan.h"
#include "decide/predict/predict.h"
#include "decide/model/sample.h"
#include "trace/clock.h"
#include "trace/schema.h"
#include "trace/writer.h"

typedef struct {
    xmpi_writer_t *file; /* NULL: no trace */
    int64_t limit;       /* bytes */
    int64_t events;      /* that could have been thinned out */
    int64_t left_out;    /* of them */
} xmpi_trace_t;

/* A reconfiguration with its cost in seconds. Plain data. */
typedef struct {
    int64_t iteration;
    char kind[16];     /* xmpi_plan_kind */
    int from, to;      /* members */
    double scheduling; /* in which it was decided on, when all had said what was asked first */
    double seconds, processes, redistribution;
    double parting;    /* of the last: since all had agreed, where whole programs move; else 0 */
    double start;      /* seconds in which the program started over; 0: it did not */
    double background; /* seconds in which processes were got while the program iterated; 0: none */
    double moving;     /* seconds in which constant arrays moved while the program iterated */
    int64_t bytes, messages;
    xmpi_prediction_t predicted; /* total 0: nothing was */
    bool done;                   /* false: called off, the old layout runs on */
    char reason[512];
} xmpi_reconfiguration_t;

typedef enum {
    XMPI_CHECKED_EQUAL,
    XMPI_CHECKED_DIFFERENT,
    XMPI_NOT_CHECKED,
    XMPI_CHECK_RESULTS
} xmpi_check_result_t;

/* A check of a change (program/check/check.h). WHY empty: there is nothing to say. */
typedef struct {
    int64_t iteration; /* that was run in both layouts */
    xmpi_check_result_t outcome;
    const char *why;
    int from, to;       /* members */
    double seconds;     /* that further iterations took */
    int64_t iterations; /* how many these were */
} xmpi_checked_t;

/* A checkpoint, when it is known what has become of it; or one from which the program goes on: then
 * SECONDS is what reading it took. */
typedef struct {
    int64_t iteration, set;
    int members;    /* who wrote it */
    double stall;   /* seconds that the loop stood still for it */
    double seconds; /* in which the leader wrote its part */
    bool whole;
} xmpi_saved_t;

/* Opens the file of the settings; FIRST empties it. XMPI_ERR_INPUT when it cannot be written. */
xmpi_status_t xmpi_trace_open(xmpi_trace_t *trace, const xmpi_shared_t *shared, bool first,
                              xmpi_error_t *error);

/* ITERATIONS: how many the loop will make; 0: not known. */
void xmpi_trace_start(xmpi_trace_t *trace, const xmpi_shared_t *shared, const char *where,
                      const char *counter, int64_t interval, int64_t iterations);
/* STATE: bytes of the rows that the members have, 0: not known. KEPT: why there is no change, empty
 * when there is one or no question of one. PREDICTED: what was expected of the interval, NULL:
 * nothing. */
void xmpi_trace_interval(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t number,
                         int64_t iteration, const xmpi_sample_t *samples, double cost, double state,
                         const char *kept, const xmpi_prediction_t *predicted);
/* A change to NEXT begins, whatever comes of it: the last line of a job that hangs or dies. */
void xmpi_trace_plan(xmpi_trace_t *trace, const xmpi_shared_t *shared,
                     const xmpi_reconfiguration_t *reconfiguration, const xmpi_layout_t *next);
void xmpi_trace_reconfiguration(xmpi_trace_t *trace, const xmpi_shared_t *shared,
                                const xmpi_reconfiguration_t *reconfiguration);
/* The loop keeps its processes and blocks from here on. */
void xmpi_trace_pinned(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                       const char *why);

/* One more element of the list VALUES: the array or variable NAME, of KIND rows, whole or live. */
void xmpi_trace_add_fingerprint(cJSON *values, const char *name, const char *kind,
                                const xmpi_fingerprint_t *fingerprint);

void xmpi_trace_checkpoint(xmpi_trace_t *trace, const xmpi_shared_t *shared,
                           const xmpi_saved_t *saved);
void xmpi_trace_restart(xmpi_trace_t *trace, const xmpi_shared_t *shared,
                        const xmpi_saved_t *saved);

/* What the data are at the end of a loop, and the names of FILES with rows (NULL: none); VALUES and
 * FILES are taken over. */
void xmpi_trace_data(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                     cJSON *values, cJSON *files);

/* Who sends how much to whom, as far as that was gathered. */
void xmpi_trace_matrix(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                       const xmpi_traffic_t *traffic);
void xmpi_trace_check(xmpi_trace_t *trace, const xmpi_shared_t *shared,
                      const xmpi_checked_t *checked);
/* Of the ITERATIONS that the loop has made, FROM were made before this start of the program; all
 * else is of those that it has made itself. */
void xmpi_trace_end(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t from,
                    int64_t iterations, double seconds, int64_t reconfigurations,
                    double reconfiguration_seconds, double cost, double static_seconds,
                    const xmpi_node_seconds_t *nodes);

/* What a policy has considered. */
void xmpi_trace_decision(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                         const xmpi_decision_t *decision);

/* What the program may use since CHANGE, and who uses it, by node. */
void xmpi_trace_resources(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                          const char *source, const xmpi_availability_t *change);
/* Whether events could not be written: what there is is not the whole. */
bool xmpi_trace_is_broken(const xmpi_trace_t *trace);

void xmpi_trace_close(xmpi_trace_t *trace);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Trials: runs of the program, each compared with what the program as it is does. */
#ifndef XMPIRUN_CHECK_TRIAL_H
#define XMPIRUN_CHECK_TRIAL_H

#include "run/check/data.h"
#include "run/check/files.h"
#include "run/check/job.h"
#include "run/check/story.h"
#include "run/check/text.h"
#include "run/job/options.h"
#include "tool/tool.h"

enum { LIMIT_TIMES = 10 /* as long as the program as it is takes may another run take */ };

/* How the program is run. */
typedef enum {
    AS_IT_IS,  /* without XMPI */
    UNCHANGED, /* with XMPI, but without changes */
    AT_RANDOM, /* with changes from SEED */
    BY_SCHEDULE
} way_t;

typedef struct {
    way_t way;
    const char *backend; /* "spawn" or "pool", of those with changes */
    long seed;
    bool checked;         /* each change is checked: XMPI_CHECK */
    int64_t interval;     /* iterations between two changes; 0: as the user or XMPI chooses */
    const char *rounding; /* the direction in which it rounds; NULL: as always */
    double held;          /* seconds that it stands still, now and then, ... */
    family_part_t who;           /* ... and which of its processes */
    double limit;         /* seconds; 0: none */
} trial_t;

/* What came of it. */
typedef struct {
    job_end_t end;
    story_t story;
    comparison_t output, errors, files, data;
    bool ended_otherwise;      /* another exit status, or none in time */
    char told[DIFFERENCE_MAX]; /* the last line of XMPI's own on its stderr */
    bool no_spawn;             /* it ended because the MPI cannot spawn */
    bool untold;               /* it was ended for its time, and so might the program be as it is */
    double as_it_is; /* of such a run: seconds that this took just then, or it was ended after */
} outcome_t;

/* What all trials share. */
typedef struct {
    const options_t *options;
    char store[1024]; /* our folder */
    int most;         /* members */
    bool can_check;   /* the library has XMPI_CHECK */
    double tolerance; /* that the user has given; 0: none */
    double text_tolerance;
    double plain; /* seconds that the program as it is takes */
    int status;   /* its exit status */
    files_t files;
    text_t out, err;
    text_t unchanged_out, unchanged_err; /* of the first run without changes */
    bool has_unchanged;
    bool out_varies, err_varies; /* as a whole */
    story_t reference;           /* of the run without changes */
    varying_t varying;
    bool spread; /* it was seen what other roundings come to */
} bench_t;

/* Makes our folder, and keeps what is on standard input for all runs. */
void bench_open(bench_t *bench, const options_t *options);
void bench_close(bench_t *bench);

/* Runs it, and compares unless it is the first, whose results are the measure. To be freed. */
outcome_t trial_run(bench_t *bench, const trial_t *trial);
void outcome_free(outcome_t *outcome);

/* The same; but what was ended for its time is no hang until the program as it is has been run
 * again and is as quick as it was: where the machine has become slow, TRIAL gets more time. Where
 * it cannot be told nothing is compared, and the outcome says so. */
outcome_t trial_judge(bench_t *bench, trial_t *trial);

/* What the first run has done is the measure. TOOL_MISUSED, and a line, when it cannot be. */
int bench_take_measure(bench_t *bench, const outcome_t *outcome);

/* Another run as the program is, or without changes, has ended: what is another one in it is not
 * compared any more. How many things that are. */
void bench_note_varying(bench_t *bench, const trial_t *trial, const outcome_t *outcome);
int bench_varying(const bench_t *bench);

/* A run without changes has ended: what it says otherwise than the first such run is not compared,
 * either. What XMPI takes itself shows in what the program prints of short times, and in those of
 * no run as the program is. */
void bench_note_unchanged(bench_t *bench);

/* The same, rounding in another direction: what comes of that counts as rounding. */
void bench_note_spread(bench_t *bench, const trial_t *trial, const outcome_t *outcome);

/* The worst of all that was compared; and with what was checked. */
sameness_t outcome_effect(const outcome_t *outcome);
sameness_t outcome_worst(const outcome_t *outcome);

/* Whether AGAIN differs in what FIRST does, in the plainest of it: how it ends, then what a check
 * has found, data, files, output. */
bool outcome_differs_like(const outcome_t *first, const outcome_t *again);

/* The path of a file in our folder. */
const char *bench_path(const bench_t *bench, const char *name, char *path);

#endif

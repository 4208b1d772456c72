/* SPDX-License-Identifier: BSD-3-Clause
 * What the trace tells of a run: its loops, the changes that were made, what was checked, and what
 * the data were at the end. */
#ifndef XMPIRUN_CHECK_STORY_H
#define XMPIRUN_CHECK_STORY_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* A change: after ITERATION of the loop that was begun as number LOOP. */
typedef struct {
    int loop;
    int64_t iteration;
    char kind[16];
    int from, to; /* members */
    char *layout; /* "PE:ROWS ...", as in a schedule: malloc */
    bool done;
} change_t;

typedef struct {
    char name[128];
    int64_t iterations; /* of all times that it was begun */
    int64_t least;      /* of one time */
    int times;
    int64_t changes;
    int64_t checks; /* that came to a result */
    bool rowless;
    char pinned[512]; /* why it keeps its processes; empty: it does not */
} loop_t;

enum { LOOPS_MAX = 32 };

typedef struct {
    int loops; /* different ones */
    loop_t loop[LOOPS_MAX];
    int begun, ended; /* how many times */
    int *loop_of;     /* of each time that one was begun: malloc */
    int changes, done;
    change_t *change; /* malloc */
    int called_off;
    int equal, different, unchecked;
    char why_different[512], why_unchecked[512]; /* of the first; a loop that is pinned after it has
                                                    begun counts as different */
    char why_called_off[512], why_kept[512]; /* of the first; what was said last where no change was
                                                decided on */
    char backend[16];
    bool adaptive; /* there was an adaptive loop */
    cJSON *data;   /* of each loop that has ended, the values of its end: an array of arrays */
    cJSON *files;  /* names of files that have rows of a loop */
} story_t;

/* Reads the trace PATH; where there is none nothing has happened. */
story_t story_read(const char *path);
void story_free(story_t *story);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The smallest set of changes that still shows a difference: delta debugging. */
#define _GNU_SOURCE
#include "run/check/reduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/process/seconds.h"

typedef struct {
    bench_t *bench;
    trial_t trial;
    const outcome_t *outcome;
    double until;
    reduction_t *result;
} search_t;

bool schedule_write(const char *path, const story_t *story, const int *change, int n)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    fprintf(file, "# loop, iteration, and the rows of each member's processing element\n");
    if (n == 0)
        fprintf(file, "layout 1 1\n");
    for (int i = 0; i < n; i++) {
        const change_t *c = &story->change[change[i]];
        fprintf(file, "layout %d %" PRId64 "%s\n", c->loop, c->iteration, c->layout);
    }
    return fclose(file) == 0;
}

static void take(search_t *search, const int *change, int n, outcome_t *outcome)
{
    reduction_t *result = search->result;
    outcome_free(&result->last);
    result->last = *outcome;
    result->shown = true;
    result->changes = n;
    memmove(result->change, change, (size_t)n * sizeof *change);
}

/* Whether these changes show a difference; they are the result then. */
static bool shows(search_t *search, const int *change, int n)
{
    char path[TOOL_PATH_MAX];
    if (job_signal() != 0 || xmpi_seconds_now() > search->until) {
        search->result->ran_out = true;
        return false;
    }
    if (!schedule_write(bench_path(search->bench, "schedule", path), &search->outcome->story,
                        change, n))
        return false;
    outcome_t outcome = trial_run(search->bench, &search->trial);
    search->result->runs++;
    if (job_signal() != 0 || !outcome_differs_like(search->outcome, &outcome)) {
        outcome_free(&outcome);
        return false;
    }
    take(search, change, n, &outcome);
    return true;
}

/* Tries to leave out one of PARTS parts of the result, or all but one; whether that went. */
static bool leave_out(search_t *search, int parts, bool all_but_one, int *scratch)
{
    const reduction_t *result = search->result;
    int n = result->changes;
    for (int part = 0; part < parts && !result->ran_out; part++) {
        int begin = (int)((int64_t)n * part / parts), end = (int)((int64_t)n * (part + 1) / parts);
        int kept = 0;
        for (int i = 0; i < n; i++)
            if ((i >= begin && i < end) == all_but_one)
                scratch[kept++] = result->change[i];
        if (kept > 0 && shows(search, scratch, kept))
            return true;
    }
    return false;
}

static void minimize(search_t *search, int *scratch)
{
    const reduction_t *result = search->result;
    for (int parts = 2; result->changes > 1 && !result->ran_out;) {
        if (leave_out(search, parts, true, scratch))
            parts = 2;
        else if (parts > 2 && leave_out(search, parts, false, scratch))
            parts = parts - 1 > 2 ? parts - 1 : 2;
        else if (parts < result->changes)
            parts = 2 * parts < result->changes ? 2 * parts : result->changes;
        else
            return;
    }
}

reduction_t reduce(bench_t *bench, const trial_t *trial, const outcome_t *outcome, double seconds)
{
    const story_t *story = &outcome->story;
    reduction_t result = {.change = calloc((size_t)story->changes + 1, sizeof *result.change)};
    int *all = calloc((size_t)story->changes + 1, sizeof *all);
    search_t search = {bench, *trial, outcome, xmpi_seconds_now() + seconds, &result};
    search.trial.way = BY_SCHEDULE;
    if (result.change == NULL || all == NULL)
        tool_misuse("no memory for a list of changes");
    for (int i = 0; i < story->changes; i++)
        all[i] = result.change[i] = i;
    result.changes = story->changes;
    /* What hangs, dies or is found by a check does so in or after its last change. */
    if (story->changes > 0 && !shows(&search, &all[story->changes - 1], 1) &&
        shows(&search, all, story->changes))
        minimize(&search, all);
    free(all);
    return result;
}

void reduction_free(reduction_t *reduction)
{
    outcome_free(&reduction->last);
    free(reduction->change);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What the trace tells of a run. */
#define _GNU_SOURCE
#include "run/check/story.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job.h"
#include "tool/tool.h"

static void *grown(void *array, int n, size_t size)
{
    void *more = realloc(array, (size_t)(n + 1) * size);
    if (more == NULL)
        tool_misuse("no memory for what a run has done");
    return more;
}

static loop_t *current(story_t *story)
{
    return story->begun > 0 ? &story->loop[story->loop_of[story->begun - 1]] : NULL;
}

/* --- events ------------------------------------------------------------------------------------
 */

static int find_loop(story_t *story, const char *name)
{
    for (int i = 0; i < story->loops; i++)
        if (strcmp(story->loop[i].name, name) == 0)
            return i;
    int last = story->loops < LOOPS_MAX ? story->loops++ : LOOPS_MAX - 1;
    snprintf(story->loop[last].name, sizeof story->loop[last].name, "%.127s", name);
    return last;
}

static void begin_loop(story_t *story, const cJSON *event)
{
    if (strcmp(job_text(event, "policy"), "none") == 0)
        return; /* a program that is only watched */
    story->adaptive = true;
    snprintf(story->backend, sizeof story->backend, "%.15s", job_text(event, "backend"));
    int loop = find_loop(story, job_text(event, "loop"));
    story->loop_of = grown(story->loop_of, story->begun, sizeof *story->loop_of);
    story->loop_of[story->begun++] = loop;
    story->loop[loop].times++;
    story->loop[loop].rowless = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(event, "rowless"));
}

/* "0:12 3:7". */
static char *layout_of(const cJSON *event)
{
    const cJSON *place;
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        tool_misuse("no memory for what a run has done");
    cJSON_ArrayForEach(place, cJSON_GetObjectItemCaseSensitive(event, "layout"))
        fprintf(file, " %.0f:%.0f", job_number(place, "pe"), job_number(place, "count"));
    fclose(file);
    return text;
}

static void add_change(story_t *story, const cJSON *event)
{
    story->change = grown(story->change, story->changes, sizeof *story->change);
    change_t *change = &story->change[story->changes++];
    *change = (change_t){.loop = story->begun,
                         .iteration = (int64_t)job_number(event, "iteration"),
                         .from = (int)job_number(event, "from"),
                         .to = (int)job_number(event, "to"),
                         .layout = layout_of(event)};
    snprintf(change->kind, sizeof change->kind, "%.15s", job_text(event, "kind"));
}

static void finish_change(story_t *story, const cJSON *event)
{
    if (strcmp(job_text(event, "outcome"), "called off") == 0 && story->called_off++ == 0)
        snprintf(story->why_called_off, sizeof story->why_called_off, "%.511s",
                 job_text(event, "reason"));
    if (story->changes == 0 || strcmp(job_text(event, "outcome"), "done") != 0)
        return;
    story->change[story->changes - 1].done = true;
    story->done++;
    if (current(story) != NULL)
        current(story)->changes++;
}

static void add_check(story_t *story, const cJSON *event)
{
    const char *outcome = job_text(event, "outcome"), *why = job_text(event, "why");
    if (current(story) != NULL)
        current(story)->checks += strcmp(outcome, "not checked") != 0;
    if (strcmp(outcome, "equal") == 0) {
        story->equal++;
    } else if (strcmp(outcome, "different") == 0) {
        if (story->different++ == 0)
            snprintf(story->why_different, sizeof story->why_different, "%.511s", why);
    } else if (story->unchecked++ == 0) {
        snprintf(story->why_unchecked, sizeof story->why_unchecked, "%.511s", why);
    }
}

static void take_interval(story_t *story, const cJSON *event)
{
    if (job_text(event, "kept")[0] != '\0')
        snprintf(story->why_kept, sizeof story->why_kept, "%.511s", job_text(event, "kept"));
}

static void pin(story_t *story, const cJSON *event)
{
    loop_t *loop = current(story);
    snprintf(loop->pinned, sizeof loop->pinned, "%.511s", job_text(event, "why"));
    if (job_number(event, "iteration") <= 0 || story->different > 0)
        return;
    story->different++; /* something else than a check has found it */
    memcpy(story->why_different, loop->pinned, sizeof loop->pinned);
}

static void end_loop(story_t *story, const cJSON *event)
{
    loop_t *loop = current(story);
    int64_t iterations = (int64_t)job_number(event, "iterations");
    if (loop == NULL)
        return;
    story->ended++;
    loop->iterations += iterations;
    if (loop->least == 0 || iterations < loop->least)
        loop->least = iterations;
}

/* The last of a loop that is entered again and again counts. */
static void add_data(story_t *story, cJSON *event)
{
    cJSON *values = cJSON_DetachItemFromObjectCaseSensitive(event, "values");
    cJSON *files = cJSON_GetObjectItemCaseSensitive(event, "files"), *name;
    cJSON_ArrayForEach(name, files) cJSON_AddItemToArray(story->files, cJSON_Duplicate(name, true));
    while (cJSON_GetArraySize(story->data) < story->begun)
        cJSON_AddItemToArray(story->data, cJSON_CreateArray());
    if (values != NULL && story->begun > 0)
        cJSON_ReplaceItemInArray(story->data, story->begun - 1, values);
}

static void take(story_t *story, cJSON *event)
{
    const char *name = job_text(event, "event");
    if (strcmp(name, "start") == 0)
        begin_loop(story, event);
    else if (strcmp(name, "plan") == 0)
        add_change(story, event);
    else if (strcmp(name, "reconfiguration") == 0)
        finish_change(story, event);
    else if (strcmp(name, "interval") == 0)
        take_interval(story, event);
    else if (strcmp(name, "check") == 0)
        add_check(story, event);
    else if (strcmp(name, "data") == 0)
        add_data(story, event);
    else if (strcmp(name, "end") == 0)
        end_loop(story, event);
    else if (strcmp(name, "pinned") == 0 && current(story) != NULL)
        pin(story, event);
}

story_t story_read(const char *path)
{
    story_t story = {.data = cJSON_CreateArray(), .files = cJSON_CreateArray()};
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    while (file != NULL && getline(&line, &room, file) > 0) {
        cJSON *event = cJSON_Parse(line);
        if (event != NULL)
            take(&story, event);
        cJSON_Delete(event);
    }
    if (file != NULL)
        fclose(file);
    free(line);
    return story;
}

void story_free(story_t *story)
{
    for (int i = 0; i < story->changes; i++)
        free(story->change[i].layout);
    free(story->change);
    free(story->loop_of);
    cJSON_Delete(story->data);
    cJSON_Delete(story->files);
    *story = (story_t){0};
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What the demonstration needs to know from the trace of a run. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "demo_trace.h"

/* The reading of one trace. */
typedef struct {
    trace_t *trace;
    trace_speed_t speed;
    double slowness; /* 1 / total speed of the members of the latest interval */
    int sampled;     /* iterations in all intervals so far */
    int ended;
    char *why;
} reader_t;

static int refuse(reader_t *reader, const char *what, const char *which)
{
    snprintf(reader->why, TRACE_WHY, "%s %s", what, which);
    return -1;
}

static int number(reader_t *reader, const cJSON *event, const char *name, double *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || item->valuedouble < 0)
        return refuse(reader, "there is no number", name);
    *value = item->valuedouble;
    return 0;
}

static int whole(reader_t *reader, const cJSON *event, const char *name, int *value)
{
    double real;
    if (number(reader, event, name, &real) != 0)
        return -1;
    if (real > 2e9 || real != floor(real))
        return refuse(reader, "there is no whole number", name);
    *value = (int)real;
    return 0;
}

static const char *word(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* Total speed of the members that did an interval. */
static int total_speed(reader_t *reader, const cJSON *event, double *total, int *count)
{
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(event, "members"), *member;
    *total = 0;
    *count = 0;
    cJSON_ArrayForEach(member, members)
    {
        double speed = reader->speed(word(member, "class"));
        if (speed <= 0)
            return refuse(reader, "a member has the unknown class", word(member, "class"));
        *total += speed;
        ++*count;
    }
    return *count > 0 ? 0 : refuse(reader, "there are no", "members");
}

static int read_interval(reader_t *reader, const cJSON *event)
{
    trace_t *trace = reader->trace;
    int iterations;
    double seconds, total;
    if (whole(reader, event, "iterations", &iterations) != 0 ||
        number(reader, event, "seconds", &seconds) != 0 ||
        total_speed(reader, event, &total, &trace->members) != 0)
        return -1;
    if (iterations == 0)
        return refuse(reader, "an interval has no", "iterations");
    trace->after = seconds / iterations;
    if (reader->sampled == 0)
        trace->before = trace->after;
    reader->slowness = 1 / total;
    reader->sampled += iterations;
    trace->work += iterations * reader->slowness;
    return 0;
}

static int read_step(reader_t *reader, const cJSON *event)
{
    trace_t *trace = reader->trace;
    trace_step_t step;
    snprintf(step.kind, sizeof step.kind, "%s", word(event, "kind"));
    if (whole(reader, event, "iteration", &step.iteration) != 0 ||
        whole(reader, event, "from", &step.from) != 0 ||
        whole(reader, event, "to", &step.to) != 0 ||
        number(reader, event, "seconds", &step.seconds) != 0)
        return -1;
    if (strcmp(word(event, "outcome"), "done") != 0) {
        trace->called_off++;
        return 0;
    }
    if (trace->steps < TRACE_STEPS)
        trace->step[trace->steps] = step;
    trace->steps++;
    trace->step_seconds += step.seconds;
    return 0;
}

/* The iterations after the last interval were done by the members of that interval. */
static int read_end(reader_t *reader, const cJSON *event)
{
    trace_t *trace = reader->trace;
    if (whole(reader, event, "iterations", &trace->iterations) != 0)
        return -1;
    if (reader->sampled == 0)
        return refuse(reader, "it ends without an", "interval");
    if (trace->iterations < reader->sampled)
        return refuse(reader, "it ends with fewer iterations than its intervals have:", "end");
    trace->work += (trace->iterations - reader->sampled) * reader->slowness;
    reader->ended = 1;
    return 0;
}

static int read_event(reader_t *reader, const char *line, size_t length)
{
    int status = 0;
    cJSON *event = cJSON_ParseWithLength(line, length);
    const char *kind = word(event, "event");
    if (!cJSON_IsObject(event) || *kind == '\0')
        status = refuse(reader, "this is no", "event");
    else if (strcmp(kind, "interval") == 0)
        status = read_interval(reader, event);
    else if (strcmp(kind, "reconfiguration") == 0)
        status = read_step(reader, event);
    else if (strcmp(kind, "end") == 0)
        status = read_end(reader, event);
    cJSON_Delete(event);
    return status;
}

int trace_read(const char *text, trace_speed_t speed, trace_t *trace, char why[TRACE_WHY])
{
    reader_t reader = {.trace = trace, .speed = speed, .why = why};
    memset(trace, 0, sizeof *trace);
    for (int line = 1; *text != '\0'; line++) {
        size_t length = strcspn(text, "\n");
        if (length > 0 && read_event(&reader, text, length) != 0) {
            char reason[TRACE_WHY];
            memcpy(reason, why, sizeof reason);
            snprintf(why, TRACE_WHY, "line %d of the trace: %.*s", line, TRACE_WHY - 50, reason);
            return -1;
        }
        text += length + (text[length] == '\n');
    }
    return reader.ended ? 0 : refuse(&reader, "the trace has no", "end");
}

int trace_has(const trace_t *trace, const char *kind, int to)
{
    for (int i = 0; i < trace->steps && i < TRACE_STEPS; i++)
        if (strcmp(trace->step[i].kind, kind) == 0 && trace->step[i].to == to)
            return 1;
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * A trace in the Trace Event Format of Chrome, which Perfetto and chrome://tracing open. Times
 * there are microseconds. */
#include <stdlib.h>

#include "tool/tool.h"
#include "write.h"

enum { GROUP = 1, CHANGES_TRACK = 1000000 }; /* beyond any number of a process */

static cJSON *entry(cJSON *list, const char *phase, const char *name, double track, double seconds)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "ph", phase);
    cJSON_AddStringToObject(object, "name", name);
    cJSON_AddNumberToObject(object, "pid", GROUP);
    cJSON_AddNumberToObject(object, "tid", track);
    cJSON_AddNumberToObject(object, "ts", 1e6 * seconds);
    cJSON_AddItemToArray(list, object);
    return object;
}

static void name_track(cJSON *list, double track, const char *name)
{
    cJSON *arguments = cJSON_AddObjectToObject(entry(list, "M", "thread_name", track, 0), "args");
    cJSON_AddStringToObject(arguments, "name", name);
}

static cJSON *slice(cJSON *list, const char *name, double track, double begin, double seconds)
{
    cJSON *object = entry(list, "X", name, track, begin);
    cJSON_AddNumberToObject(object, "dur", 1e6 * (seconds > 0 ? seconds : 0));
    return object;
}

static void counter(cJSON *list, const char *name, double seconds, double value)
{
    cJSON *arguments = cJSON_AddObjectToObject(entry(list, "C", name, 0, seconds), "args");
    cJSON_AddNumberToObject(arguments, name, value);
}

/* Where there is nothing of it there is no slice. The end of the slice. */
static double add_part(cJSON *list, const char *name, double track, double begin, double seconds)
{
    if (seconds <= 0)
        return begin;
    slice(list, name, track, begin, seconds);
    return begin + seconds;
}

/* The sums of the interval one after the other: the trace does not tell their order in it. */
static void add_member(cJSON *list, const cJSON *member, double begin)
{
    double process = event_number(member, "process");
    double computation = event_number(member, "computation");
    member_times_t times = event_member_times(member);
    char name[64];
    snprintf(name, sizeof name, "process %.0f (%.40s)", process, event_text(member, "node"));
    name_track(list, process, name);
    cJSON *object = slice(list, "computation", process, begin, computation);
    cJSON *arguments = cJSON_AddObjectToObject(object, "args");
    cJSON_AddNumberToObject(arguments, "count", event_number(member, "count"));
    cJSON_AddNumberToObject(arguments, "displ", event_number(member, "displ"));
    cJSON_AddNumberToObject(arguments, "work", event_number(member, "work"));
    begin = add_part(list, "communication", process, begin + computation, times.communication);
    begin = add_part(list, "waiting", process, begin, times.waiting);
    add_part(list, "io", process, begin, times.io);
}

static void add_interval(cJSON *list, const cJSON *event)
{
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(event, "members"), *member;
    double seconds = event_number(event, "seconds");
    double begin = event_number(event, "time") - seconds;
    double iterations = event_number(event, "iterations");
    cJSON_ArrayForEach(member, members) add_member(list, member, begin);
    counter(list, "members", begin, cJSON_GetArraySize(members));
    if (iterations > 0)
        counter(list, "ms per iteration", begin, 1e3 * seconds / iterations);
}

static void add_change(cJSON *list, const cJSON *event)
{
    double seconds = event_number(event, "seconds");
    cJSON *object = slice(list, event_text(event, "kind"), CHANGES_TRACK,
                          event_number(event, "time") - seconds, seconds);
    cJSON_AddItemToObject(object, "args", cJSON_Duplicate(event, 1));
}

/* A decision and its alternatives, a moment on the track of the changes. */
static void add_decision(cJSON *list, const cJSON *event)
{
    cJSON *object = entry(list, "i", "decision", CHANGES_TRACK, event_number(event, "time"));
    cJSON_AddStringToObject(object, "s", "t"); /* of the track */
    cJSON_AddItemToObject(object, "args", cJSON_Duplicate(event, 1));
}

int write_chrome(const events_t *events, FILE *file)
{
    cJSON *whole = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(whole, "traceEvents");
    const cJSON *event;
    name_track(list, CHANGES_TRACK, "decisions and reconfigurations");
    cJSON_ArrayForEach(event, events->list)
    {
        if (event_is(event, "interval"))
            add_interval(list, event);
        else if (event_is(event, "reconfiguration"))
            add_change(list, event);
        else if (event_is(event, "decision"))
            add_decision(list, event);
    }
    char *text = cJSON_PrintUnformatted(whole);
    cJSON_Delete(whole);
    if (text == NULL)
        return tool_complain("no memory");
    fprintf(file, "%s\n", text);
    cJSON_free(text);
    return TOOL_OK;
}

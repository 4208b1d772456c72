/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a trace. */
#define _GNU_SOURCE
#include "tool/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"
#include "trace/schema.h"

const char *event_text(const cJSON *event, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(event, name));
    return text != NULL ? text : "";
}

double event_number(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

int event_is(const cJSON *event, const char *name)
{
    return strcmp(event_text(event, "event"), name) == 0;
}

member_times_t event_member_times(const cJSON *member)
{
    const cJSON *operations = cJSON_GetObjectItemCaseSensitive(member, "operations");
    const cJSON *io = cJSON_GetObjectItemCaseSensitive(operations, "io");
    member_times_t times = {.io = event_number(io, "seconds")};
    double rest = event_number(member, "communication") - times.io;
    rest = rest > 0 ? rest : 0;
    times.waiting = event_number(member, "waiting");
    times.waiting = times.waiting < rest ? times.waiting : rest;
    times.communication = rest - times.waiting;
    return times;
}

static void read_lines(FILE *file, events_t *events)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        cJSON *event = cJSON_Parse(line);
        if (event != NULL && event_text(event, "event")[0] != '\0') {
            cJSON_AddItemToArray(events->list, event);
            continue;
        }
        cJSON_Delete(event);
        events->damaged += line[strspn(line, " \t\r\n")] != '\0';
    }
    free(line);
}

static int check(const char *path, const events_t *events, char *why)
{
    const cJSON *first = cJSON_GetArrayItem(events->list, 0);
    if (first == NULL)
        snprintf(why, EVENTS_WHY_MAX,
                 "%.300s: this is not a trace of XMPI: no line is an event; a trace is written "
                 "where XMPI_TRACE names a file",
                 path);
    else if (event_number(first, "version") > XMPI_TRACE_VERSION)
        snprintf(why, EVENTS_WHY_MAX,
                 "%.300s: this trace has version %g, newer than this program's %d", path,
                 event_number(first, "version"), XMPI_TRACE_VERSION);
    else
        return TOOL_OK;
    return TOOL_MISUSED;
}

static int unreadable(const char *path, int error, char *why)
{
    snprintf(why, EVENTS_WHY_MAX, "%.300s: %s", path, strerror(error));
    return TOOL_MISUSED;
}

int events_read(const char *path, events_t *events, char *why)
{
    int standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    *events = (events_t){NULL, 0};
    if (file == NULL)
        return unreadable(path, errno, why);
    events->list = cJSON_CreateArray();
    errno = 0;
    read_lines(file, events);
    int failed = ferror(file) ? errno : 0;
    if (!standard)
        fclose(file);
    return failed != 0 ? unreadable(path, failed, why) : check(path, events, why);
}

void events_free(events_t *events)
{
    cJSON_Delete(events->list);
}

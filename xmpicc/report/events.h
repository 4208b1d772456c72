/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a trace: JSON lines (docs/trace.md). */
#ifndef XMPI_REPORT_EVENTS_H
#define XMPI_REPORT_EVENTS_H

#include <cjson/cJSON.h>

typedef struct {
    cJSON *list; /* an array of objects, one for each event */
    int damaged; /* lines that are none: a job that was killed may leave half a one */
} events_t;

/* Reads the trace PATH ("-": standard input). TOOL_MISUSED, and one line, when it cannot be read,
 * holds no event, or is of a version that this program does not know. */
int events_read(const char *path, events_t *events);
void events_free(events_t *events);

/* The text or number NAME of an event, "" or 0 where it has none. */
const char *event_text(const cJSON *event, const char *name);
double event_number(const cJSON *event, const char *name);

/* Whether EVENT is of the kind NAME. */
int event_is(const cJSON *event, const char *name);

/* Seconds of a member's time in MPI, by what they were spent on; "communication" of the trace is
 * their sum. Communication includes waiting that could not be told apart. */
typedef struct {
    double communication, waiting, io;
} member_times_t;

member_times_t event_member_times(const cJSON *member);

#endif

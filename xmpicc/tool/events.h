/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a trace: JSON lines (docs/trace.md). */
#ifndef XMPI_TOOL_EVENTS_H
#define XMPI_TOOL_EVENTS_H

#include <cjson/cJSON.h>

typedef struct {
    cJSON *list; /* an array of objects, one for each event */
    int damaged; /* lines that are none: a job that was killed may leave half a one */
} events_t;

enum { EVENTS_WHY_MAX = 512 };

/* Reads the trace PATH ("-": standard input). TOOL_MISUSED when it cannot be read, holds no event,
 * or is of a version that this program does not know; then WHY, of EVENTS_WHY_MAX bytes, is one
 * line. To be freed all the same. */
int events_read(const char *path, events_t *events, char *why);
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

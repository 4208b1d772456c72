/* SPDX-License-Identifier: BSD-3-Clause
 * Events that PAPI counts. PAPI has one running set for each of its components, so that all events
 * of a component are in one set here, whoever wants them. */
#ifndef XMPI_OBSERVE_COUNTER_EVENTS_H
#define XMPI_OBSERVE_COUNTER_EVENTS_H

#include "base/status.h"

enum { XMPI_EVENTS_MAX = 32, XMPI_SETS_MAX = 8 };

typedef struct {
    int id; /* of PAPI */
    int component;
    int events;
    long long before[XMPI_EVENTS_MAX]; /* counted until the set was stopped last */
} xmpi_event_set_t;

typedef struct {
    int sets;
    xmpi_event_set_t set[XMPI_SETS_MAX];
    int events;
    struct {
        int set, index;
    } place[XMPI_EVENTS_MAX];
} xmpi_events_t;

/* Begins to count the event NAME, threads that the process makes from now on included where PAPI
 * can. Its number in EVENTS, or -1 when it cannot be counted here. */
int xmpi_events_add(xmpi_events_t *events, const char *name);

/* Counts of all events since they were added, into VALUES (events->events numbers). */
void xmpi_events_read(const xmpi_events_t *events, long long *values);

void xmpi_events_close(xmpi_events_t *events);

#endif

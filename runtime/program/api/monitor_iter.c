/* SPDX-License-Identifier: BSD-3-Clause
 * XMPI_Monitor_iter_begin and _end: counting events by hand (thesis §4.2, Figs 4.2 and 4.3). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/world/world.h"
#include "observe/counter/counter.h"
#include "observe/monitor.h"
#include "base/export.h"
#include "base/floating.h"
#include "xmpi.h"

/* Events that the program wants counted around its iterations. */
typedef struct {
    int known; /* that are counted already, from whichever begin: their names and numbers */
    char name[XMPI_EVENTS_MAX][XMPI_EVENT_MAX];
    int number[XMPI_EVENTS_MAX];
    int wanted; /* by the last begin, and which of the known they are */
    int order[XMPI_EVENTS_MAX];
    long long start[XMPI_EVENTS_MAX];
    bool on;
} by_hand_t;

static by_hand_t counted_by_hand;

/* Where NAME is among those that are counted, begun when it is new; -1 when it cannot be. */
static int find_or_add(by_hand_t *by_hand, const char *name)
{
    for (int i = 0; i < by_hand->known; i++)
        if (strcmp(by_hand->name[i], name) == 0)
            return i;
    if (by_hand->known == XMPI_EVENTS_MAX || strlen(name) >= XMPI_EVENT_MAX)
        return -1;
    int number = xmpi_counter_add(&xmpi_monitor.counter, name);
    if (number < 0)
        return -1;
    strcpy(by_hand->name[by_hand->known], name);
    by_hand->number[by_hand->known] = number;
    return by_hand->known++;
}

XMPI_EXPORT int XMPI_Monitor_iter_begin(char *events[])
{
    XMPI_OWN_FLOATING;
    by_hand_t *by_hand = &counted_by_hand;
    if (events == NULL)
        return MPI_ERR_ARG;
    by_hand->wanted = 0;
    by_hand->on = false;
    for (int i = 0; events[i] != NULL; i++) {
        int known = i < XMPI_EVENTS_MAX ? find_or_add(by_hand, events[i]) : -1;
        if (known < 0) {
            fprintf(stderr, "xmpi: rank %d: %s: PAPI cannot count %.64s here\n",
                    xmpi_world.rank, __func__, events[i]);
            return MPI_ERR_ARG;
        }
        by_hand->order[by_hand->wanted++] = known;
    }
    by_hand->on = true;
    xmpi_events_read(&xmpi_monitor.counter.events, by_hand->start);
    return MPI_SUCCESS;
}

XMPI_EXPORT int XMPI_Monitor_iter_end(long long *counts)
{
    XMPI_OWN_FLOATING;
    long long now[XMPI_EVENTS_MAX];
    by_hand_t *by_hand = &counted_by_hand;
    if (counts == NULL || !by_hand->on)
        return MPI_ERR_ARG;
    xmpi_events_read(&xmpi_monitor.counter.events, now);
    for (int i = 0; i < by_hand->wanted; i++) {
        int number = by_hand->number[by_hand->order[i]];
        counts[i] = now[number] - by_hand->start[number];
    }
    by_hand->on = false;
    return MPI_SUCCESS;
}

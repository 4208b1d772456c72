/* SPDX-License-Identifier: BSD-3-Clause
 * Events that PAPI counts. */
#include "observe/counter/events.h"

#include <string.h>

#include "observe/counter/papi_library.h"

/* A set that an event could not be added to is bound to that event's component all the same, so
 * that each attempt needs a set of its own. INHERIT: with the counts of threads to come, which not
 * all components and kernels know. */
static int new_set(int component, const char *name, int inherit)
{
    int id = PAPI_NULL;
    PAPI_option_t option;
    memset(&option, 0, sizeof option);
    if (xmpi_papi.PAPI_create_eventset(&id) != PAPI_OK)
        return PAPI_NULL;
    option.inherit.eventset = id;
    option.inherit.inherit = PAPI_INHERIT_ALL;
    int ready = !inherit || (xmpi_papi.PAPI_assign_eventset_component(id, component) == PAPI_OK &&
                             xmpi_papi.PAPI_set_opt(PAPI_INHERIT, &option) == PAPI_OK);
    if (ready && xmpi_papi.PAPI_add_named_event(id, name) == PAPI_OK &&
        xmpi_papi.PAPI_start(id) == PAPI_OK)
        return id;
    xmpi_papi.PAPI_cleanup_eventset(id);
    xmpi_papi.PAPI_destroy_eventset(&id);
    return PAPI_NULL;
}

static int add_set(xmpi_events_t *events, int component, const char *name)
{
    if (events->sets == XMPI_SETS_MAX)
        return -1;
    int id = new_set(component, name, 1);
    if (id == PAPI_NULL)
        id = new_set(component, name, 0);
    if (id == PAPI_NULL)
        return -1;
    events->set[events->sets] = (xmpi_event_set_t){.id = id, .component = component, .events = 1};
    return events->sets++;
}

/* Stops the set to add the event, and lets it go on. */
static int add_to_set(xmpi_event_set_t *set, const char *name)
{
    long long values[XMPI_EVENTS_MAX] = {0};
    if (xmpi_papi.PAPI_stop(set->id, values) != PAPI_OK)
        return -1;
    for (int i = 0; i < set->events; i++)
        set->before[i] += values[i];
    int added = xmpi_papi.PAPI_add_named_event(set->id, name) == PAPI_OK;
    int started = xmpi_papi.PAPI_start(set->id) == PAPI_OK;
    if (added && !started) { /* more than the hardware can count at a time */
        int code;
        if (xmpi_papi.PAPI_event_name_to_code(name, &code) == PAPI_OK)
            xmpi_papi.PAPI_remove_event(set->id, code);
        xmpi_papi.PAPI_start(set->id);
        added = 0;
    }
    set->events += added;
    return added ? 0 : -1;
}

int xmpi_events_add(xmpi_events_t *events, const char *name)
{
    int code, set = 0;
    if (events->events == XMPI_EVENTS_MAX ||
        xmpi_papi.PAPI_event_name_to_code(name, &code) != PAPI_OK)
        return -1;
    int component = xmpi_papi.PAPI_get_event_component(code);
    while (set < events->sets && events->set[set].component != component)
        set++;
    if (set < events->sets ? add_to_set(&events->set[set], name) != 0
                           : add_set(events, component, name) < 0)
        return -1;
    events->place[events->events].set = set;
    events->place[events->events].index = events->set[set].events - 1;
    return events->events++;
}

void xmpi_events_read(const xmpi_events_t *events, long long *values)
{
    long long of_set[XMPI_SETS_MAX][XMPI_EVENTS_MAX];
    for (int i = 0; i < events->sets; i++) {
        memset(of_set[i], 0, sizeof of_set[i]);
        xmpi_papi.PAPI_read(events->set[i].id, of_set[i]);
    }
    for (int i = 0; i < events->events; i++) {
        int set = events->place[i].set, index = events->place[i].index;
        values[i] = events->set[set].before[index] + of_set[set][index];
    }
}

void xmpi_events_close(xmpi_events_t *events)
{
    long long values[XMPI_EVENTS_MAX];
    for (int i = 0; i < events->sets; i++) {
        xmpi_papi.PAPI_stop(events->set[i].id, values);
        xmpi_papi.PAPI_cleanup_eventset(events->set[i].id);
        xmpi_papi.PAPI_destroy_eventset(&events->set[i].id);
    }
    memset(events, 0, sizeof *events);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The counter of work, on PAPI. */
#include "observe/counter.h"

#include <math.h>
#include <papi.h>
#include <sde_lib.h>
#include <stdio.h>
#include <string.h>

static const char work_library[] = "xmpi", work_name[] = "work";
static const char work_event[] = "sde:::xmpi::work";

/* Events of a hardware counter, the one that follows the work best first (thesis §4.2.1). */
static const char *const automatic[] = {"PAPI_FP_OPS", "PAPI_DP_OPS", "PAPI_TOT_INS"};

/* A set that an event could not be added to is bound to that event's component all the same, so
 * that each attempt needs a set of its own. */
static int add_event(xmpi_counter_t *counter, const char *event)
{
    if (PAPI_create_eventset(&counter->event_set) != PAPI_OK)
        return 0;
    if (PAPI_add_named_event(counter->event_set, event) != PAPI_OK) {
        PAPI_destroy_eventset(&counter->event_set);
        return 0;
    }
    snprintf(counter->event, sizeof counter->event, "%s", event);
    return 1;
}

static int add_automatic(xmpi_counter_t *counter)
{
    for (size_t i = 0; i < sizeof automatic / sizeof *automatic; i++)
        if (add_event(counter, automatic[i]))
            return 1;
    return add_event(counter, work_event);
}

static xmpi_status_t open_event(xmpi_counter_t *counter, const char *wanted, xmpi_error_t *error)
{
    int added = strcmp(wanted, "auto") == 0   ? add_automatic(counter)
                : strcmp(wanted, "work") == 0 ? add_event(counter, work_event)
                                              : add_event(counter, wanted);
    if (!added)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_COUNTER=%.64s: PAPI cannot count this event here; use auto, "
                              "work, or one that papi_avail lists",
                              wanted);
    if (PAPI_start(counter->event_set) != PAPI_OK)
        return xmpi_error_set(error, XMPI_ERR_INTERNAL, "PAPI cannot start to count %s",
                              counter->event);
    return XMPI_OK;
}

xmpi_status_t xmpi_counter_open(xmpi_counter_t *counter, const char *wanted, xmpi_error_t *error)
{
    memset(counter, 0, sizeof *counter);
    counter->event_set = PAPI_NULL;
    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
        return xmpi_error_set(error, XMPI_ERR_INTERNAL, "PAPI cannot be initialised");
    papi_handle_t handle = papi_sde_init(work_library);
    if (handle == NULL ||
        papi_sde_register_counter(handle, work_name, PAPI_SDE_RO | PAPI_SDE_DELTA,
                                  PAPI_SDE_long_long, &counter->registered) != SDE_OK)
        return xmpi_error_set(error, XMPI_ERR_INTERNAL, "PAPI cannot register the event %s",
                              work_event);
    return open_event(counter, wanted, error);
}

void xmpi_counter_register(xmpi_counter_t *counter, double units)
{
    counter->work += units;
    counter->registered = llround(counter->work);
}

/* Of the registered work PAPI knows whole units only: of rows that weigh little that is not enough.
 */
double xmpi_counter_read(const xmpi_counter_t *counter)
{
    long long value = 0;
    if (strcmp(counter->event, work_event) == 0)
        return counter->work;
    if (PAPI_read(counter->event_set, &value) != PAPI_OK)
        return 0;
    return (double)value;
}

void xmpi_counter_close(xmpi_counter_t *counter)
{
    long long value;
    if (counter->event[0] == '\0')
        return;
    PAPI_stop(counter->event_set, &value);
    PAPI_cleanup_eventset(counter->event_set);
    PAPI_destroy_eventset(&counter->event_set);
    counter->event[0] = '\0';
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The counter of work, on PAPI. */
#include "observe/counter/counter.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "observe/counter/hardware.h"
#include "observe/counter/papi_library.h"

static const char work_library[] = "xmpi", work_name[] = "work";
static const char work_event[] = "sde:::xmpi::work";

/* The one that follows the work best first (thesis §4.2.1). */
static const char automatic[] = "PAPI_FP_OPS,PAPI_DP_OPS,PAPI_TOT_INS,work";

/* --- calibration --------------------------------------------------------------------------------
 */

enum { OPERATIONS = 2000000, CALIBRATIONS = 3 };

/* A chain of OPERATIONS floating-point operations, each of which waits for the one before, so that
 * nothing is left out or done twice. */
static double microbenchmark(void)
{
    volatile double start = 1;
    double x = start;
    for (int i = 0; i < OPERATIONS / 2; i++)
        x = x * 0.999 + 0.5;
    return x;
}

static long long read_first(const xmpi_counter_t *counter)
{
    long long values[XMPI_EVENTS_MAX] = {0};
    xmpi_events_read(&counter->events, values);
    return values[0];
}

/* What the event counts for the microbenchmark: the least of some, free of interrupts. */
static double count_microbenchmark(const xmpi_counter_t *counter)
{
    volatile double kept;
    double least = INFINITY;
    for (int i = 0; i < CALIBRATIONS; i++) {
        long long before = read_first(counter);
        kept = microbenchmark();
        least = fmin(least, (double)(read_first(counter) - before));
    }
    (void)kept;
    return least;
}

/* An event that says nothing of arithmetic (cache misses, say) is taken as it is. */
static void calibrate(xmpi_counter_t *counter)
{
    double count = count_microbenchmark(counter);
    counter->scale = count >= OPERATIONS / 100.0 ? OPERATIONS / count : 1;
}

/* --- opening -----------------------------------------------------------------------------------
 */

static bool is_open(const xmpi_counter_t *counter)
{
    return counter->event[0] != '\0';
}

/* Once, when there is something for it to count: it takes longer to start than MPI. */
static xmpi_status_t open_papi(xmpi_counter_t *counter, xmpi_error_t *error)
{
    xmpi_status_t status = counter->papi ? XMPI_OK : xmpi_papi_load(error);
    if (status != XMPI_OK || counter->papi)
        return status;
    if (xmpi_papi.PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
        return xmpi_error_set(error, XMPI_ERR_INTERNAL, "PAPI cannot be initialised");
    papi_handle_t handle = xmpi_sde.papi_sde_init(work_library);
    if (handle == NULL ||
        xmpi_sde.papi_sde_register_counter(handle, work_name, PAPI_SDE_RO | PAPI_SDE_DELTA,
                                           PAPI_SDE_long_long, &counter->registered) != SDE_OK)
        return xmpi_error_set(error, XMPI_ERR_INTERNAL, "PAPI cannot register the event %s",
                              work_event);
    counter->papi = true;
    return XMPI_OK;
}

/* The registered work needs nobody to count it. */
static bool open_event(xmpi_counter_t *counter, const char *name)
{
    bool work = strcmp(name, "work") == 0 || strcmp(name, work_event) == 0;
    if (!work &&
        (open_papi(counter, NULL) != XMPI_OK || xmpi_events_add(&counter->events, name) < 0))
        return false;
    snprintf(counter->event, sizeof counter->event, "%s", work ? work_event : name);
    counter->scale = 1;
    if (!work)
        calibrate(counter);
    return true;
}

/* What is taken by itself: where the hardware counts nothing, or slows programs down by it, PAPI
 * need not be asked. */
static const char *find_automatic(void)
{
    return xmpi_hardware_counts() ? automatic : "work";
}

/* The first event of LIST that can be counted. */
static bool open_first(xmpi_counter_t *counter, const char *list)
{
    char name[XMPI_EVENT_MAX];
    for (size_t length; *list != '\0'; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        if (length > 0 && length < sizeof name &&
            (strcmp(name, "auto") == 0 ? open_first(counter, find_automatic())
                                       : open_event(counter, name)))
            return true;
    }
    return false;
}

xmpi_status_t xmpi_counter_open(xmpi_counter_t *counter, const char *wanted, xmpi_error_t *error)
{
    memset(counter, 0, sizeof *counter);
    if (open_first(counter, wanted))
        return XMPI_OK;
    xmpi_status_t status = open_papi(counter, error); /* says why not, where it is not there */
    if (status == XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_COUNTER=%.64s: PAPI cannot count this event here; use auto, "
                              "work, or one that papi_avail lists",
                              wanted);
    return status;
}

int xmpi_counter_add(xmpi_counter_t *counter, const char *name)
{
    if (open_papi(counter, NULL) != XMPI_OK)
        return -1;
    return xmpi_events_add(&counter->events, strcmp(name, "work") == 0 ? work_event : name);
}

/* --- counting ----------------------------------------------------------------------------------
 */

void xmpi_counter_register(xmpi_counter_t *counter, double units)
{
    counter->work += units;
    counter->registered = llround(counter->work);
}

bool xmpi_counter_is_registered(const xmpi_counter_t *counter)
{
    return !is_open(counter) || strcmp(counter->event, work_event) == 0;
}

/* Of the registered work PAPI knows whole units only: of rows that weigh little that is not enough.
 */
double xmpi_counter_read(const xmpi_counter_t *counter)
{
    if (xmpi_counter_is_registered(counter))
        return counter->work;
    return counter->scale * (double)read_first(counter);
}

void xmpi_counter_close(xmpi_counter_t *counter)
{
    xmpi_events_close(&counter->events);
    counter->event[0] = '\0';
}

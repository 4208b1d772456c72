/* SPDX-License-Identifier: BSD-3-Clause
 * The counter of work: a PAPI event of the hardware where there is one, else a software-defined
 * event that the loop feeds with the work that it registered. */
#ifndef XMPI_OBSERVE_COUNTER_COUNTER_H
#define XMPI_OBSERVE_COUNTER_COUNTER_H

#include <stdbool.h>

#include "observe/counter/events.h"
#include "base/status.h"

enum { XMPI_EVENT_MAX = 128 };

typedef struct {
    xmpi_events_t events;       /* the first is that of the counter, unless that is the work */
    bool papi;                  /* is open */
    char event[XMPI_EVENT_MAX]; /* what is counted */
    double scale;               /* units of work of a count */
    double work;                /* registered so far, with parts of units */
    long long registered;       /* the same in whole units, for PAPI */
} xmpi_counter_t;

/* Opens the counter for the first event of the list WANTED ("PAPI_FP_OPS,PAPI_TOT_INS,work") that
 * can be counted here: presets and native events of PAPI; "work", the registered work; "auto":
 * floating-point operations, else instructions, else the registered work, which is taken at once
 * where the hardware does not count, or stops and starts to count slowly (a virtual machine).
 *
 * Processors of different classes count differently for the same work (thesis §4.2.1), so that
 * counts of the hardware are in units of a microbenchmark's, which takes some milliseconds. */
xmpi_status_t xmpi_counter_open(xmpi_counter_t *counter, const char *wanted, xmpi_error_t *error);

/* The number, for xmpi_events_read of counter->events, of an event that is counted beside it, or
 * -1. Opens PAPI where no counter is open. */
int xmpi_counter_add(xmpi_counter_t *counter, const char *name);

/* Registers UNITS of work, also parts of one; less than 0 to take some back. */
void xmpi_counter_register(xmpi_counter_t *counter, double units);

/* Whether the work is what was registered, and nothing else is counted. */
bool xmpi_counter_is_registered(const xmpi_counter_t *counter);

/* The work since it was opened. */
double xmpi_counter_read(const xmpi_counter_t *counter);

void xmpi_counter_close(xmpi_counter_t *counter);

#endif

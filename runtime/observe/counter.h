/* SPDX-License-Identifier: BSD-3-Clause
 * The counter of work: a PAPI event of the hardware where there is one, else a software-defined
 * event that the loop feeds with the work that it registered. */
#ifndef XMPI_OBSERVE_COUNTER_H
#define XMPI_OBSERVE_COUNTER_H

#include "status.h"

enum { XMPI_EVENT_MAX = 128 };

typedef struct {
    int event_set;              /* of PAPI */
    char event[XMPI_EVENT_MAX]; /* what is counted */
    double work;                /* registered so far, with parts of units */
    long long registered;       /* the same in whole units, for PAPI */
} xmpi_counter_t;

/* Opens the counter for WANTED: "auto" (hardware floating-point operations, else instructions, else
 * the registered work), "work" (the registered work), or the name of a PAPI event. */
xmpi_status_t xmpi_counter_open(xmpi_counter_t *counter, const char *wanted, xmpi_error_t *error);

/* Registers UNITS of work, also parts of one; less than 0 to take some back. */
void xmpi_counter_register(xmpi_counter_t *counter, double units);

/* The count since it was opened, in units of the event. */
double xmpi_counter_read(const xmpi_counter_t *counter);

void xmpi_counter_close(xmpi_counter_t *counter);

#endif

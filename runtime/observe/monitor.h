/* SPDX-License-Identifier: BSD-3-Clause
 * Monitor: time and bytes of MPI calls by class, and the sample of an interval (thesis §4.2). */
#ifndef XMPI_OBSERVE_MONITOR_H
#define XMPI_OBSERVE_MONITOR_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "decide/sample.h"
#include "observe/counter.h"

typedef struct {
    bool on;           /* an adaptive loop is running */
    int depth;         /* of nested calls: only the outermost counts */
    pthread_t thread;  /* that runs the loop; calls of others are not counted */
    double mpi;        /* seconds in MPI in the interval */
    double wall_start; /* of the interval */
    double cpu_start;
    double work_start;
    xmpi_operations_t operations[XMPI_CLASSES];
    xmpi_counter_t counter;
} xmpi_monitor_t;

typedef struct {
    bool counted;
    double start;
} xmpi_call_t;

/* Around every wrapped call; leave only for calls that are counted. */
xmpi_call_t xmpi_monitor_enter(void);
void xmpi_monitor_leave(xmpi_call_t call, xmpi_class_t class_index, int64_t bytes);

/* Bytes of COUNT elements; 0 where BUFFER is MPI_IN_PLACE, as the type may be anything then. */
int64_t xmpi_monitor_bytes(const void *buffer, int64_t count, MPI_Datatype datatype);

/* Seconds of a clock that only goes forward, and CPU seconds of this process. */
double xmpi_clock_wall(void);
double xmpi_clock_cpu(void);

/* Begins an interval; ends it with the sample of its ITERATIONS. Off until started. */
void xmpi_monitor_start(xmpi_monitor_t *monitor);
void xmpi_monitor_sample(xmpi_monitor_t *monitor, int64_t iterations, xmpi_sample_t *sample);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Sample: what one member saw in one sampling interval. Plain data, sent as it is. */
#ifndef XMPI_DECIDE_SAMPLE_H
#define XMPI_DECIDE_SAMPLE_H

#include <stdint.h>

/* Classes of MPI operations; the column of runtime/observe/mpi_calls.txt. */
typedef enum {
    XMPI_CLASS_P2P,        /* blocking point-to-point */
    XMPI_CLASS_COLLECTIVE, /* blocking collectives */
    XMPI_CLASS_WAIT,       /* completion of non-blocking operations, probes */
    XMPI_CLASS_POST,       /* starting non-blocking operations */
    XMPI_CLASS_IO,         /* MPI-IO */
    XMPI_CLASSES,
    XMPI_CLASS_NONE = XMPI_CLASSES, /* not timed */
} xmpi_class_t;

typedef struct {
    int64_t calls;
    int64_t bytes; /* sent, or written or read, by this member */
    double seconds;
} xmpi_operations_t;

typedef struct {
    int64_t iterations;
    double wall;        /* seconds of the interval, without reconfigurations */
    double computation; /* seconds of it outside MPI */
    double cpu;         /* CPU seconds of the process in it */
    double work;        /* units of the counter */
    xmpi_operations_t operations[XMPI_CLASSES];
} xmpi_sample_t;

#endif

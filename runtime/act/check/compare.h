/* SPDX-License-Identifier: BSD-3-Clause
 * Comparing what iterations have made of the registered data in two layouts (or twice in one). */
#ifndef XMPI_ACT_CHECK_COMPARE_H
#define XMPI_ACT_CHECK_COMPARE_H

#include <mpi.h>

#include "act/check/copy.h"

/* What one member compares: its own rows, and its live values, with those of COPY. */
typedef struct {
    const xmpi_registry_t *registry;
    const xmpi_copy_t *copy;
    xmpi_block_t block;
    bool takes_part; /* false: it is no member, and only hears what comes out */
    bool joined;     /* its copy of live values is another member's */
} xmpi_compared_t;

enum { XMPI_VALUE_MAX = 64 };

/* What solvers make of roundings in one iteration may be this much more than sums in another order
 * differ by. */
#define XMPI_CHECK_SMALL 1e-6

/* The first that was found. */
typedef struct {
    char name[128];
    int64_t row;                                        /* of the domain; -1: a live variable */
    int64_t element;                                    /* of the row, from 0; -1: it has one */
    char before[XMPI_VALUE_MAX], after[XMPI_VALUE_MAX]; /* the copy's value, the program's own */
    bool small; /* no value is further apart than XMPI_CHECK_SMALL, and all that are are floating */
} xmpi_difference_t;

/* Whether all is the same on all, where floating-point values may be RELATIVE apart (0: by their
 * type). If not, DIFFERENCE everywhere. Collective over COMM. */
bool xmpi_check_compare(const xmpi_compared_t *compared, double relative, MPI_Comm comm,
                        xmpi_difference_t *difference);

#endif

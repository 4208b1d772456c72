/* SPDX-License-Identifier: BSD-3-Clause
 * Reading Matrix Market files, value by value. */
#ifndef MARKET_H
#define MARKET_H

#include <stdio.h>

#include "problem.h"

#define MARKET_BANNER "%%MatrixMarket"

enum { MARKET_MAX_ORDER = 1000000000 };

struct market {
    const char *path;
    FILE *file;
    char *line; /* the current one, without its end */
    size_t capacity;
    long number; /* of the current line, from 1 */
    int coordinate, pattern, symmetric;
    long rows, columns;
    long entries; /* lines of values that follow the size line */
};

/* Opens a file and reads it up to its size line. 0, or -1 with PROBLEM and nothing open. */
int market_open(struct market *market, const char *path, struct problem *problem);
void market_close(struct market *market);

/* Reads all values and hands each to VISIT, rows and columns from 0; those of a symmetric matrix
 * that are not on the diagonal twice. 0, or -1 with PROBLEM. */
int market_each(struct market *market,
                void (*visit)(void *context, long row, long column, double value), void *context,
                struct problem *problem);

#endif

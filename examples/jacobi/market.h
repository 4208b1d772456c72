/* SPDX-License-Identifier: BSD-3-Clause
 * Reading Matrix Market files, each process only the rows it needs. */
#ifndef MARKET_H
#define MARKET_H

#include <stdio.h>

#include "system.h"

/* What every Matrix Market file begins with. */
#define MARKET_BANNER "%%MatrixMarket"

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

/* Reads all values; those of rows DISPL to DISPL + COUNT - 1 are added to TO, which holds these
 * rows one after another. 0, or -1 with PROBLEM. */
int market_rows(struct market *market, long displ, long count, double *to, struct problem *problem);

#endif

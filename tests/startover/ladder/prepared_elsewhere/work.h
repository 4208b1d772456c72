/* SPDX-License-Identifier: BSD-3-Clause
 * Rows that are divided by tables. */
#ifndef WORK_H
#define WORK_H

typedef struct {
    int rank, size, n, first, count;
    int *counts, *displs;
    double *mine, *all;
} work_t;

/* Reads the number of rows on rank 0, divides them and fills them. */
void work_prepare(work_t *work, int argc, char **argv);

/* One step of the own rows, which all have at its end. */
void work_step(work_t *work);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Sparse systems A x = b in Matrix Market files, A in the CSR format in memory: row i has the
 * elements ia[i] to ia[i + 1] - 1 of a, in the columns that ja says. */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdint.h>

#include "problem.h"

/* The order of the square matrix in file PATH. 0, or -1 with PROBLEM. */
int matrix_order(const char *path, int *n, struct problem *problem);

/* Where rows DISPL to DISPL + COUNT - 1 begin, from 0 on, and where the last one ends: COUNT + 1
 * elements to IA. 0, or -1 with PROBLEM. */
int matrix_pointers(const char *path, int n, int displ, int count, int64_t *ia,
                    struct problem *problem);

/* The columns and values of the same rows, each by ascending column; IA[COUNT] elements to JA and
 * to A. An entry that is given twice is there twice, which adds them up in a product. 0, or -1
 * with PROBLEM. */
int matrix_rows(const char *path, int n, int displ, int count, const int64_t *ia, int *ja,
                double *a, struct problem *problem);

/* The constant terms of the same rows: of NAME_b.mtx for the matrix NAME.mtx where there is such a
 * file, else the sum of each row, so that the solution is all ones. 0, or -1 with PROBLEM. */
int matrix_side(const char *path, int n, int displ, int count, const int64_t *ia, const double *a,
                double *b, struct problem *problem);

#endif

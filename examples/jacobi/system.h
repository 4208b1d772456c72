/* SPDX-License-Identifier: BSD-3-Clause
 * Linear systems A x = b in files: the binary format of this program, and Matrix Market.
 *
 * Binary: the 8 characters of SYSTEM_MAGIC, the order n as a 64-bit integer, then n x n doubles of
 * A row by row and n doubles of b, all in the byte order of the machine.
 *
 * Matrix Market: A as an array or as coordinates, real, integer or pattern, general or symmetric;
 * of entries given twice the sum counts. For NAME.mtx, b is read from NAME_b.mtx where there is
 * such a file (an array of n rows and 1 column); otherwise it is the sum of each row of A, so that
 * the solution is all ones. */
#ifndef SYSTEM_H
#define SYSTEM_H

#define SYSTEM_MAGIC "LINSYS01"

#include "problem.h"

enum { SYSTEM_MAX_ORDER = 1000000000, SYSTEM_HEADER = 16 };

/* The order of the system in file PATH. 0, or -1 with PROBLEM. */
int system_order(const char *path, int *n, struct problem *problem);

/* Rows DISPL to DISPL + COUNT - 1 of the system of order N in file PATH: COUNT x N elements to A,
 * COUNT to b. 0, or -1 with PROBLEM. */
int system_rows(const char *path, int n, int displ, int count, double *A, double *b,
                struct problem *problem);

#endif

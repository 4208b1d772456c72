/* SPDX-License-Identifier: BSD-3-Clause
 * A block of rows. */
#ifndef FIELD_H
#define FIELD_H

typedef struct {
    double *u;
    int first, count;
} field_t;

field_t field_make(int first, int count);
void field_swap(field_t *a, field_t *b);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * A block of rows. */
#include "field.h"
#include <stdlib.h>

static double *swap(double **u, double *by)
{
    double *was = *u;
    *u = by;
    return was;
}

field_t field_make(int first, int count)
{
    field_t f = {calloc((size_t)count + 1, sizeof(double)), first, count};
    return f;
}

void field_swap(field_t *a, field_t *b)
{
    b->u = swap(&a->u, b->u);
}

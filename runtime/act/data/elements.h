/* SPDX-License-Identifier: BSD-3-Clause
 * Of what the elements of an array or a live variable are made (xmpi_gen_elements), and comparing
 * two of them. No MPI. */
#ifndef XMPI_ACT_DATA_ELEMENTS_H
#define XMPI_ACT_DATA_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* COUNT values of a kind: 'f' floating, 'i' integer, 'x' without a meaning to others, 'b' a byte of
 * which nothing is known. */
typedef struct {
    char kind;
    int bytes;
    int64_t count;
} xmpi_field_t;

typedef struct {
    bool unset;  /* not all of it need have been set */
    bool varies; /* it may differ between members and runs */
    bool known;  /* there was a text */
    int fields;
    xmpi_field_t *field; /* malloc */
    int64_t bytes;       /* of one element */
} xmpi_elements_t;

/* What TEXT (NULL: bytes) says of elements that fill BYTES; where it does not, they are bytes. */
xmpi_status_t xmpi_elements_read(const char *text, int64_t bytes, xmpi_elements_t *elements);
void xmpi_elements_free(xmpi_elements_t *elements);

/* How far floating-point values may be apart. */
typedef struct {
    double relative; /* share of the largest value of the field; 0: eps^0.6 of the type, half of the
                        digits and a few more, which sums in another order keep */
    double scale;    /* largest value of all data: what differences of such values may be off */
} xmpi_tolerance_t;

/* Raises LARGEST, one for each field, to the greatest absolute values in DATA. What is not finite,
 * or beyond 1e30 and so hardly a measure, is left out. */
void xmpi_elements_largest(const xmpi_elements_t *elements, const char *data, int64_t bytes,
                           double *largest);

/* Whether two of BYTES are the same: values of floating point within TOLERANCE and LARGEST (NULL:
 * by every bit), all others exactly. AT is the offset of the first value that is not, FIELD what it
 * is. */
bool xmpi_elements_same(const xmpi_elements_t *elements, const char *one, const char *other,
                        int64_t bytes, const double *largest, const xmpi_tolerance_t *tolerance,
                        int64_t *at, const xmpi_field_t **field);

/* A value for people, in SIZE characters. */
void xmpi_field_print(const xmpi_field_t *field, const char *value, char *text, int size);

#endif

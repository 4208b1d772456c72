/* SPDX-License-Identifier: BSD-3-Clause
 * Of what elements are made, and comparing them. */
#include "act/data/elements.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the text ----------------------------------------------------------------------------------
 */

static bool is_type(char kind, long bytes)
{
    switch (kind) {
    case 'f':
        return bytes == 4 || bytes == 8 || bytes == 16;
    case 'i':
        return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    default:
        return kind == 'x' && bytes > 0;
    }
}

/* The word at TEXT, "3f8"; what is behind it, NULL when it is none. */
static const char *read_word(const char *text, xmpi_field_t *field)
{
    char *end;
    long count = 1, bytes;
    if (*text >= '0' && *text <= '9') {
        count = strtol(text, &end, 10);
        text = end;
    }
    field->kind = *text;
    if (*text == '\0')
        return NULL;
    bytes = strtol(text + 1, &end, 10);
    field->count = count;
    field->bytes = (int)bytes;
    bool ends = *end == ' ' || *end == '\0';
    return count > 0 && bytes < 1 << 30 && ends && is_type(field->kind, bytes) ? end : NULL;
}

/* Appends the fields of TEXT; false where it is no such text. There is room for one of every two
 * characters. */
static bool read_words(const char *text, xmpi_elements_t *elements)
{
    while (text != NULL && *(text += strspn(text, " ")) != '\0') {
        xmpi_field_t *field = &elements->field[elements->fields++];
        text = read_word(text, field);
        elements->bytes += text != NULL ? field->count * field->bytes : 0;
    }
    return text != NULL && elements->bytes > 0;
}

xmpi_status_t xmpi_elements_read(const char *text, int64_t bytes, xmpi_elements_t *elements)
{
    size_t length = text != NULL ? strlen(text) : 0;
    *elements = (xmpi_elements_t){.known = text != NULL};
    elements->field = calloc(length / 2 + 2, sizeof *elements->field);
    if (elements->field == NULL)
        return XMPI_ERR_MEMORY;
    if (text != NULL && (*text == '?' || *text == '~')) {
        elements->unset = *text == '?';
        elements->varies = *text == '~';
        text++;
    }
    if (text != NULL && read_words(text, elements) && bytes % elements->bytes == 0)
        return XMPI_OK;
    elements->known = false;
    elements->field[0] = (xmpi_field_t){.kind = 'b', .bytes = 1, .count = 1};
    elements->fields = 1;
    elements->bytes = 1;
    return XMPI_OK;
}

void xmpi_elements_free(xmpi_elements_t *elements)
{
    free(elements->field);
    memset(elements, 0, sizeof *elements);
}

/* --- values -------------------------------------------------------------------------------------
 */

static long double floating(const char *value, int bytes)
{
    float narrow;
    double middle;
    long double wide;
    if (bytes == sizeof narrow)
        return memcpy(&narrow, value, sizeof narrow), (long double)narrow;
    if (bytes == sizeof middle)
        return memcpy(&middle, value, sizeof middle), (long double)middle;
    memcpy(&wide, value, sizeof wide);
    return wide;
}

static long double epsilon(int bytes)
{
    return bytes == sizeof(float)    ? (long double)FLT_EPSILON
           : bytes == sizeof(double) ? (long double)DBL_EPSILON
                                     : LDBL_EPSILON;
}

void xmpi_elements_largest(const xmpi_elements_t *elements, const char *data, int64_t bytes,
                           double *largest)
{
    static const long double greatest = 1e30L;
    for (const char *end = data + bytes; data < end;)
        for (int i = 0; i < elements->fields; i++) {
            const xmpi_field_t *field = &elements->field[i];
            for (int64_t k = 0; k < field->count && field->kind == 'f'; k++) {
                long double value = fabsl(floating(data + k * field->bytes, field->bytes));
                if (value <= greatest && value > (long double)largest[i])
                    largest[i] = (double)value;
            }
            data += field->count * field->bytes;
        }
}

/* Sums in another order differ by a share of the largest value (that of the two where it was left
 * out as no measure); what is left where large values cancel out by a few digits of those. */
static bool is_near(const xmpi_field_t *field, const char *one, const char *other, double largest,
                    const xmpi_tolerance_t *tolerance)
{
    static const long double few = 64;
    long double a = floating(one, field->bytes), b = floating(other, field->bytes);
    long double eps = epsilon(field->bytes), greater = fmaxl(fabsl(a), fabsl(b));
    long double share =
        tolerance->relative > 0 ? (long double)tolerance->relative : powl(eps, 0.6L);
    if (a == b || (isnan(a) && isnan(b)))
        return true;
    if (!isfinite(a) || !isfinite(b))
        return false;
    return fabsl(a - b) <=
           share * fmaxl((long double)largest, greater) + few * eps * (long double)tolerance->scale;
}

static bool field_same(const xmpi_field_t *field, const char *one, const char *other,
                       const double *largest, const xmpi_tolerance_t *tolerance, int64_t *at)
{
    size_t size = (size_t)(field->count * field->bytes);
    if (field->kind == 'x' || memcmp(one, other, size) == 0)
        return true;
    for (*at = 0; *at < (int64_t)size; *at += field->bytes) {
        const char *a = one + *at, *b = other + *at;
        if (memcmp(a, b, (size_t)field->bytes) == 0)
            continue;
        if (field->kind != 'f' || largest == NULL || !is_near(field, a, b, *largest, tolerance))
            return false;
    }
    return true;
}

bool xmpi_elements_same(const xmpi_elements_t *elements, const char *one, const char *other,
                        int64_t bytes, const double *largest, const xmpi_tolerance_t *tolerance,
                        int64_t *at, const xmpi_field_t **field)
{
    int64_t offset = 0, inside = 0;
    if (memcmp(one, other, (size_t)bytes) == 0)
        return true;
    while (offset < bytes)
        for (int i = 0; i < elements->fields; i++) {
            *field = &elements->field[i];
            if (!field_same(*field, one + offset, other + offset,
                            largest != NULL ? &largest[i] : NULL, tolerance, &inside)) {
                *at = offset + inside;
                return false;
            }
            offset += (*field)->count * (*field)->bytes;
        }
    return true;
}

static long long integer(const char *value, int bytes)
{
    int8_t one;
    int16_t two;
    int32_t four;
    int64_t eight;
    switch (bytes) {
    case 1:
        return memcpy(&one, value, sizeof one), one;
    case 2:
        return memcpy(&two, value, sizeof two), two;
    case 4:
        return memcpy(&four, value, sizeof four), four;
    default:
        return memcpy(&eight, value, sizeof eight), eight;
    }
}

void xmpi_field_print(const xmpi_field_t *field, const char *value, char *text, int size)
{
    if (field->kind == 'f')
        snprintf(text, (size_t)size, "%.*Lg",
                 field->bytes == sizeof(float) ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG,
                 floating(value, field->bytes));
    else if (field->kind == 'i')
        snprintf(text, (size_t)size, "%lld", integer(value, field->bytes));
    else
        snprintf(text, (size_t)size, "byte 0x%02x", (unsigned)(unsigned char)*value);
}

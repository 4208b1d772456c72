/* SPDX-License-Identifier: BSD-3-Clause
 * Comparing files that are no text. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/check/text.h"

bool bytes_are_text(const char *bytes, size_t length)
{
    return memchr(bytes, '\0', length) == NULL;
}

/* How floating values of one size are compared. */
typedef struct {
    size_t size;
    double least, most; /* what all of a file must be between, or 0; others are no such values */
    bool all;           /* not only those that differ */
    double tolerance, epsilon, spread;
} kind_t;

static double value_at(const char *bytes, size_t size)
{
    double wide;
    float narrow;
    if (size == sizeof wide) {
        memcpy(&wide, bytes, sizeof wide);
        return wide;
    }
    memcpy(&narrow, bytes, sizeof narrow);
    return (double)narrow;
}

static bool is_likely(const kind_t *kind, double value)
{
    return value == 0 || (fabs(value) >= kind->least && fabs(value) <= kind->most);
}

static double scale_of(const kind_t *kind, const char *bytes, size_t length)
{
    double scale = 0;
    for (size_t at = 0; at + kind->size <= length; at += kind->size) {
        double value = fabs(value_at(bytes + at, kind->size));
        if (is_likely(kind, value))
            scale = fmax(scale, value);
    }
    return scale;
}

/* Whether all that differs are values of this kind that differ by rounding; by how much. */
static bool is_rounded(const kind_t *kind, const char *a, const char *b, size_t length,
                       double *largest)
{
    static const double roundings = 64;
    double scale = scale_of(kind, a, length);
    *largest = 0;
    for (size_t at = 0; at < length; at += kind->size) {
        bool same = memcmp(a + at, b + at, kind->size) == 0;
        double x = value_at(a + at, kind->size), y = value_at(b + at, kind->size);
        if ((!same || kind->all) && !(is_likely(kind, x) && is_likely(kind, y)))
            return false;
        double larger = fmax(fabs(x), fabs(y)), apart = same ? 0 : fabs(x - y);
        if (apart > kind->tolerance * larger + roundings * kind->epsilon * scale + kind->spread)
            return false;
        if (apart > 0)
            *largest = fmax(*largest, apart / larger);
    }
    return true;
}

/* Bytes in front of the values and behind them: a number of iterations, say, that is written first.
 */
static bool has_same_ends(const char *a, const char *b, size_t length, size_t front, size_t values)
{
    size_t behind = front + values;
    return memcmp(a, b, front) == 0 && memcmp(a + behind, b + behind, length - behind) == 0;
}

/* Where a file need not be of such values from end to end, all must be of a usual size: what is
 * taken in the middle of two others is of any, and would be taken for equal beside the largest. */
static kind_t strict(kind_t kind)
{
    kind.least = fmax(kind.least, 1e-20);
    kind.most = fmin(kind.most, 1e20);
    kind.all = true;
    return kind;
}

/* The same wherever the values begin. */
static bool is_rounded_within(const kind_t *kind, const char *a, const char *b, size_t length,
                              double *largest)
{
    for (size_t front = 0; front < kind->size && front < length; front += sizeof(float)) {
        size_t values = (length - front) / kind->size * kind->size;
        kind_t here = values == length ? *kind : strict(*kind);
        if (has_same_ends(a, b, length, front, values) &&
            is_rounded(&here, a + front, b + front, values, largest))
            return true;
    }
    return false;
}

static void describe(const char *a, const char *b, size_t length, comparison_t *result)
{
    size_t n = 0, first = 0;
    for (size_t i = length; i-- > 0;)
        if (a[i] != b[i]) {
            first = i;
            n++;
        }
    snprintf(result->text, sizeof result->text, "%zu of %zu bytes differ, the first is byte %zu", n,
             length, first);
}

comparison_t bytes_compare(const char *reference, size_t length, const char *bytes, size_t got,
                           double tolerance, double spread)
{
    comparison_t result = {DIFFERENT, false, 0, ""};
    double narrow = tolerance > 7e-5 ? tolerance : 7e-5;
    const kind_t kinds[] = {{sizeof(double), DBL_MIN, 1e300, false, tolerance, DBL_EPSILON, spread},
                            {sizeof(float), 1e-20, 1e20, true, narrow, FLT_EPSILON, 0}};
    if (got != length) {
        snprintf(result.text, sizeof result.text, "%zu bytes, should be %zu", got, length);
        return result;
    }
    if (memcmp(reference, bytes, length) == 0) {
        result.sameness = SAME;
        return result;
    }
    for (int i = 0; i < 2; i++)
        if (is_rounded_within(&kinds[i], reference, bytes, length, &result.largest)) {
            result.sameness = ROUNDED;
            return result;
        }
    describe(reference, bytes, length, &result);
    return result;
}

/* From byte FRONT on; negative: something else differs. */
static double spread_from(const char *a, const char *b, size_t length, size_t front)
{
    static const double room = 10;
    const kind_t any = {.size = sizeof(double), .least = DBL_MIN, .most = 1e300};
    size_t values = (length - front) / any.size * any.size;
    const kind_t kind = values == length ? any : strict(any);
    double spread = 0;
    if (!has_same_ends(a, b, length, front, values))
        return -1;
    for (size_t at = front; at < front + values; at += kind.size) {
        double x = value_at(a + at, kind.size), y = value_at(b + at, kind.size);
        bool same = memcmp(a + at, b + at, kind.size) == 0;
        if ((!same || kind.all) && !(is_likely(&kind, x) && is_likely(&kind, y)))
            return -1;
        spread = same ? spread : fmax(spread, room * fabs(x - y));
    }
    return spread;
}

double bytes_spread(const char *reference, size_t length, const char *bytes, size_t got)
{
    if (got != length || length < sizeof(double))
        return 0;
    for (size_t front = 0; front < sizeof(double); front += sizeof(float)) {
        double spread = spread_from(reference, bytes, length, front);
        if (spread >= 0)
            return spread;
    }
    return 0;
}

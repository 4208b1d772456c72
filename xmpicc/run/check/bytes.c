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
    if (length % kind->size != 0)
        return false;
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
        if (is_rounded(&kinds[i], reference, bytes, length, &result.largest)) {
            result.sameness = ROUNDED;
            return result;
        }
    describe(reference, bytes, length, &result);
    return result;
}

double bytes_spread(const char *reference, size_t length, const char *bytes, size_t got)
{
    static const double room = 10;
    const kind_t kind = {.size = sizeof(double), .least = DBL_MIN, .most = 1e300};
    double spread = 0;
    if (got != length || length % kind.size != 0)
        return 0;
    for (size_t at = 0; at < length; at += kind.size) {
        double x = value_at(reference + at, kind.size), y = value_at(bytes + at, kind.size);
        bool same = memcmp(reference + at, bytes + at, kind.size) == 0;
        if (!same && (!is_likely(&kind, x) || !is_likely(&kind, y)))
            return 0;
        spread = same ? spread : fmax(spread, room * fabs(x - y));
    }
    return spread;
}

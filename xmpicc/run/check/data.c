/* SPDX-License-Identifier: BSD-3-Clause
 * Comparing what the data were at the end of the loops of two runs. */
#include "run/check/data.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tool/job.h"

static const cJSON *find_value(const cJSON *values, const char *name)
{
    const cJSON *value;
    cJSON_ArrayForEach(value, values) if (strcmp(job_text(value, "name"), name) == 0) return value;
    return NULL;
}

static bool is_varying(const varying_t *varying, const char *name)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, varying->names) if (strcmp(item->valuestring, name) == 0) return true;
    return false;
}

/* What sums in another order may come to: the accuracy to the power of 0.6, as in XMPI_CHECK. */
static double tolerance_of(const cJSON *value, double given)
{
    double precision = job_number(value, "precision");
    return given > 0 ? given : pow(2, 0.6 * (1 - (precision > 0 ? precision : DBL_MANT_DIG)));
}

double data_tolerance(const story_t *story)
{
    const cJSON *values, *value;
    double most = pow(DBL_EPSILON, 0.6);
    cJSON_ArrayForEach(values, story->data) cJSON_ArrayForEach(value, values) most =
        fmax(most, tolerance_of(value, 0));
    return most;
}

int data_values(const story_t *story)
{
    const cJSON *values;
    int n = 0;
    cJSON_ArrayForEach(values, story->data) n += cJSON_GetArraySize(values);
    return n;
}

/* The 2-norm of the difference of two arrays, from their sketches (act/data/fingerprint.h). */
static double distance(const cJSON *a, const cJSON *b)
{
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(a, "sketch"), *item;
    const cJSON *y = cJSON_GetObjectItemCaseSensitive(b, "sketch");
    double sum = 0;
    int i = 0;
    cJSON_ArrayForEach(item, x)
    {
        const cJSON *other = cJSON_GetArrayItem(y, i++);
        double apart = item->valuedouble - (other != NULL ? other->valuedouble : 0);
        sum += apart * apart;
    }
    return i > 0 ? sqrt(sum / i) : 0;
}

/* The name without the place of its declaration, which is "file:line:" in front of variables. */
static const char *short_name(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon != NULL ? colon + 1 : name;
}

static comparison_t compare_value(const cJSON *a, const cJSON *b, double scale, double tolerance,
                                  double spread)
{
    static const double roundings = 64;
    comparison_t result = {SAME, false, 0, ""};
    const char *name = short_name(job_text(a, "name"));
    double norm = fmax(job_number(a, "norm"), job_number(b, "norm")), apart = distance(a, b);
    if (strcmp(job_text(a, "bits"), job_text(b, "bits")) == 0)
        return result;
    result.sameness = DIFFERENT;
    result.largest = norm > 0 ? apart / norm : 0;
    if (job_number(a, "values") != job_number(b, "values") ||
        strcmp(job_text(a, "exact"), job_text(b, "exact")) != 0)
        snprintf(result.text, sizeof result.text, "%.200s: other values", name);
    else if (apart > tolerance_of(a, tolerance) * norm + roundings * DBL_EPSILON * scale + spread)
        snprintf(result.text, sizeof result.text,
                 "%.200s: the difference has the norm %.3g, the data %.3g", name, apart, norm);
    else {
        result.sameness = ROUNDED;
        snprintf(result.text, sizeof result.text, "%.200s", name);
    }
    return result;
}

static double scale_of(const cJSON *values)
{
    const cJSON *value;
    double scale = 0;
    cJSON_ArrayForEach(value, values) scale = fmax(scale, job_number(value, "norm"));
    return scale;
}

/* Of one loop; takes the worst into RESULT, and differing names into NAMES unless it is NULL. */
static void compare_loop(const cJSON *of_reference, const cJSON *of_run, const varying_t *varying,
                         double tolerance, comparison_t *result, cJSON *names)
{
    const cJSON *value;
    double scale = scale_of(of_reference);
    cJSON_ArrayForEach(value, of_reference)
    {
        const char *name = job_text(value, "name");
        const cJSON *other = find_value(of_run, name);
        if (other == NULL || is_varying(varying, name))
            continue;
        comparison_t one =
            compare_value(value, other, scale, tolerance, job_number(varying->spread, name));
        if (one.sameness == DIFFERENT && names != NULL)
            cJSON_AddItemToArray(names, cJSON_CreateString(name));
        if (one.sameness > result->sameness ||
            (one.sameness == result->sameness && one.largest > result->largest))
            *result = one;
    }
}

comparison_t data_compare(const story_t *reference, const story_t *story, const varying_t *varying,
                          double tolerance)
{
    comparison_t result = {SAME, false, 0, ""};
    int loops = cJSON_GetArraySize(reference->data);
    if (data_values(reference) == 0 || cJSON_GetArraySize(story->data) != loops)
        result.sameness = UNCOMPARED;
    for (int i = 0; i < loops && result.sameness != UNCOMPARED; i++)
        compare_loop(cJSON_GetArrayItem(reference->data, i), cJSON_GetArrayItem(story->data, i),
                     varying, tolerance, &result, NULL);
    return result;
}

void data_note_varying(const story_t *reference, const story_t *again, double tolerance,
                       varying_t *varying)
{
    comparison_t ignored = {SAME, false, 0, ""};
    if (varying->names == NULL)
        varying->names = cJSON_CreateArray();
    int loops = cJSON_GetArraySize(reference->data);
    for (int i = 0; i < loops && i < cJSON_GetArraySize(again->data); i++)
        compare_loop(cJSON_GetArrayItem(reference->data, i), cJSON_GetArrayItem(again->data, i),
                     varying, tolerance, &ignored, varying->names);
}

static void note_spread(const cJSON *of_reference, const cJSON *of_other, cJSON *spread)
{
    static const double room = 10;
    const cJSON *value;
    cJSON_ArrayForEach(value, of_reference)
    {
        const char *name = job_text(value, "name");
        const cJSON *other = find_value(of_other, name);
        double before = job_number(spread, name);
        if (other == NULL || room * distance(value, other) <= before)
            continue;
        cJSON_DeleteItemFromObjectCaseSensitive(spread, name);
        cJSON_AddNumberToObject(spread, name, room * distance(value, other));
    }
}

void data_note_spread(const story_t *reference, const story_t *other, varying_t *varying)
{
    if (varying->spread == NULL)
        varying->spread = cJSON_CreateObject();
    int loops = cJSON_GetArraySize(reference->data);
    for (int i = 0; i < loops && i < cJSON_GetArraySize(other->data); i++)
        note_spread(cJSON_GetArrayItem(reference->data, i), cJSON_GetArrayItem(other->data, i),
                    varying->spread);
}

void varying_free(varying_t *varying)
{
    cJSON_Delete(varying->names);
    cJSON_Delete(varying->spread);
}

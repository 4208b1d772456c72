/* SPDX-License-Identifier: BSD-3-Clause
 * Comparing what iterations have made of the registered data. */
#include "act/check/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/data/elements.h"
#include "act/data/digest.h"
#include "act/data/offsets.h"
#include "base/collective.h"
#include "base/misuse.h"

/* One array on this member: its own rows in both storages. */
typedef struct {
    const xmpi_array_t *array;
    xmpi_storage_t own, other;
    xmpi_block_t rows;
    xmpi_elements_t elements;
} pair_t;

static bool is_compared(const xmpi_compared_t *compared, int i)
{
    const xmpi_array_t *array = &compared->registry->array[i];
    return !xmpi_registry_is_constant(compared->registry, i) &&
           (array->elements == NULL || *array->elements != '~');
}

static int64_t bytes_of_element(const xmpi_array_t *array)
{
    return array->shape == XMPI_SHAPE_COLUMNS ? array->element_bytes : array->row_bytes;
}

static void pair_open(const xmpi_compared_t *compared, int i, pair_t *pair)
{
    const xmpi_array_t *array = &compared->registry->array[i];
    *pair = (pair_t){.array = array, .rows = {.count = array->rows, .displ = 0}};
    if (xmpi_elements_read(array->elements, bytes_of_element(array), &pair->elements) != XMPI_OK)
        xmpi_misuse("no memory to compare arrays");
    if (!compared->takes_part || compared->copy->array[i] == NULL) {
        pair->rows.count = 0;
        return;
    }
    pair->own = xmpi_copy_own(compared->registry, i, compared->block);
    pair->other = xmpi_copy_other(compared->registry, i, compared->block, compared->copy);
    if (array->scheme != XMPI_GEN_REPLICATED)
        pair->rows = xmpi_owned_rows(array, compared->block);
}

static void pair_close(pair_t *pair)
{
    xmpi_elements_free(&pair->elements);
}

/* --- by every bit -------------------------------------------------------------------------------
 */

static bool extents_equal(const pair_t *pair, int64_t first, int64_t rows)
{
    xmpi_extent_t own = xmpi_extent_of(pair->array, &pair->own, first, rows);
    xmpi_extent_t other = xmpi_extent_of(pair->array, &pair->other, first, rows);
    if (own.width != other.width)
        return false;
    for (int64_t i = 0; i < own.strips && own.width > 0; i++)
        if (memcmp(pair->own.base + own.offset + i * own.stride,
                   pair->other.base + other.offset + i * other.stride, (size_t)own.width) != 0)
            return false;
    return true;
}

static int64_t length_of(const pair_t *pair, const xmpi_storage_t *storage, int64_t row)
{
    int64_t at = row - storage->rows.displ;
    int bytes = pair->array->offset_bytes;
    return xmpi_offset_get(storage->base, bytes, at + 1) -
           xmpi_offset_get(storage->base, bytes, at);
}

/* The first row whose length is another one; the end of the rows when there is none. */
static int64_t first_length(const pair_t *pair)
{
    int64_t row = pair->rows.displ, end = row + pair->rows.count;
    while (row < end && length_of(pair, &pair->own, row) == length_of(pair, &pair->other, row))
        row++;
    return row;
}

static bool array_equal(const xmpi_compared_t *compared, int i)
{
    pair_t pair;
    pair_open(compared, i, &pair);
    bool equal =
        pair.rows.count == 0 || (pair.array->shape == XMPI_SHAPE_OFFSETS
                                     ? first_length(&pair) == pair.rows.displ + pair.rows.count
                                     : extents_equal(&pair, pair.rows.displ, pair.rows.count));
    pair_close(&pair);
    return equal;
}

/* The copy of a live variable that is compared; NULL: it is not. */
static const char *live_copy(const xmpi_compared_t *compared, int i)
{
    const xmpi_live_t *live = &compared->registry->live[i];
    const char *text = live->elements;
    if (!compared->takes_part || (text != NULL && *text == '~') ||
        (text != NULL && *text == '?' && compared->joined))
        return NULL;
    if (compared->copy->alike != NULL && !compared->copy->alike[i])
        return NULL;
    return xmpi_copy_live(compared->copy, live);
}

static bool all_equal(const xmpi_compared_t *compared)
{
    const xmpi_registry_t *registry = compared->registry;
    for (int i = 0; i < registry->arrays; i++)
        if (is_compared(compared, i) && !array_equal(compared, i))
            return false;
    for (int i = 0; i < registry->lives; i++) {
        const char *copy = live_copy(compared, i);
        if (copy != NULL && memcmp(copy, registry->live[i].address, registry->live[i].size) != 0)
            return false;
    }
    return true;
}

/* --- the largest values --------------------------------------------------------------------------
 */

static void largest_of(const pair_t *pair, const xmpi_storage_t *storage, double *largest)
{
    xmpi_extent_t extent = xmpi_extent_of(pair->array, storage, pair->rows.displ, pair->rows.count);
    for (int64_t i = 0; i < extent.strips && extent.width > 0; i++)
        xmpi_elements_largest(&pair->elements, storage->base + extent.offset + i * extent.stride,
                              extent.width, largest);
}

/* Of each field of each array on all members, and last of all of them together. The fields are the
 * same on all, and FIRST tells where those of an array begin. malloc. */
static double *find_largest(const xmpi_compared_t *compared, MPI_Comm comm, int *first, int *n)
{
    double *largest = NULL;
    *n = 0;
    for (int i = 0; i < compared->registry->arrays; i++) {
        pair_t pair;
        pair_open(compared, i, &pair);
        first[i] = *n;
        *n += pair.elements.fields;
        largest = realloc(largest, ((size_t)*n + 1) * sizeof *largest);
        if (largest == NULL)
            xmpi_misuse("no memory to compare arrays");
        for (int k = first[i]; k < *n; k++)
            largest[k] = 0;
        if (is_compared(compared, i) && pair.rows.count > 0 &&
            pair.array->shape != XMPI_SHAPE_OFFSETS) {
            largest_of(&pair, &pair.own, &largest[first[i]]);
            largest_of(&pair, &pair.other, &largest[first[i]]);
        }
        pair_close(&pair);
    }
    if (largest == NULL && (largest = calloc(1, sizeof *largest)) == NULL)
        xmpi_misuse("no memory to compare arrays");
    largest[*n] = compared->copy->scale;
    PMPI_Allreduce(MPI_IN_PLACE, largest, *n + 1, MPI_DOUBLE, MPI_MAX, comm);
    for (int k = 0; k < *n; k++)
        largest[*n] = largest[k] > largest[*n] ? largest[k] : largest[*n];
    return largest;
}

/* --- within the tolerance ------------------------------------------------------------------------
 */

static int64_t row_of(const xmpi_array_t *array, int64_t first, int64_t strip, int64_t at)
{
    int64_t row = first;
    if (array->shape == XMPI_SHAPE_COLUMNS)
        row += at / array->element_bytes;
    else if (array->shape == XMPI_SHAPE_ROWS)
        row += strip + (array->row_bytes > 0 ? at / array->row_bytes : 0);
    return row - (array->ghosts ? array->halo : 0);
}

/* Of its row, which one is AT bytes into STRIP; -1: the only one. */
static int64_t element_of(const xmpi_array_t *array, int64_t strip, int64_t at)
{
    int64_t length = array->row_length;
    if (array->shape == XMPI_SHAPE_COLUMNS)
        return array->lines > 1 ? strip : -1;
    if (array->shape == XMPI_SHAPE_ENTRIES)
        return array->row_bytes > 0 ? at / array->row_bytes : -1;
    return length > 1 && array->row_bytes >= length
               ? at % array->row_bytes / (array->row_bytes / length)
               : -1;
}

static void note(const pair_t *pair, int64_t row, int64_t element, const xmpi_field_t *field,
                 const char *own, const char *other, xmpi_difference_t *difference)
{
    difference->element = element;
    snprintf(difference->name, sizeof difference->name, "%s", xmpi_digest_name(pair->array->name));
    difference->row = row;
    xmpi_field_print(field, other, difference->before, XMPI_VALUE_MAX);
    xmpi_field_print(field, own, difference->after, XMPI_VALUE_MAX);
}

static void note_length(const pair_t *pair, int64_t row, int64_t own, int64_t other,
                        xmpi_difference_t *difference)
{
    snprintf(difference->name, sizeof difference->name, "%s", xmpi_digest_name(pair->array->name));
    difference->row = row - (pair->array->ghosts ? pair->array->halo : 0);
    difference->element = -1;
    snprintf(difference->before, XMPI_VALUE_MAX, "%lld elements", (long long)other);
    snprintf(difference->after, XMPI_VALUE_MAX, "%lld elements", (long long)own);
}

static bool rows_same(const pair_t *pair, int64_t first, int64_t rows, const double *largest,
                      const xmpi_tolerance_t *tolerance, xmpi_difference_t *difference)
{
    xmpi_extent_t own = xmpi_extent_of(pair->array, &pair->own, first, rows);
    xmpi_extent_t other = xmpi_extent_of(pair->array, &pair->other, first, rows);
    const xmpi_field_t *field;
    int64_t at = 0;
    if (own.width != other.width)
        return note_length(pair, first, own.width / pair->array->row_bytes,
                           other.width / pair->array->row_bytes, difference),
               false;
    for (int64_t i = 0; i < own.strips && own.width > 0; i++) {
        const char *a = pair->own.base + own.offset + i * own.stride;
        const char *b = pair->other.base + other.offset + i * other.stride;
        if (!xmpi_elements_same(&pair->elements, a, b, own.width, largest, tolerance, &at, &field))
            return note(pair, row_of(pair->array, first, i, at), element_of(pair->array, i, at),
                        field, a + at, b + at, difference),
                   false;
    }
    return true;
}

static bool lengths_same(const pair_t *pair, xmpi_difference_t *difference)
{
    int64_t row = first_length(pair);
    if (row == pair->rows.displ + pair->rows.count)
        return true;
    note_length(pair, row, length_of(pair, &pair->own, row), length_of(pair, &pair->other, row),
                difference);
    return false;
}

static bool pair_same(const pair_t *pair, const double *largest, const xmpi_tolerance_t *tolerance,
                      xmpi_difference_t *difference)
{
    int64_t first = pair->rows.displ;
    if (pair->rows.count == 0)
        return true;
    if (pair->array->shape == XMPI_SHAPE_OFFSETS)
        return lengths_same(pair, difference);
    if (pair->array->shape != XMPI_SHAPE_ENTRIES)
        return rows_same(pair, first, pair->rows.count, largest, tolerance, difference);
    for (int64_t row = first; row < first + pair->rows.count; row++)
        if (!rows_same(pair, row, 1, largest, tolerance, difference))
            return false;
    return true;
}

static bool live_same(const xmpi_live_t *live, const char *copy, const xmpi_tolerance_t *tolerance,
                      xmpi_difference_t *difference)
{
    xmpi_elements_t elements;
    const xmpi_field_t *field;
    const char *own = live->address;
    int64_t at = 0, bytes = (int64_t)live->size;
    if (xmpi_elements_read(live->elements, bytes, &elements) != XMPI_OK)
        xmpi_misuse("no memory to compare live variables");
    double *largest = calloc((size_t)elements.fields, sizeof *largest);
    if (largest == NULL)
        xmpi_misuse("no memory to compare live variables");
    xmpi_elements_largest(&elements, own, bytes, largest);
    xmpi_elements_largest(&elements, copy, bytes, largest);
    bool same = xmpi_elements_same(&elements, own, copy, bytes, largest, tolerance, &at, &field);
    if (!same) {
        snprintf(difference->name, sizeof difference->name, "%s", xmpi_digest_name(live->name));
        difference->row = difference->element = -1;
        xmpi_field_print(field, copy + at, difference->before, XMPI_VALUE_MAX);
        xmpi_field_print(field, own + at, difference->after, XMPI_VALUE_MAX);
    }
    free(largest);
    xmpi_elements_free(&elements);
    return same;
}

static bool all_same(const xmpi_compared_t *compared, const double *largest, const int *first,
                     const xmpi_tolerance_t *tolerance, xmpi_difference_t *difference)
{
    const xmpi_registry_t *registry = compared->registry;
    bool same = true;
    for (int i = 0; i < registry->arrays && same; i++) {
        pair_t pair;
        if (!is_compared(compared, i))
            continue;
        pair_open(compared, i, &pair);
        same = pair_same(&pair, &largest[first[i]], tolerance, difference);
        pair_close(&pair);
    }
    for (int i = 0; i < registry->lives && same; i++) {
        const char *copy = live_copy(compared, i);
        same = copy == NULL || live_same(&registry->live[i], copy, tolerance, difference);
    }
    return same;
}

/* Each member looks at its own; the first that has found something tells all. */
static bool compare_closely(const xmpi_compared_t *compared, double relative, MPI_Comm comm,
                            xmpi_difference_t *difference)
{
    int n, rank, size, least;
    int *first = calloc((size_t)compared->registry->arrays + 1, sizeof *first);
    if (first == NULL)
        xmpi_misuse("no memory to compare arrays");
    double *largest = find_largest(compared, comm, first, &n);
    xmpi_tolerance_t tolerance = {.relative = relative, .scale = largest[n]};
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    int mine = all_same(compared, largest, first, &tolerance, difference) ? size : rank;
    PMPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, comm);
    if (least < size)
        PMPI_Bcast(difference, sizeof *difference, MPI_BYTE, least, comm);
    free(largest);
    free(first);
    return least == size;
}

bool xmpi_check_compare(const xmpi_compared_t *compared, double relative, MPI_Comm comm,
                        xmpi_difference_t *difference)
{
    int unequal = compared->takes_part && !all_equal(compared);
    memset(difference, 0, sizeof *difference);
    PMPI_Allreduce(MPI_IN_PLACE, &unequal, 1, MPI_INT, MPI_MAX, comm);
    if (unequal == 0 || compare_closely(compared, relative, comm, difference))
        return true;
    xmpi_difference_t ignored;
    difference->small =
        relative < XMPI_CHECK_SMALL && compare_closely(compared, XMPI_CHECK_SMALL, comm, &ignored);
    return false;
}

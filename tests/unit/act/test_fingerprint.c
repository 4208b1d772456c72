/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of fingerprints: the same however data are divided, another one for other data, and near
 * where data differ by rounding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "act/data/fingerprint.h"

enum { ROWS = 12, COLUMNS = 3 };

static void *slot;
static xmpi_array_t array;
static xmpi_registry_t registry = {.arrays = 1, .array = &array};

static void describe(int64_t element_bytes, int64_t length, const char *elements)
{
    array = (xmpi_array_t){.name = "u",
                           .scheme = XMPI_GEN_DISTRIBUTED,
                           .rows = ROWS,
                           .row_length = length,
                           .row_bytes = length * element_bytes,
                           .elements = elements,
                           .slot = &slot};
}

static void add(xmpi_fingerprint_t *sum, const xmpi_fingerprint_t *f)
{
    sum->bits += f->bits;
    sum->exact += f->exact;
    sum->values += f->values;
    sum->narrow += f->narrow;
    sum->squares += f->squares;
    for (int i = 0; i < XMPI_SKETCHES; i++)
        sum->sketch[i] += f->sketch[i];
}

/* Of DATA, all rows in order, in blocks of STEP rows stored with a halo of HALO. */
static xmpi_fingerprint_t divided(const char *data, int64_t step, int64_t halo)
{
    xmpi_fingerprint_t sum = {0}, part;
    array.halo = halo;
    for (int64_t at = 0; at < ROWS; at += step) {
        xmpi_block_t block = {.count = step < ROWS - at ? step : ROWS - at, .displ = at};
        int64_t first = at < halo ? 0 : at - halo;
        slot = (void *)(uintptr_t)(data + first * array.row_bytes);
        assert_true(xmpi_fingerprint_array(&registry, 0, block, at == 0, &part));
        add(&sum, &part);
    }
    return sum;
}

static void assert_same(const xmpi_fingerprint_t *a, const xmpi_fingerprint_t *b)
{
    assert_true(a->bits == b->bits);
    assert_true(a->exact == b->exact);
    assert_int_equal(a->values, b->values);
    for (int i = 0; i < XMPI_SKETCHES; i++)
        assert_true(fabs(a->sketch[i] - b->sketch[i]) <= 1e-12 * (1 + sqrt(a->squares)));
}

static double distance(const xmpi_fingerprint_t *a, const xmpi_fingerprint_t *b)
{
    double sum = 0;
    for (int i = 0; i < XMPI_SKETCHES; i++)
        sum += (a->sketch[i] - b->sketch[i]) * (a->sketch[i] - b->sketch[i]);
    return sqrt(sum / XMPI_SKETCHES);
}

static void divisions_do_not_matter(void **state)
{
    (void)state;
    double u[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        u[i] = sin(i) * 1e3;
    describe(sizeof(double), COLUMNS, "f8");
    xmpi_fingerprint_t whole = divided((const char *)u, ROWS, 0);
    assert_int_equal(whole.values, ROWS * COLUMNS);
    for (int64_t step = 1; step < ROWS; step++) {
        xmpi_fingerprint_t f = divided((const char *)u, step, step % 3);
        assert_same(&whole, &f);
    }
}

static void other_data_are_told_apart(void **state)
{
    (void)state;
    double u[ROWS];
    for (int i = 0; i < ROWS; i++)
        u[i] = 1 + i;
    describe(sizeof(double), 1, "f8");
    xmpi_fingerprint_t before = divided((const char *)u, 5, 0);
    u[7] = nextafter(u[7], 100);
    xmpi_fingerprint_t rounded = divided((const char *)u, 5, 0);
    assert_true(before.bits != rounded.bits);
    assert_true(before.exact == rounded.exact);
    assert_true(distance(&before, &rounded) < 1e-14);
    u[7] = 8;
    double third = u[3]; /* the same values at other places */
    u[3] = u[4];
    u[4] = third;
    xmpi_fingerprint_t turned = divided((const char *)u, 5, 0);
    assert_true(before.bits != turned.bits);
    assert_true(distance(&before, &turned) > 0.3);
    assert_true(distance(&before, &turned) < 5);
}

static void what_means_nothing_is_left_out(void **state)
{
    (void)state;
    struct {
        double value;
        int32_t number, padding;
    } u[ROWS] = {0};
    describe(sizeof *u, 1, "f8 i4 x4");
    xmpi_fingerprint_t before = divided((const char *)u, 4, 0);
    u[2].padding = 77;
    xmpi_fingerprint_t after = divided((const char *)u, 4, 0);
    assert_same(&before, &after);
    u[2].number = 77;
    after = divided((const char *)u, 4, 0);
    assert_true(before.exact != after.exact);
    xmpi_fingerprint_t ignored;
    array.elements = "? f8 i4 x4";
    assert_false(xmpi_fingerprint_array(&registry, 0, (xmpi_block_t){0, 0}, true, &ignored));
    array.elements = "~ f8 i4 x4";
    assert_false(xmpi_fingerprint_array(&registry, 0, (xmpi_block_t){0, 0}, true, &ignored));
}

static void sentinels_do_not_hide_the_rest(void **state)
{
    (void)state;
    double u[ROWS] = {1e300, INFINITY, NAN, 1};
    describe(sizeof(double), 1, "f8");
    xmpi_fingerprint_t before = divided((const char *)u, 4, 0);
    u[3] = 1.5;
    xmpi_fingerprint_t after = divided((const char *)u, 4, 0);
    assert_true(fabs(distance(&before, &after) - 0.5) < 1e-12);
    assert_true(before.exact == after.exact);
    u[0] = 1e301;
    after = divided((const char *)u, 4, 0);
    assert_true(before.exact != after.exact);
}

/* Where nobody says of what elements are made. */
static void integers_are_no_small_numbers(void **state)
{
    (void)state;
    int64_t u[ROWS] = {3, 4, -5, 1000000};
    int32_t v[ROWS] = {3, 4, -5, 1000000};
    describe(sizeof *u, 1, NULL);
    xmpi_fingerprint_t before = divided((const char *)u, 4, 0);
    u[1]++;
    xmpi_fingerprint_t after = divided((const char *)u, 4, 0);
    assert_true(before.exact != after.exact);
    describe(sizeof *v, 1, NULL);
    before = divided((const char *)v, 4, 0);
    v[1]++;
    after = divided((const char *)v, 4, 0);
    assert_true(before.exact != after.exact);
}

static void other_structures_are_rows_too(void **state)
{
    (void)state;
    double by_columns[COLUMNS * ROWS], part[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++)
        by_columns[i] = i;
    describe(sizeof(double), COLUMNS, "f8");
    array.shape = XMPI_SHAPE_COLUMNS;
    array.lines = COLUMNS;
    array.element_bytes = sizeof(double);
    slot = by_columns;
    xmpi_fingerprint_t whole, left, right;
    xmpi_fingerprint_array(&registry, 0, (xmpi_block_t){.count = ROWS, .displ = 0}, true, &whole);
    for (int line = 0; line < COLUMNS; line++)
        memcpy(&part[5 * line], &by_columns[ROWS * line], 5 * sizeof *part);
    slot = part;
    xmpi_fingerprint_array(&registry, 0, (xmpi_block_t){.count = 5, .displ = 0}, true, &left);
    for (int line = 0; line < COLUMNS; line++)
        memcpy(&part[(ROWS - 5) * line], &by_columns[ROWS * line + 5], (ROWS - 5) * sizeof *part);
    xmpi_fingerprint_array(&registry, 0, (xmpi_block_t){.count = ROWS - 5, .displ = 5}, false,
                           &right);
    add(&left, &right);
    assert_same(&whole, &left);
}

/* Of a sparse matrix in blocks of STEP rows; row i has i % 3 entries. */
static xmpi_fingerprint_t sparse(const double *all, const int32_t *begin, int64_t step)
{
    static void *slots[2];
    xmpi_array_t arrays[2] = {{.name = "ia",
                               .rows = ROWS,
                               .row_length = 1,
                               .row_bytes = 4,
                               .shape = XMPI_SHAPE_OFFSETS,
                               .offset_bytes = 4,
                               .slot = &slots[0]},
                              {.name = "a",
                               .rows = ROWS,
                               .row_length = 1,
                               .row_bytes = 8,
                               .shape = XMPI_SHAPE_ENTRIES,
                               .offset_bytes = 4,
                               .elements = "f8",
                               .slot = &slots[1]}};
    xmpi_registry_t both = {.arrays = 2, .array = arrays};
    xmpi_fingerprint_t sum = {0}, f;
    for (int64_t at = 0; at < ROWS; at += step) {
        int32_t own[ROWS + 1];
        xmpi_block_t block = {.count = step < ROWS - at ? step : ROWS - at, .displ = at};
        for (int64_t i = 0; i <= block.count; i++)
            own[i] = begin[at + i] - begin[at];
        slots[0] = own;
        slots[1] = (void *)(uintptr_t)(all + begin[at]);
        for (int i = 0; i < 2; i++) {
            xmpi_fingerprint_array(&both, i, block, at == 0, &f);
            add(&sum, &f);
        }
    }
    return sum;
}

static void row_pointers_are_lengths(void **state)
{
    (void)state;
    double all[ROWS * 3];
    int32_t begin[ROWS + 1] = {0};
    for (int i = 0; i < ROWS * 3; i++)
        all[i] = i;
    for (int i = 0; i < ROWS; i++)
        begin[i + 1] = begin[i] + i % 3;
    xmpi_fingerprint_t whole = sparse(all, begin, ROWS), parts = sparse(all, begin, 5);
    assert_same(&whole, &parts);
}

static void live_values_count(void **state)
{
    (void)state;
    double value = 0.5;
    xmpi_live_t live = {.name = "err", .address = &value, .size = sizeof value, .elements = "f8"};
    xmpi_fingerprint_t f;
    assert_true(xmpi_fingerprint_live(&live, &f));
    assert_true(f.squares == 0.25 && f.values == 1 && f.exact == 0);
    live.elements = "~ f8";
    assert_false(xmpi_fingerprint_live(&live, &f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divisions_do_not_matter),
        cmocka_unit_test(other_data_are_told_apart),
        cmocka_unit_test(what_means_nothing_is_left_out),
        cmocka_unit_test(sentinels_do_not_hide_the_rest),
        cmocka_unit_test(integers_are_no_small_numbers),
        cmocka_unit_test(other_structures_are_rows_too),
        cmocka_unit_test(row_pointers_are_lengths),
        cmocka_unit_test(live_values_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

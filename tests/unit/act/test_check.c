/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the parts of a check: elements and their comparison, copies of data, and digests. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/check/copy.h"
#include "act/check/kept.h"
#include "act/data/elements.h"
#include "act/data/digest.h"

/* --- elements ------------------------------------------------------------------------------------
 */

static void elements_are_read(void **state)
{
    xmpi_elements_t e;
    (void)state;
    assert_int_equal(xmpi_elements_read("3f8 i4 x4", 64, &e), XMPI_OK);
    assert_true(e.known && !e.unset && !e.varies);
    assert_int_equal(e.fields, 3);
    assert_int_equal(e.bytes, 32);
    assert_int_equal(e.field[0].count, 3);
    assert_int_equal(e.field[1].kind, 'i');
    assert_int_equal(e.field[2].bytes, 4);
    xmpi_elements_free(&e);
    assert_int_equal(xmpi_elements_read("? f4", 4, &e), XMPI_OK);
    assert_true(e.unset && e.fields == 1);
    xmpi_elements_free(&e);
    assert_int_equal(xmpi_elements_read("~f16", 32, &e), XMPI_OK);
    assert_true(e.varies && e.bytes == 16);
    xmpi_elements_free(&e);
}

/* What is not understood, or does not fill the data, are bytes. */
static void other_texts_are_bytes(void **state)
{
    static const char *const texts[] = {NULL,  "",     "f8 ",   "f3",  "i16", "y4", "0i4",
                                        "f8f", "i4i4", "f8 i4", "x-1", "x0",  "f",  "4"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        xmpi_elements_t e;
        assert_int_equal(xmpi_elements_read(texts[i], 20, &e), XMPI_OK);
        assert_true(!e.known && e.fields == 1 && e.bytes == 1 && e.field[0].kind == 'b');
        xmpi_elements_free(&e);
    }
}

/* Whether A and B, elements of TEXT, are the same where the largest value of the field is LARGEST.
 */
static int same(const char *text, const void *a, const void *b, int64_t bytes, double largest,
                xmpi_tolerance_t tolerance)
{
    xmpi_elements_t e;
    const xmpi_field_t *field;
    int64_t at;
    double all[8];
    for (int i = 0; i < 8; i++)
        all[i] = largest;
    assert_int_equal(xmpi_elements_read(text, bytes, &e), XMPI_OK);
    int result = xmpi_elements_same(&e, a, b, bytes, all, &tolerance, &at, &field);
    xmpi_elements_free(&e);
    return result;
}

static int doubles(double a, double b, double largest, double relative, double scale)
{
    return same("f8", &a, &b, sizeof a, largest, (xmpi_tolerance_t){relative, scale});
}

static void sums_in_another_order_are_the_same(void **state)
{
    (void)state;
    assert_true(doubles(1, 1 + 1e-10, 1, 0, 0));
    assert_false(doubles(1, 1 + 1e-9, 1, 0, 0));
    assert_true(doubles(1, 1 + 1e-9, 1, 1e-8, 0));
    assert_true(doubles(1e-12, 2e-12, 1, 0, 0));   /* beside values of 1 */
    assert_false(doubles(1e-12, 2e-12, 0, 0, 0));  /* where there are no others */
    assert_true(doubles(1e-12, 2e-12, 0, 0, 1e3)); /* what is left where values of 1e3 cancel out */
    assert_true(doubles(NAN, -NAN, 0, 0, 0));
    assert_true(doubles(0., -0., 0, 0, 0));
    assert_false(doubles(NAN, 1, 1, 0, 1));
    assert_false(doubles(INFINITY, 1e308, 1, 0, 1));
    assert_false(doubles(INFINITY, -INFINITY, 1, 0, 1));
    float one = 1, near = 1 + 1e-5F, far = 1 + 1e-3F;
    assert_true(same("f4", &one, &near, sizeof one, 1, (xmpi_tolerance_t){0}));
    assert_false(same("f4", &one, &far, sizeof one, 1, (xmpi_tolerance_t){0}));
    long double wide = 1, apart = 1 + 1e-11L;
    assert_true(same("f16", &wide, &wide, sizeof wide, 1, (xmpi_tolerance_t){0}));
    assert_false(same("f16", &wide, &apart, sizeof wide, 1, (xmpi_tolerance_t){0}));
}

static void integers_and_bytes_are_exact(void **state)
{
    int64_t a = 1000000000, b = a + 1;
    (void)state;
    assert_false(same("i8", &a, &b, sizeof a, 1e30, (xmpi_tolerance_t){1, 1e30}));
    assert_false(same(NULL, &a, &b, sizeof a, 1e30, (xmpi_tolerance_t){1, 1e30}));
    assert_true(same("x8", &a, &b, sizeof a, 0, (xmpi_tolerance_t){0}));
}

/* The largest value is that of a field, and what can be no measure is left out. */
static void fields_have_their_own_measure(void **state)
{
    struct {
        double mass, place;
        int name, padding;
    } body[2] = {{1e20, 1e-3, 7, 1}, {-2e20, 1e300, 8, 2}};
    double largest[4] = {0};
    xmpi_elements_t e;
    (void)state;
    assert_int_equal(xmpi_elements_read("f8 f8 i4 x4", sizeof body, &e), XMPI_OK);
    xmpi_elements_largest(&e, (const char *)body, sizeof body, largest);
    assert_true(largest[0] == 2e20 && largest[1] == 1e-3 && largest[2] == 0);
    xmpi_elements_free(&e);
}

static void the_first_difference_is_told(void **state)
{
    int a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 2, 3, 4, -5, 7};
    xmpi_elements_t e;
    const xmpi_field_t *field = NULL;
    int64_t at = 0;
    char text[32];
    (void)state;
    assert_int_equal(xmpi_elements_read("i4 2i4", sizeof a, &e), XMPI_OK);
    assert_false(xmpi_elements_same(&e, (char *)a, (char *)b, sizeof a, NULL, NULL, &at, &field));
    assert_int_equal(at, 4 * (int)sizeof *a);
    xmpi_field_print(field, (char *)b + at, text, sizeof text);
    assert_string_equal(text, "-5");
    xmpi_elements_free(&e);
}

/* --- copies
 * --------------------------------------------------------------------------------------- */

enum { ROWS = 6 };

typedef struct {
    double *u, *constant;
    int *ia;
    double *a, fixed[ROWS];
    int step;
    xmpi_registry_t registry;
} data_t;

static xmpi_array_t *add(data_t *data, const char *name, void *slot, int64_t bytes)
{
    xmpi_array_t *array = xmpi_registry_array(&data->registry, name);
    xmpi_registry_set_slot(&data->registry, array, slot);
    array->rows = 2 * ROWS;
    array->row_length = 1;
    array->row_bytes = bytes;
    return array;
}

static void *filled(size_t n)
{
    double *values = malloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = (double)i;
    return values;
}

/* The owner of the second half of the rows. */
static const xmpi_block_t block = {.count = ROWS, .displ = ROWS};

static void open_data(data_t *data)
{
    memset(data, 0, sizeof *data);
    data->u = filled(ROWS);
    data->constant = filled(ROWS);
    data->a = filled(2 * ROWS);
    data->ia = calloc(ROWS + 1, sizeof *data->ia);
    for (int i = 0; i < ROWS; i++)
        data->ia[i + 1] = data->ia[i] + 2;
    add(data, "u", (void *)&data->u, 8);
    add(data, "constant", (void *)&data->constant, 8)->constant = true;
    add(data, "fixed", data->fixed, 8)->fixed = sizeof data->fixed;
    xmpi_array_t *pointers = add(data, "ia", (void *)&data->ia, 4);
    pointers->shape = XMPI_SHAPE_OFFSETS;
    pointers->offsets = 3;
    pointers->offset_bytes = 4;
    xmpi_array_t *entries = add(data, "a", (void *)&data->a, 8);
    entries->shape = XMPI_SHAPE_ENTRIES;
    entries->offsets = 3;
    entries->offset_bytes = 4;
    xmpi_registry_add_live(&data->registry, "step", &data->step, sizeof data->step);
}

static void close_data(data_t *data)
{
    free(data->u);
    free(data->constant);
    free(data->ia);
    free(data->a);
    xmpi_registry_free(&data->registry);
}

static void copies_change_places_with_the_data(void **state)
{
    data_t data;
    xmpi_copy_t copy;
    (void)state;
    open_data(&data);
    assert_int_equal(xmpi_copy_bytes(&data.registry, block),
                     8 * ROWS * 2 + 4 * (ROWS + 1) + 16 * ROWS);
    assert_int_equal(xmpi_copy_make(&data.registry, block, &copy), XMPI_OK);
    assert_null(copy.array[1]); /* the loop only reads it */
    data.u[3] = data.fixed[5] = data.a[11] = data.constant[0] = 100;
    data.step = 5;
    double *swapped = data.u; /* programs exchange their pointers */
    assert_int_equal(xmpi_copy_exchange(&data.registry, block, &copy), XMPI_OK);
    assert_ptr_equal(data.u, swapped);
    assert_true(data.u[3] == 3 && data.fixed[5] == 0 && data.a[11] == 11 &&
                data.constant[0] == 100);
    assert_int_equal(data.step, 0);
    assert_int_equal(*(const int *)xmpi_copy_live(&copy, &data.registry.live[0]), 5);
    xmpi_copy_restore(&data.registry, block, &copy);
    assert_true(data.u[3] == 100 && data.fixed[5] == 100 && data.a[11] == 100);
    assert_int_equal(data.step, 5);
    xmpi_copy_free(&copy);
    close_data(&data);
}

/* Ghost rows on both sides, and lines of columns beside the own ones. */
static void rows_of_others_are_put_back(void **state)
{
    enum { STORED = ROWS + 2, LINES = 2 };
    static const xmpi_block_t inner = {.count = ROWS, .displ = 3};
    data_t data;
    xmpi_copy_t copy;
    xmpi_kept_t kept;
    double *ghosts = filled(STORED), *columns = filled(LINES * STORED), *owned = filled(2 * ROWS);
    (void)state;
    open_data(&data);
    add(&data, "ghosts", (void *)&ghosts, 8)->halo = 1;
    xmpi_array_t *array = add(&data, "columns", (void *)&columns, 8);
    array->halo = 1;
    array->shape = XMPI_SHAPE_COLUMNS;
    array->lines = LINES;
    array->element_bytes = 8;
    add(&data, "owned", (void *)&owned, 8)->scheme = XMPI_GEN_OWNED;
    assert_int_equal(xmpi_kept_bytes(&data.registry, inner), 8 * (2 + 2 * LINES + ROWS));
    assert_int_equal(xmpi_copy_make(&data.registry, inner, &copy), XMPI_OK);
    assert_int_equal(xmpi_kept_note(&data.registry, inner, &copy, &kept), XMPI_OK);
    for (int i = 0; i < LINES * STORED; i++)
        columns[i] = -1;
    for (int i = 0; i < STORED; i++)
        ghosts[i] = -1;
    for (int i = 0; i < 2 * ROWS; i++)
        owned[i] = -1;
    xmpi_kept_put_back(&data.registry, inner, &kept);
    for (int i = 0; i < STORED; i++) {
        const bool own = i > 0 && i <= ROWS;
        assert_true(ghosts[i] == (own ? -1 : i));
        assert_true(columns[i] == (own ? -1 : i) && columns[STORED + i] == (own ? -1 : STORED + i));
    }
    for (int i = 0; i < 2 * ROWS; i++)
        assert_true(owned[i] == (i >= 3 && i < 3 + ROWS ? -1 : i));
    xmpi_kept_free(&kept);
    xmpi_copy_free(&copy);
    free(ghosts);
    free(columns);
    free(owned);
    close_data(&data);
}

/* The storage of a sparse matrix that has grown changes places with what was there. */
static void other_sizes_change_places(void **state)
{
    data_t data;
    xmpi_copy_t copy;
    (void)state;
    open_data(&data);
    assert_int_equal(xmpi_copy_make(&data.registry, block, &copy), XMPI_OK);
    data.a = realloc(data.a, 13 * sizeof *data.a);
    data.ia[ROWS] = 13;
    data.u[0] = 100;
    data.a[12] = 14;
    assert_int_equal(xmpi_copy_exchange(&data.registry, block, &copy), XMPI_OK);
    assert_true(data.u[0] == 0 && data.ia[ROWS] == 12 && data.a[11] == 11);
    assert_int_equal(xmpi_copy_exchange(&data.registry, block, &copy), XMPI_OK);
    assert_true(data.u[0] == 100 && data.ia[ROWS] == 13 && data.a[12] == 14);
    data.registry.arrays--; /* one of them is no more */
    assert_int_equal(xmpi_copy_exchange(&data.registry, block, &copy), XMPI_ERR_INPUT);
    assert_true(data.u[0] == 100);
    data.registry.arrays++;
    xmpi_copy_restore(&data.registry, block, &copy);
    assert_true(data.u[0] == 0 && data.ia[ROWS] == 12 && data.a[11] == 11);
    xmpi_copy_free(&copy);
    close_data(&data);
}

static void copies_move_with_the_data(void **state)
{
    data_t data;
    xmpi_copy_t copy;
    (void)state;
    open_data(&data);
    assert_int_equal(xmpi_copy_make(&data.registry, block, &copy), XMPI_OK);
    assert_int_equal(xmpi_copy_attach(&data.registry, &copy), XMPI_OK);
    assert_int_equal(data.registry.arrays, 5 + 4);
    const xmpi_array_t *entries = &data.registry.array[8];
    assert_ptr_equal(entries->slot, &copy.array[4]);
    assert_int_equal(entries->offsets, 7); /* the copy of the row pointers */
    assert_int_equal(data.registry.array[6].fixed, 0);
    xmpi_copy_detach(&data.registry, &copy);
    assert_int_equal(data.registry.arrays, 5);
    xmpi_copy_free(&copy);
    close_data(&data);
}

/* A joiner takes the values that were alike, by name. */
static void joiners_get_what_was_alike(void **state)
{
    data_t data;
    xmpi_copy_t copy, taken = {0};
    xmpi_pack_t pack = {0};
    int own = 3;
    (void)state;
    open_data(&data);
    xmpi_registry_add_live(&data.registry, "own", &own, sizeof own);
    assert_int_equal(xmpi_copy_make(&data.registry, block, &copy), XMPI_OK);
    copy.alike = calloc(2, sizeof *copy.alike);
    copy.alike[0] = true;
    xmpi_copy_put_lives(&pack, &data.registry, &copy);
    xmpi_copy_get_lives(&pack, &taken);
    assert_non_null(xmpi_copy_live(&taken, &data.registry.live[0]));
    assert_null(xmpi_copy_live(&taken, &data.registry.live[1]));
    xmpi_pack_free(&pack);
    xmpi_copy_free(&taken);
    xmpi_copy_free(&copy);
    close_data(&data);
}

/* --- digests
 * --------------------------------------------------------------------------------------- */

static uint64_t digest_of(const char *text, const void *value, size_t size)
{
    xmpi_registry_t registry = {0};
    char copy[64];
    memcpy(copy, value, size);
    xmpi_registry_add_live(&registry, "x", copy, size);
    xmpi_registry_set_elements(&registry, "x", text);
    uint64_t digest = xmpi_digest(&registry);
    xmpi_registry_free(&registry);
    return digest;
}

/* Only what is told to be comparable makes a difference. */
static void digests_leave_out_what_may_differ(void **state)
{
    static const char *const silent[] = {NULL, "?f8", "~f8", "x8", "nonsense"};
    double a = 1, b = 2;
    (void)state;
    assert_true(digest_of("f8", &a, 8) != digest_of("f8", &b, 8));
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        assert_true(digest_of(silent[i], &a, 8) == digest_of(silent[i], &b, 8));
    struct {
        int number, padding;
    } one = {1, 2}, other = {1, 3};
    assert_true(digest_of("i4 x4", &one, 8) == digest_of("i4 x4", &other, 8));
    assert_true(digest_of("i4 i4", &one, 8) != digest_of("i4 i4", &other, 8));
}

/* Of large arrays only pieces are looked at, the first and the last bytes among them. */
static void digests_of_large_arrays_see_both_ends(void **state)
{
    enum { LARGE = 1 << 20 };
    static const int at[] = {0, LARGE - 1};
    xmpi_registry_t registry = {0};
    double *vector = calloc(LARGE, sizeof *vector);
    xmpi_array_t *array = xmpi_registry_array(&registry, "vector");
    (void)state;
    xmpi_registry_set_slot(&registry, array, (void *)&vector);
    array->scheme = XMPI_GEN_REPLICATED;
    array->rows = LARGE;
    array->row_bytes = sizeof *vector;
    array->elements = "f8";
    uint64_t zeros = xmpi_digest(&registry);
    for (int i = 0; i < 2; i++) {
        vector[at[i]] = 1;
        assert_true(xmpi_digest(&registry) != zeros);
        vector[at[i]] = 0;
    }
    assert_true(xmpi_digest(&registry) == zeros);
    free(vector);
    xmpi_registry_free(&registry);
}

static void digests_do_not_depend_on_the_order(void **state)
{
    int a = 1, b = 2;
    uint64_t digest[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        xmpi_registry_t registry = {0};
        xmpi_registry_add_live(&registry, k == 0 ? "a" : "b", k == 0 ? &a : &b, sizeof a);
        xmpi_registry_add_live(&registry, k == 0 ? "b" : "a", k == 0 ? &b : &a, sizeof a);
        xmpi_registry_set_elements(&registry, "a", "i4");
        xmpi_registry_set_elements(&registry, "b", "i4");
        digest[k] = xmpi_digest(&registry);
        xmpi_registry_free(&registry);
    }
    assert_true(digest[0] == digest[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_read),
        cmocka_unit_test(other_texts_are_bytes),
        cmocka_unit_test(sums_in_another_order_are_the_same),
        cmocka_unit_test(integers_and_bytes_are_exact),
        cmocka_unit_test(fields_have_their_own_measure),
        cmocka_unit_test(the_first_difference_is_told),
        cmocka_unit_test(copies_change_places_with_the_data),
        cmocka_unit_test(rows_of_others_are_put_back),
        cmocka_unit_test(other_sizes_change_places),
        cmocka_unit_test(copies_move_with_the_data),
        cmocka_unit_test(joiners_get_what_was_alike),
        cmocka_unit_test(digests_leave_out_what_may_differ),
        cmocka_unit_test(digests_of_large_arrays_see_both_ends),
        cmocka_unit_test(digests_do_not_depend_on_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

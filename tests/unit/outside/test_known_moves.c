/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the moves by hand that are remembered. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "program/api/known_moves.h"

enum { MEMBERS = 2 };

/* As members tell what they want, among other things. */
typedef struct {
    int64_t other;
    xmpi_wanted_t wanted;
} told_t;

/* Border FROM becomes border TO, of ROWS rows. */
static void fill(told_t *told, int64_t from, int64_t to, int64_t rows)
{
    told[0].wanted = (xmpi_wanted_t){{from, 0}, {to, 0}, rows, 7};
    told[1].wanted = (xmpi_wanted_t){{rows - from, from}, {rows - to, to}, rows, 7};
}

static void add(int64_t from, int64_t to, int64_t rows)
{
    told_t told[MEMBERS];
    fill(told, from, to, rows);
    xmpi_known_move_add(MEMBERS, &told[0].wanted, sizeof *told);
}

static const xmpi_known_move_t *find(int rank, int64_t from, int64_t to, int64_t rows)
{
    told_t told[MEMBERS];
    fill(told, from, to, rows);
    return xmpi_known_move(MEMBERS, rank, &told[rank].wanted);
}

/* Its own wish leads each member to the same move, and another one to none. */
static void all_find_the_same(void **state)
{
    (void)state;
    add(5, 3, 10);
    add(3, 5, 10);
    for (int rank = 0; rank < MEMBERS; rank++) {
        assert_non_null(find(rank, 5, 3, 10));
        assert_ptr_equal(find(0, 5, 3, 10), find(1, 5, 3, 10));
        assert_true(find(rank, 5, 3, 10)->digest != find(rank, 3, 5, 10)->digest);
        assert_int_equal(find(rank, 5, 3, 10)->wanted[1 - rank].after.count, rank == 0 ? 7 : 3);
        assert_null(find(rank, 5, 4, 10));
        assert_null(find(rank, 5, 3, 11));
    }
    told_t told[MEMBERS];
    fill(told, 5, 3, 10);
    told[0].wanted.shapes = 8;
    assert_null(xmpi_known_move(MEMBERS, 0, &told[0].wanted));
    told[0].wanted.shapes = 7;
    assert_null(xmpi_known_move(MEMBERS + 1, 0, &told[0].wanted));
}

/* Of two in which a member wants the same, the one that was made last. */
static void the_last_one_is_meant(void **state)
{
    told_t other[MEMBERS];
    (void)state;
    add(6, 2, 20);
    fill(other, 6, 2, 20);
    other[1].wanted.after.count--;
    xmpi_known_move_add(MEMBERS, &other[0].wanted, sizeof *other);
    assert_int_equal(find(0, 6, 2, 20)->wanted[1].after.count, 17);
    xmpi_known_move_used(find(1, 6, 2, 20));
    assert_int_equal(find(0, 6, 2, 20)->wanted[1].after.count, 18);
}

/* What was made the longest ago is forgotten, and a move is remembered once. */
static void few_are_remembered(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        add(1, 2, 30);
        add(1, 2, 30 + i);
    }
    assert_non_null(find(0, 1, 2, 30));
    assert_non_null(find(0, 1, 2, 129));
    assert_non_null(find(0, 1, 2, 124));
    assert_null(find(0, 1, 2, 115));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_find_the_same),
        cmocka_unit_test(the_last_one_is_meant),
        cmocka_unit_test(few_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the transfer plan: every row arrives, and nothing moves that could stay. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "decide/plan/transfer_size.h"
#include "support/transfer_of_plan.h"

enum { MOST = 9, ROWS = 200 };

static void random_blocks(int n, const char *takes_part, int64_t rows, xmpi_block_t *blocks)
{
    int64_t cut[MOST + 1] = {0};
    int parts = 0;
    for (int i = 0; i < n; i++)
        parts += takes_part[i];
    for (int i = 1; i < parts; i++)
        cut[i] = rand() % (rows + 1);
    for (int i = 1; i < parts; i++) /* few enough to sort by hand */
        for (int j = i; j > 1 && cut[j - 1] > cut[j]; j--) {
            int64_t swap = cut[j];
            cut[j] = cut[j - 1];
            cut[j - 1] = swap;
        }
    cut[parts] = rows;
    for (int i = 0, next = 0; i < n; i++) {
        blocks[i] = (xmpi_block_t){0, 0};
        if (!takes_part[i])
            continue;
        blocks[i] = (xmpi_block_t){cut[next + 1] - cut[next], cut[next]};
        next++;
    }
}

static int64_t owner_of(int n, const xmpi_block_t *blocks, int64_t row)
{
    for (int i = 0; i < n; i++)
        if (row >= blocks[i].displ && row < blocks[i].displ + blocks[i].count)
            return i;
    return -1;
}

/* Rows that must move: those whose owner changes. */
static int64_t least(int n, const xmpi_block_t *before, const xmpi_block_t *after, int64_t rows)
{
    int64_t moved = 0;
    for (int64_t row = 0; row < rows; row++)
        moved += owner_of(n, before, row) != owner_of(n, after, row);
    return moved;
}

static void mark(char *has, const xmpi_piece_t *piece)
{
    for (int64_t row = piece->first; row < piece->first + piece->rows; row++) {
        assert_false(has[row]); /* nothing arrives twice */
        has[row] = 1;
    }
}

static void check_sends_match(const xmpi_transfer_t *t, int from, int to)
{
    const xmpi_piece_t *sent = NULL, *received = NULL;
    for (int i = 0; i < t[from].sends; i++)
        if (t[from].send[i].peer == to)
            sent = &t[from].send[i];
    for (int i = 0; i < t[to].receives; i++)
        if (t[to].receive[i].peer == from)
            received = &t[to].receive[i];
    assert_int_equal(sent == NULL, received == NULL);
    if (sent != NULL) {
        assert_int_equal(sent->first, received->first);
        assert_int_equal(sent->rows, received->rows);
        assert_true(sent->rows > 0);
    }
}

static void blocks_arrive_whole_and_move_the_least(void **state)
{
    (void)state;
    srand(3);
    for (int round = 0; round < 2000; round++) {
        int n = 1 + rand() % MOST;
        int64_t rows = rand() % ROWS, moved = 0;
        char before_part[MOST] = {1}, after_part[MOST] = {1};
        xmpi_block_t before[MOST], after[MOST];
        xmpi_transfer_t t[MOST];
        for (int i = 1; i < n; i++) {
            before_part[i] = (char)(rand() % 2);
            after_part[i] = (char)(rand() % 2);
        }
        random_blocks(n, before_part, rows, before);
        random_blocks(n, after_part, rows, after);
        for (int i = 0; i < n; i++)
            assert_int_equal(xmpi_transfer_blocks(n, before, after, i, &t[i]), XMPI_OK);
        for (int i = 0; i < n; i++) {
            char has[ROWS] = {0};
            for (int k = 0; k < t[i].receives; k++) {
                mark(has, &t[i].receive[k]);
                moved += t[i].receive[k].rows;
            }
            mark(has, &t[i].keep);
            for (int64_t row = 0; row < rows; row++)
                assert_int_equal(has[row],
                                 row >= after[i].displ && row < after[i].displ + after[i].count);
            for (int j = 0; j < n; j++)
                if (i != j)
                    check_sends_match(t, i, j);
        }
        assert_int_equal(moved, least(n, before, after, rows));
        for (int i = 0; i < n; i++)
            xmpi_transfer_free(&t[i]);
    }
}

static void replicas_reach_those_without_one(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n++)
        for (int holders = 1; holders <= n; holders++)
            for (int64_t rows = 0; rows < 25; rows += 6) {
                xmpi_transfer_t t[MOST];
                for (int i = 0; i < n; i++)
                    assert_int_equal(xmpi_transfer_replicate(n, holders, rows, i, &t[i]), XMPI_OK);
                for (int i = 0; i < n; i++) {
                    char has[ROWS] = {0};
                    for (int k = 0; k < t[i].receives; k++)
                        mark(has, &t[i].receive[k]);
                    mark(has, &t[i].keep);
                    for (int64_t row = 0; row < rows; row++)
                        assert_true(has[row]);
                    if (i < holders)
                        assert_int_equal(t[i].receives, 0);
                    for (int j = 0; j < n; j++)
                        if (i != j)
                            check_sends_match(t, i, j);
                }
                for (int i = 0; i < n; i++)
                    xmpi_transfer_free(&t[i]);
            }
}

/* --- sizes ------------------------------------------------------------------------------------ */

static xmpi_moved_array_t random_array(int64_t rows)
{
    xmpi_moved_array_t array = {.scheme = rand() % 3, .rows = rows};
    array.row_bytes = rand() % 4 * 2.5;
    array.constant = rand() % 2;
    if (array.scheme == XMPI_SCHEME_DISTRIBUTED)
        array.halo = rand() % 3 * (rand() % 20);
    if (array.scheme == XMPI_SCHEME_REPLICATED)
        array.rows = rand() % 30;
    return array;
}

/* The size counted from the plans of all processes. */
static double bytes_by_plans(int n, int olds, const xmpi_block_t *before, const xmpi_block_t *after,
                             const bool *member, const xmpi_moved_array_t *array, int to,
                             double *from)
{
    xmpi_transfer_t t;
    xmpi_block_t needed[MOST];
    double bytes = 0;
    for (int i = 0; i < n; i++)
        needed[i] = array->scheme == XMPI_SCHEME_OWNED
                        ? (xmpi_block_t){member[i] ? array->rows : 0, 0}
                        : xmpi_rows_with_halo(after[i], array->halo, array->rows);
    if (array->scheme == XMPI_SCHEME_REPLICATED)
        assert_int_equal(xmpi_transfer_replicate(n, olds, array->rows, to, &t), XMPI_OK);
    else
        assert_int_equal(xmpi_transfer_blocks(n, before, needed, to, &t), XMPI_OK);
    for (int k = 0; k < t.receives; k++) {
        from[t.receive[k].peer] += (double)t.receive[k].rows * array->row_bytes;
        bytes += (double)t.receive[k].rows * array->row_bytes;
    }
    xmpi_transfer_free(&t);
    return bytes;
}

static void compare_size(const xmpi_transfer_size_t *size, int to, const double *from, int n)
{
    for (int i = 0; i < n; i++) {
        double bytes = 0;
        for (int64_t k = 0; k < size->pairs; k++)
            if (size->pair[k].from == i && size->pair[k].to == to)
                bytes += size->pair[k].bytes;
        assert_true(bytes == from[i]);
    }
}

static void sizes_are_those_of_the_plans(void **state)
{
    (void)state;
    srand(5);
    for (int round = 0; round < 3000; round++) {
        int n = 1 + rand() % MOST, olds = 1 + rand() % n, arrays = 1 + rand() % 4;
        int64_t rows = 1 + rand() % (ROWS - 1);
        char before_part[MOST] = {1}, after_part[MOST] = {0};
        xmpi_block_t before[MOST], after[MOST];
        xmpi_moved_array_t array[4];
        xmpi_transfer_size_t size;
        bool member[MOST];
        double sum = 0, later = 0;
        for (int i = 0; i < n; i++) {
            before_part[i] = (char)(i < olds && (i == 0 || rand() % 3));
            after_part[i] = (char)(i >= olds || i == olds - 1 || rand() % 2);
            member[i] = after_part[i];
        }
        random_blocks(n, before_part, rows, before);
        random_blocks(n, after_part, rows, after);
        for (int i = 0; i < arrays; i++)
            array[i] = random_array(rows);
        assert_int_equal(xmpi_transfer_size(n, olds, before, after, member, arrays, array, &size),
                         XMPI_OK);
        for (int to = 0; to < n; to++) {
            double from[MOST] = {0};
            for (int i = 0; i < arrays; i++) {
                double bytes = bytes_by_plans(n, olds, before, after, member, &array[i], to, from);
                sum += bytes;
                later += array[i].constant ? bytes : 0;
            }
            compare_size(&size, to, from, n);
        }
        assert_true(size.bytes == sum);
        assert_true(size.later_bytes == later);
        xmpi_transfer_size_free(&size);
    }
}

/* Three members become three others: the middle one leaves, one is new at the end. */
static void plans_have_the_size_of_their_blocks(void **state)
{
    (void)state;
    xmpi_layout_t layout;
    xmpi_plan_t plan;
    xmpi_transfer_size_t size;
    xmpi_moved_array_t array[] = {{.rows = 30, .row_bytes = 8},
                                  {.scheme = XMPI_SCHEME_REPLICATED, .rows = 9, .row_bytes = 1}};
    assert_int_equal(xmpi_layout_alloc(&layout, 30, 3), XMPI_OK);
    assert_int_equal(xmpi_plan_alloc(&plan, 3), XMPI_OK);
    for (int i = 0; i < 3; i++)
        layout.member[i].block = (xmpi_block_t){10, 10 * i};
    plan.place[0] = (xmpi_place_t){XMPI_STAYS, 0, -1, {10, 0}};
    plan.place[1] = (xmpi_place_t){XMPI_STAYS, 2, -1, {15, 10}};
    plan.place[2] = (xmpi_place_t){XMPI_NEW, -1, 4, {5, 25}};
    assert_int_equal(transfer_size_of_plan(&layout, &plan, 2, array, &size), XMPI_OK);
    assert_int_equal(size.transit, 4);
    assert_int_equal(size.olds, 3);
    assert_true(size.bytes == 15 * 8 + 9);
    assert_int_equal(size.messages, 2 + 3);
    assert_int_equal(size.pairs, 1 + 3);
    xmpi_transfer_size_free(&size);
    xmpi_plan_free(&plan);
    xmpi_layout_free(&layout);
}

static void pages_serve_again_in_at_most_eight_rounds(void **state)
{
    (void)state;
    assert_int_equal(xmpi_transfer_rounds(0), 1);
    assert_int_equal(xmpi_transfer_rounds((8 << 20) - 1), 1);
    assert_int_equal(xmpi_transfer_rounds(8 << 20), 2);
    assert_int_equal(xmpi_transfer_rounds(INT64_MAX), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_arrive_whole_and_move_the_least),
        cmocka_unit_test(replicas_reach_those_without_one),
        cmocka_unit_test(sizes_are_those_of_the_plans),
        cmocka_unit_test(plans_have_the_size_of_their_blocks),
        cmocka_unit_test(pages_serve_again_in_at_most_eight_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

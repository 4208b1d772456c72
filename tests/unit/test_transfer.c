/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the transfer plan: every row arrives, and nothing moves that could stay. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "decide/transfer.h"

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
                assert_int_equal(has[row], row >= after[i].displ &&
                                               row < after[i].displ + after[i].count);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_arrive_whole_and_move_the_least),
        cmocka_unit_test(replicas_reach_those_without_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

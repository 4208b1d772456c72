/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the matrix of who sends how much to whom. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "decide/mapping/traffic.h"

enum { RANKS = 12 };

static void assert_talk(xmpi_talk_t talk, int64_t messages, int64_t bytes)
{
    assert_int_equal(talk.messages, messages);
    assert_int_equal(talk.bytes, bytes);
}

static void test_rows_are_in_order_and_have_each_peer_once(void **state)
{
    (void)state;
    const xmpi_talk_t talk[] = {{2, 1, 10},
                                {1, 2, 20},
                                {2, 3, 30},
                                {0, 4, 40}, /* of rank 0 */
                                {0, 1, 5}}; /* of rank 2 */
    const int32_t rows[] = {4, 0, 1};
    const int64_t rest[] = {0, 0, 7};
    xmpi_traffic_t traffic;
    xmpi_error_t error;
    assert_int_equal(xmpi_traffic_make(&traffic, 3, rows, talk, rest, &error), XMPI_OK);
    assert_int_equal(traffic.first[1], 2);
    assert_int_equal(traffic.first[2], 2);
    assert_int_equal(traffic.first[3], 3);
    assert_int_equal(traffic.talk[0].peer, 1);
    assert_int_equal(traffic.talk[1].peer, 2);
    assert_int_equal(traffic.rest[2], 7);
    assert_talk(xmpi_traffic_between(&traffic, 0, 2), 4, 40);
    assert_talk(xmpi_traffic_between(&traffic, 0, 0), 0, 0);
    assert_talk(xmpi_traffic_between(&traffic, 1, 0), 0, 0);
    xmpi_traffic_free(&traffic);
}

static void test_what_is_no_rank_is_refused(void **state)
{
    (void)state;
    const xmpi_talk_t wrong[] = {{3, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
    const int32_t rows[] = {1, 0, 0}, negative[] = {-1, 0, 0};
    xmpi_traffic_t traffic;
    xmpi_error_t error;
    for (int i = 0; i < 4; i++)
        assert_int_equal(xmpi_traffic_make(&traffic, 3, rows, &wrong[i], NULL, &error),
                         XMPI_ERR_INPUT);
    assert_int_equal(xmpi_traffic_make(&traffic, 3, negative, wrong, NULL, &error), XMPI_ERR_INPUT);
}

/* A matrix at random, and the same as a table. */
static void make_random(xmpi_traffic_t *traffic, int64_t table[RANKS][RANKS])
{
    static xmpi_talk_t talk[RANKS * RANKS];
    int32_t rows[RANKS] = {0};
    xmpi_error_t error;
    int n = 0;
    memset(table, 0, sizeof(int64_t[RANKS][RANKS]));
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = rand() % RANKS; i > 0; i--) {
            talk[n] = (xmpi_talk_t){rand() % RANKS, 1, rand() % 1000};
            rows[rank]++;
            table[rank][talk[n].peer] += talk[n].peer == rank ? 0 : talk[n].bytes;
            n++;
        }
    assert_int_equal(xmpi_traffic_make(traffic, RANKS, rows, talk, NULL, &error), XMPI_OK);
}

static void test_both_ways_is_the_sum_with_the_transpose(void **state)
{
    (void)state;
    int64_t table[RANKS][RANKS];
    srand(1);
    for (int round = 0; round < 200; round++) {
        xmpi_traffic_t traffic, sum;
        xmpi_error_t error;
        make_random(&traffic, table);
        assert_int_equal(xmpi_traffic_both_ways(&traffic, &sum, &error), XMPI_OK);
        for (int i = 0; i < RANKS; i++)
            for (int j = 0; j < RANKS; j++) {
                assert_int_equal(xmpi_traffic_between(&traffic, i, j).bytes, table[i][j]);
                assert_int_equal(xmpi_traffic_between(&sum, i, j).bytes, table[i][j] + table[j][i]);
            }
        xmpi_traffic_free(&traffic);
        xmpi_traffic_free(&sum);
    }
}

static void test_only_what_is_between_groups_is_counted(void **state)
{
    (void)state;
    int64_t table[RANKS][RANKS], all = 0, between = 0;
    int group[RANKS];
    xmpi_traffic_t traffic;
    srand(2);
    make_random(&traffic, table);
    for (int i = 0; i < RANKS; i++)
        group[i] = rand() % 3;
    for (int i = 0; i < RANKS; i++)
        for (int j = 0; j < RANKS; j++) {
            all += table[i][j];
            between += group[i] != group[j] ? table[i][j] : 0;
        }
    assert_int_equal(xmpi_traffic_total(&traffic, NULL).bytes, all);
    assert_int_equal(xmpi_traffic_total(&traffic, group).bytes, between);
    xmpi_traffic_free(&traffic);
}

static void test_the_heaviest_are_kept(void **state)
{
    (void)state;
    int64_t table[RANKS][RANKS];
    srand(3);
    for (int64_t most = 0; most < 60; most++) {
        xmpi_traffic_t traffic;
        make_random(&traffic, table);
        int64_t entries = traffic.first[RANKS], sum = xmpi_traffic_total(&traffic, NULL).bytes;
        assert_int_equal(xmpi_traffic_keep(&traffic, most), XMPI_OK);
        assert_int_equal(traffic.first[RANKS], entries < most ? entries : most);
        int64_t least = INT64_MAX, left = 0, largest = 0;
        for (int i = 0; i < RANKS; i++)
            for (int j = 0; j < RANKS; j++) {
                int64_t bytes = xmpi_traffic_between(&traffic, i, j).bytes;
                if (bytes > 0 && bytes < least)
                    least = bytes;
                if (bytes == 0 && table[i][j] > largest)
                    largest = table[i][j];
            }
        for (int i = 0; i < RANKS; i++)
            left += traffic.rest[i];
        assert_true(largest <= least);
        assert_int_equal(xmpi_traffic_total(&traffic, NULL).bytes + left, sum);
        xmpi_traffic_free(&traffic);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_in_order_and_have_each_peer_once),
        cmocka_unit_test(test_what_is_no_rank_is_refused),
        cmocka_unit_test(test_both_ways_is_the_sum_with_the_transpose),
        cmocka_unit_test(test_the_heaviest_are_kept),
        cmocka_unit_test(test_only_what_is_between_groups_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the division of the domain into blocks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "decide/partition.h"

static double makespan(int n, const double *speeds, const int64_t *counts)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, (double)counts[i] / speeds[i]);
    return most;
}

/* The smallest makespan of all divisions of REST rows among members FROM to N - 1, where each gets
 * at least LEAST rows. */
static double brute_force(int n, const double *speeds, int from, int64_t rest, int64_t least,
                          int64_t *counts)
{
    double best = INFINITY;
    if (from == n - 1) {
        counts[from] = rest;
        return rest >= least ? makespan(n, speeds, counts) : INFINITY;
    }
    for (counts[from] = least; counts[from] <= rest; counts[from]++) {
        int64_t chosen = counts[from];
        best = fmin(best, brute_force(n, speeds, from + 1, rest - chosen, least, counts));
        counts[from] = chosen;
    }
    return best;
}

static void makespan_is_the_smallest_possible(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 3000; round++) {
        int n = 1 + rand() % 4;
        int64_t domain = rand() % 13, counts[4], tried[4];
        double speeds[4];
        xmpi_block_t blocks[4];
        for (int i = 0; i < n; i++)
            speeds[i] = 0.5 + (double)(rand() % 1000) / 100;
        assert_int_equal(xmpi_partition_proportional(domain, n, speeds, blocks), XMPI_OK);
        for (int i = 0; i < n; i++)
            counts[i] = blocks[i].count;
        double best = brute_force(n, speeds, 0, domain, domain >= n ? 1 : 0, tried);
        if (makespan(n, speeds, counts) > best * (1 + 1e-12))
            fail_msg("round %d: makespan %g, possible %g", round, makespan(n, speeds, counts),
                     best);
    }
}

static void blocks_cover_the_domain(void **state)
{
    (void)state;
    srand(11);
    for (int round = 0; round < 500; round++) {
        int n = 1 + rand() % 60;
        int64_t domain = rand() % 100000;
        double speeds[60];
        xmpi_block_t blocks[60];
        xmpi_error_t error;
        for (int i = 0; i < n; i++)
            speeds[i] = exp((double)(rand() % 2000) / 100 - 10);
        assert_int_equal(xmpi_partition_proportional(domain, n, speeds, blocks), XMPI_OK);
        assert_int_equal(xmpi_blocks_check(domain, n, blocks, &error), XMPI_OK);
        for (int i = 0; i < n && domain >= n; i++)
            assert_true(blocks[i].count > 0);
    }
}

static void shares_follow_the_thesis_classes(void **state)
{
    (void)state;
    const double speeds[4] = {1.90, 2.25, 2.90, 4.62}; /* thesis, Table 6.4 */
    xmpi_block_t blocks[4];
    assert_int_equal(xmpi_partition_proportional(1167, 4, speeds, blocks), XMPI_OK);
    assert_int_equal(blocks[0].count, 190);
    assert_int_equal(blocks[1].count, 225);
    assert_int_equal(blocks[2].count, 290);
    assert_int_equal(blocks[3].count, 462);
    assert_int_equal(blocks[3].displ, 705);
}

static void speeds_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const double bad[] = {0, -1, NAN, INFINITY};
    xmpi_block_t blocks[2];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double speeds[2] = {1, bad[i]};
        assert_int_equal(xmpi_partition_proportional(10, 2, speeds, blocks), XMPI_ERR_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makespan_is_the_smallest_possible),
        cmocka_unit_test(blocks_cover_the_domain),
        cmocka_unit_test(shares_follow_the_thesis_classes),
        cmocka_unit_test(speeds_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * How far checkpoints are apart. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "decide/leader/apart.h"

/* The share of its time that a run loses: standing still for checkpoints, and half an interval for
 * each failure (Young's first-order model, of which the interval is to be the least). */
static double lost(double apart, double stall, double mtbf)
{
    return stall / apart + (apart + stall) / 2 / mtbf;
}

static void they_lose_least(void **state)
{
    (void)state;
    for (double stall = 0.01; stall < 100; stall *= 7)
        for (double mtbf = 3600; mtbf < 1e6; mtbf *= 5) {
            double apart = xmpi_checkpoints_apart(stall, 0, mtbf);
            assert_true(lost(apart, stall, mtbf) <= 1.01 * lost(0.7 * apart, stall, mtbf));
            assert_true(lost(apart, stall, mtbf) <= 1.01 * lost(1.4 * apart, stall, mtbf));
        }
}

static void one_is_written_before_the_next(void **state)
{
    (void)state;
    assert_true(xmpi_checkpoints_apart(1e-3, 300, 3600) >= 300);
    assert_true(xmpi_checkpoints_apart(0, 0, 3600) >= 0);
}

static void what_costs_more_than_failures_is_not_done_more_often_than_they_come(void **state)
{
    (void)state;
    assert_true(fabs(xmpi_checkpoints_apart(5000, 0, 1000) - 1000) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_lose_least),
        cmocka_unit_test(one_is_written_before_the_next),
        cmocka_unit_test(what_costs_more_than_failures_is_not_done_more_often_than_they_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

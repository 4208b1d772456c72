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

/* At any time half of the run is saved, but for what checkpoints cost. */
static void a_run_that_has_just_begun_loses_half_of_it_at_most(void **state)
{
    (void)state;
    const double stall = 0.01, writing = 0.1, mtbf = 86400;
    double steady = xmpi_checkpoints_apart(stall, writing, mtbf), taken = 0.3;
    int before = 0;
    assert_true(fabs(xmpi_checkpoints_apart_after(taken, stall, writing, mtbf) - 1) < 1e-9);
    for (double apart = 0; apart < steady; taken += apart, before++) {
        apart = xmpi_checkpoints_apart_after(taken, stall, writing, mtbf);
        assert_true(apart >= 100 * stall && apart >= 2 * writing);
        assert_true(apart <= fmax(1, taken) && apart <= steady);
    }
    assert_true(before < 10);
    assert_true(fabs(xmpi_checkpoints_apart_after(1, 5000, 0, 1000) - 1000) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_lose_least),
        cmocka_unit_test(a_run_that_has_just_begun_loses_half_of_it_at_most),
        cmocka_unit_test(one_is_written_before_the_next),
        cmocka_unit_test(what_costs_more_than_failures_is_not_done_more_often_than_they_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

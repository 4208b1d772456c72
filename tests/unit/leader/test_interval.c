/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the length of intervals, and of when the first one is that may be decided on. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "decide/leader/interval.h"

static const double th1 = 0.05;

static int64_t next_of(int64_t iterations, double seconds, double deviation, double cost,
                       double longest)
{
    xmpi_sample_t sample[2] = {{.iterations = iterations,
                                .wall = seconds * (double)iterations,
                                .computation = seconds * (double)iterations,
                                .deviation = seconds * deviation}};
    sample[1] = sample[0];
    sample[0].deviation = 0;
    xmpi_interval_t interval = {sample, 2, cost, th1, longest, false, false, 0};
    return xmpi_interval_next(&interval);
}

/* After an interval of one iteration of a millisecond, where one member takes SHARE as long as the
 * other. */
static int64_t next_of_uneven(double share, double cost, bool first)
{
    xmpi_sample_t sample[2] = {{.iterations = 1, .wall = 1e-3, .computation = 1e-3},
                               {.iterations = 1, .wall = 1e-3, .computation = share * 1e-3}};
    xmpi_interval_t interval = {sample, 2, cost, th1, 0, first, false, 0};
    return xmpi_interval_next(&interval);
}

/* The first decision comes the sooner where much is lost until then. */
static void far_from_balance_the_first_decision_comes_soon(void **state)
{
    (void)state;
    assert_int_equal(next_of_uneven(0.2, 20e-6, true), 5);
    assert_int_equal(next_of_uneven(0.2, 50e-6, true), 10); /* the cost */
    assert_int_equal(next_of_uneven(0.2, 20e-6, false), 20);
    assert_int_equal(next_of_uneven(1 - th1, 20e-6, true), 20);
}

static void intervals_are_long_enough_and_short_enough(void **state)
{
    (void)state;
    assert_int_equal(next_of(1000, 1e-3, 0, 0, 0), 20);       /* the clock */
    assert_int_equal(next_of(1000, 1e-3, 0, 100e-6, 0), 200); /* the cost */
    assert_int_equal(next_of(1000, 1e-3, 0.25, 0, 0), 400);   /* the noise */
    assert_int_equal(next_of(8000, 1e-3, 5, 1, 0), 5000);     /* people */
    assert_int_equal(next_of(8000, 1e-3, 5, 1, 0.5), 500);    /* nodes that are withdrawn */
    assert_int_equal(next_of(3, 10, 5, 1, 0), 1);             /* never less than one */
    assert_int_equal(next_of(1, 1e-3, 0.25, 0, 0), 20);       /* grows, but not at once */
    assert_int_equal(next_of(20, 1e-3, 0.25, 0, 0), 40);
    assert_int_equal(next_of(4, 0, 0, 0, 0), 8); /* a clock that says nothing */
}

/* After which of the intervals may be decided; 0: after none. */
static int warm_after(int intervals, const int64_t *iterations, const double *seconds)
{
    xmpi_warm_up_t warm_up = {0};
    int first = 0;
    for (int i = 0; i < intervals; i++) {
        xmpi_sample_t sample = {.iterations = iterations[i],
                                .wall = (double)iterations[i] * seconds[i]};
        bool over = xmpi_warm_up_is_over(&warm_up, &sample);
        assert_true(over || first == 0); /* it does not become cold again */
        first = over && first == 0 ? i + 1 : first;
    }
    return first;
}

static void warming_up_tells_nothing(void **state)
{
    static const int64_t few[] = {1, 1, 1, 1}, more[] = {1, 2, 4, 60, 100};
    (void)state;
    assert_int_equal(warm_after(2, few, (double[]){0.01, 0.01}), 2);
    assert_int_equal(warm_after(2, few, (double[]){0.01, 0.02}), 2);
    assert_int_equal(warm_after(1, few, (double[]){0.1}), 0);
    assert_int_equal(warm_after(1, few, (double[]){1}), 1); /* cold for a part of it at most */
    assert_int_equal(warm_after(3, few, (double[]){0.1, 0.05, 0.05}), 3);
    assert_int_equal(warm_after(4, few, (double[]){0.1, 0.07, 0.05, 0.03}), 4);
    assert_int_equal(warm_after(5, more, (double[]){11e-3, 6e-3, 4e-4, 4e-4, 2e-4}), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_long_enough_and_short_enough),
        cmocka_unit_test(far_from_balance_the_first_decision_comes_soon),
        cmocka_unit_test(warming_up_tells_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

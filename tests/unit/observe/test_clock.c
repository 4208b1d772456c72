/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the monitor's clock. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "observe/clock.h"

static double monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static int forget(void **state)
{
    (void)state;
    memset(&xmpi_clock, 0, sizeof xmpi_clock);
    return 0;
}

/* Whatever the machine is doing: each reading lies between two of the clock that it stands for. */
static void seconds_are_seconds(void **state)
{
    (void)state;
    xmpi_clock_tune();
    rest();
    xmpi_clock_tune();
    double earliest = monotonic(), start = xmpi_clock_wall(), latest = monotonic();
    rest();
    double earliest_end = monotonic(), end = xmpi_clock_wall(), latest_end = monotonic();
    double slack = 0.002 * (end - start);
    assert_true(end - start >= earliest_end - latest - slack);
    assert_true(end - start <= latest_end - earliest + slack);
}

static void no_reading_is_before_another(void **state)
{
    double last = xmpi_clock_wall();
    (void)state;
    for (int i = 0; i < 200000; i++) {
        if (i % 20000 == 0)
            xmpi_clock_tune();
        if (i == 40000)
            rest(); /* the rate becomes known */
        double now = xmpi_clock_wall();
        assert_true(now >= last);
        last = now;
    }
}

static void without_a_counter_it_is_the_system_s(void **state)
{
    (void)state;
    xmpi_clock.begun = true;
    rest();
    xmpi_clock_tune();
    assert_true(xmpi_clock.seconds_per_tick == 0);
    double before = monotonic(), now = xmpi_clock_wall();
    assert_true(now >= before && now <= monotonic());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(seconds_are_seconds, forget),
        cmocka_unit_test_setup(no_reading_is_before_another, forget),
        cmocka_unit_test_setup(without_a_counter_it_is_the_system_s, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of what the monitor's watching of computation takes, with clocks of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "observe/clock.h"
#include "observe/monitor.h"

enum { CALLS = 100000 };

/* Seconds that watching may take, and two stretches in which nothing else would be left (the first
 * 16 of an interval are always watched). */
static const double share = 0.0005, between = 0.5e-3;

static double now, reading, spent, waited; /* WAITED: seconds in which others had the CPU */
xmpi_clock_t xmpi_clock;

void xmpi_clock_tune(void)
{
}

double xmpi_clock_wall(void)
{
    return now;
}

/* A reading that takes its time. */
double xmpi_clock_cpu(void)
{
    now += reading;
    spent += reading;
    return now - waited;
}

static int forget(void **state)
{
    (void)state;
    memset(&xmpi_monitor, 0, sizeof xmpi_monitor);
    reading = 0.3e-6;
    waited = 0;
    return 0;
}

static void call(void)
{
    now += between;
    xmpi_call_t made = xmpi_monitor_enter();
    assert_true(made.counted);
    now += 1e-6;
    xmpi_monitor_leave(made, XMPI_CLASS_P2P, XMPI_KIND_SEND, 2, 8);
}

/* The share of an interval of so many CALLS that goes into watching. */
static double interval(int calls)
{
    xmpi_monitor_start(&xmpi_monitor);
    double start = now;
    spent = 0;
    for (int i = 0; i < calls; i++)
        call();
    xmpi_monitor.on = false;
    return spent / (now - start);
}

static void watching_takes_its_share(void **state)
{
    (void)state;
    double measured = interval(CALLS);
    assert_true(measured > 0.5 * share && measured < 1.2 * share);
}

/* The program has used the caches for itself, from its second interval on. */
static void a_reading_that_becomes_slow_is_made_less_often(void **state)
{
    (void)state;
    interval(100);
    reading = 5e-6;
    assert_true(interval(CALLS) < 1.2 * share);
}

static void a_reading_that_is_disturbed_is_no_reason_to_stop(void **state)
{
    (void)state;
    interval(100);
    reading = 1e-3;
    interval(1);
    reading = 0.3e-6;
    interval(100);
    assert_true(interval(CALLS) > 0.5 * share);
}

/* The one long stretch among thousands of short ones is hardly ever watched. */
static void a_load_in_one_long_stretch_is_seen(void **state)
{
    (void)state;
    xmpi_sample_t sample;
    xmpi_monitor_start(&xmpi_monitor);
    for (int i = 0; i < 2000; i++) {
        now += 1e-6;
        xmpi_call_t made = xmpi_monitor_enter();
        xmpi_monitor_leave(made, XMPI_CLASS_IO, XMPI_KIND_FILE, 0, 0);
        if (i == 1000) {
            now += 0.1;
            waited += 0.05;
        }
    }
    xmpi_monitor_sample(&xmpi_monitor, 1, &sample);
    assert_true(sample.computation > 0.1);
    assert_true(sample.cpu < 0.55 * sample.computation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(watching_takes_its_share, forget),
        cmocka_unit_test_setup(a_reading_that_becomes_slow_is_made_less_often, forget),
        cmocka_unit_test_setup(a_reading_that_is_disturbed_is_no_reason_to_stop, forget),
        cmocka_unit_test_setup(a_load_in_one_long_stretch_is_seen, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What the demonstration makes of a trace: its figures and its refusals. */
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/demonstration/demo_trace.c"

static double speed(const char *class)
{
    return strcmp(class, "slow") == 0 ? 1 : strcmp(class, "fast") == 0 ? 3 : 0;
}

#define START "{\"event\":\"start\",\"version\":1,\"time\":0,\"members\":2}\n"
#define SLOW "{\"node\":\"a\",\"class\":\"slow\",\"count\":5}"
#define FAST "{\"node\":\"b\",\"class\":\"fast\",\"count\":5}"
#define INTERVAL(n, s, m)                                                                          \
    "{\"event\":\"interval\",\"iterations\":" #n ",\"seconds\":" #s ",\"members\":[" m "]}\n"
#define STEP(kind, at, from, to, s, outcome)                                                       \
    "{\"event\":\"reconfiguration\",\"iteration\":" #at ",\"kind\":\"" kind "\",\"from\":" #from   \
    ",\"to\":" #to ",\"seconds\":" #s ",\"outcome\":\"" outcome "\"}\n"
#define END(n) "{\"event\":\"end\",\"iterations\":" #n "}\n"

static int near(double value, double expected)
{
    return fabs(value - expected) < 1e-12;
}

static const char *const whole_trace = START INTERVAL(10, 5.0, SLOW "," FAST)
    STEP("rebalance", 10, 2, 2, 0.5, "done") INTERVAL(10, 2.5, SLOW "," FAST)
        STEP("grow", 20, 2, 3, 9, "called off") STEP("grow", 25, 2, 3, 0.25, "done")
            INTERVAL(20, 4, SLOW "," FAST "," FAST) "{\"event\":\"something new\"}\n\n" END(45);

static void figures_of_a_trace(void **state)
{
    trace_t trace;
    char why[TRACE_WHY];
    (void)state;
    assert_int_equal(trace_read(whole_trace, speed, &trace, why), 0);
    assert_int_equal(trace.iterations, 45);
    assert_true(near(trace.before, 0.5));
    assert_true(near(trace.after, 0.2));
    assert_true(near(trace.work, 20 / 4.0 + 25 / 7.0));
    assert_int_equal(trace.members, 3);
    assert_int_equal(trace.steps, 2);
    assert_int_equal(trace.called_off, 1);
    assert_true(near(trace.step_seconds, 0.75));
    assert_string_equal(trace.step[1].kind, "grow");
    assert_int_equal(trace.step[1].iteration, 25);
}

static void a_step_is_found_by_kind_and_members(void **state)
{
    trace_t trace;
    char why[TRACE_WHY];
    (void)state;
    assert_int_equal(trace_read(whole_trace, speed, &trace, why), 0);
    assert_true(trace_has(&trace, "grow", 3));
    assert_false(trace_has(&trace, "grow", 2));
    assert_false(trace_has(&trace, "shrink", 3));
}

static void what_was_called_off_is_no_step(void **state)
{
    trace_t trace;
    char why[TRACE_WHY];
    (void)state;
    assert_int_equal(trace_read(START INTERVAL(1, 1, SLOW) STEP("grow", 1, 1, 2, 1, "called off")
                                    END(1),
                                speed, &trace, why),
                     0);
    assert_int_equal(trace.steps, 0);
    assert_false(trace_has(&trace, "grow", 2));
}

static void more_steps_than_are_kept_are_counted(void **state)
{
    enum { MANY = 3 * TRACE_STEPS };
    const char *step = STEP("rebalance", 1, 1, 1, 0.5, "done");
    char *text = calloc(1, MANY * strlen(step) + 1000);
    trace_t trace;
    char why[TRACE_WHY];
    (void)state;
    assert_non_null(text);
    strcpy(text, START INTERVAL(1, 1, SLOW));
    for (int i = 0; i < MANY; i++)
        strcat(text, step);
    strcat(text, END(1));
    assert_int_equal(trace_read(text, speed, &trace, why), 0);
    assert_int_equal(trace.steps, MANY);
    assert_true(near(trace.step_seconds, MANY * 0.5));
    assert_true(trace_has(&trace, "rebalance", 1));
    free(text);
}

static const struct {
    const char *text, *expected;
} bad[] = {
    {"", "the trace has no end"},
    {START INTERVAL(1, 1, SLOW), "the trace has no end"},
    {START "{\"event\":\n", "line 2 of the trace: this is no event"},
    {START "[1]\n", "line 2 of the trace: this is no event"},
    {"{\"time\":1}\n", "line 1 of the trace: this is no event"},
    {START INTERVAL(0, 1, SLOW), "line 2 of the trace: an interval has no iterations"},
    {START INTERVAL(1.5, 1, SLOW), "line 2 of the trace: there is no whole number iterations"},
    {START INTERVAL(1, "x", SLOW), "line 2 of the trace: there is no number seconds"},
    {START INTERVAL(1, -1, SLOW), "line 2 of the trace: there is no number seconds"},
    {START INTERVAL(1, 1, ""), "line 2 of the trace: there are no members"},
    {START INTERVAL(1, 1, SLOW ",{\"class\":\"odd\"}"), "a member has the unknown class odd"},
    {START INTERVAL(1, 1, "{\"node\":\"a\"}"), "a member has the unknown class"},
    {START STEP("grow", 1, 2, "x", 1, "done"), "line 2 of the trace: there is no number to"},
    {START END(3), "line 2 of the trace: it ends without an interval"},
    {START INTERVAL(5, 1, SLOW) END(3), "line 3 of the trace: it ends with fewer iterations"},
};

static void bad_traces_are_refused_with_their_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        trace_t trace;
        char why[TRACE_WHY];
        assert_int_equal(trace_read(bad[i].text, speed, &trace, why), -1);
        if (strstr(why, bad[i].expected) == NULL)
            fail_msg("expected \"%s\", got \"%s\"", bad[i].expected, why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_a_trace),
        cmocka_unit_test(a_step_is_found_by_kind_and_members),
        cmocka_unit_test(what_was_called_off_is_no_step),
        cmocka_unit_test(more_steps_than_are_kept_are_counted),
        cmocka_unit_test(bad_traces_are_refused_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of goals, as people write them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include <time.h>

#include "settings/goal_text.h"

static void goals_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        xmpi_goal_kind_t kind;
        double value;
    } cases[] = {{"", XMPI_GOAL_NONE, 0},
                 {"30%", XMPI_GOAL_SAVE, 0.3},
                 {"0%", XMPI_GOAL_SAVE, 0},
                 {"90", XMPI_GOAL_SECONDS, 90},
                 {"90s", XMPI_GOAL_SECONDS, 90},
                 {"10m", XMPI_GOAL_SECONDS, 600},
                 {"1.5h", XMPI_GOAL_SECONDS, 5400},
                 {"1h30m", XMPI_GOAL_SECONDS, 5400},
                 {"1d1s", XMPI_GOAL_SECONDS, 86401},
                 {"11574d", XMPI_GOAL_SECONDS, 999993600}};
    static const char *const wrong[] = {"100%",       "-5%",
                                        "30 %",       "m",
                                        "10x",        "10m5",
                                        "1m1h",       "0",
                                        "0s",         "nan",
                                        "inf",        "1e999s",
                                        "25:00",      "1999-01-01T00:00",
                                        "10m ",       "%",
                                        "1e99m",      "11575d",
                                        "1000000001", "2100-01-01T00:00"};
    xmpi_goal_t goal;
    xmpi_error_t error;
    time_t now = time(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (xmpi_goal_parse(cases[i].text, now, &goal, &error) != XMPI_OK)
            fail_msg("%s", error.text);
        assert_int_equal(goal.kind, cases[i].kind);
        assert_true(goal.value - cases[i].value < 1e-9 && cases[i].value - goal.value < 1e-9);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (xmpi_goal_parse(wrong[i], now, &goal, &error) != XMPI_ERR_INPUT)
            fail_msg("%s is taken for a goal", wrong[i]);
        assert_non_null(strstr(error.text, "XMPI_GOAL="));
        assert_int_equal(goal.kind, XMPI_GOAL_NONE);
    }
}

static void deadlines_are_still_to_come(void **state)
{
    (void)state;
    xmpi_goal_t goal;
    xmpi_error_t error;
    struct tm noon = {.tm_year = 130, .tm_mon = 4, .tm_mday = 31, .tm_hour = 12, .tm_isdst = -1};
    time_t now = mktime(&noon);
    assert_int_equal(xmpi_goal_parse("2030-05-31T18:00", now, &goal, &error), XMPI_OK);
    assert_int_equal(goal.kind, XMPI_GOAL_DEADLINE);
    assert_true(goal.value == (double)now + 6 * 3600);
    assert_int_equal(xmpi_goal_parse("12:00:30", now, &goal, &error), XMPI_OK);
    assert_true(goal.value == (double)now + 30);
    assert_int_equal(xmpi_goal_parse("11:00", now, &goal, &error), XMPI_OK);
    assert_true(goal.value > (double)now + 21 * 3600); /* tomorrow */
    assert_int_equal(xmpi_goal_parse("2030-05-31T11:00", now, &goal, &error), XMPI_ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goals_are_read),
        cmocka_unit_test(deadlines_are_still_to_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of what people are told about the next decision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "decide/policies/catalogue.h"
#include "decide/leader/outlook.h"

static xmpi_resources_t resources = {.classes = 2, .class_name = {"any", "C8"}};
static xmpi_action_t actions[] = {{XMPI_ACTION_SPAWN, 2, 1, 30, 1},
                                  {XMPI_ACTION_REMOVE, 1, XMPI_ANY_CLASS, 90, 2}};
static xmpi_schedule_t schedule = {.actions = 2, .action = actions}, none = {.actions = 0};

static void assert_outlook(const xmpi_outlook_t *outlook, const char *words)
{
    char text[160];
    xmpi_outlook(outlook, text, sizeof text);
    assert_string_equal(text, words);
}

static xmpi_outlook_t after(int64_t iteration, const xmpi_policy_t *policy)
{
    return (xmpi_outlook_t){.policy = policy,
                            .schedule = &none,
                            .resources = &resources,
                            .iteration = iteration,
                            .next = iteration + 10,
                            .kept = ""};
}

static void schedule_is_foretold(void **state)
{
    xmpi_outlook_t outlook = after(20, &xmpi_policy_smp);
    (void)state;
    outlook.schedule = &schedule;
    assert_outlook(&outlook, "2 join (C8), by the schedule");
    outlook.next = 29;
    assert_outlook(&outlook, "no change; by the schedule 2 join (C8) at iteration 30");
    outlook.iteration = 30; /* the first action is behind */
    assert_outlook(&outlook, "no change; by the schedule 1 leave (any class) at iteration 90");
    outlook.iteration = 90;
    assert_outlook(&outlook, "by what is measured until then");
    outlook = after(20, &xmpi_policy_balance); /* which follows no schedule */
    outlook.schedule = &schedule;
    assert_outlook(&outlook, "by what is measured until then");
}

static void reason_of_the_last_decision_is_told(void **state)
{
    xmpi_outlook_t outlook = after(20, &xmpi_policy_balance);
    (void)state;
    outlook.kept = "computation times differ by 1.2 %: tolerated";
    assert_outlook(&outlook, "no change (now: computation times differ by 1.2 %: tolerated)");
    outlook.may_grow_from = 40;
    assert_outlook(&outlook, "no new processes are asked for before iteration 40");
    outlook.joiners = 3;
    assert_outlook(&outlook, "3 join when their processes are there");
    outlook = after(20, &xmpi_policy_random);
    assert_outlook(&outlook, "a change at random");
    outlook = after(20, NULL);
    assert_outlook(&outlook, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedule_is_foretold),
        cmocka_unit_test(reason_of_the_last_decision_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The example cg compiled with xmpicc, its makefile as it is: whatever is done to it while it runs,
 * its solution is that of the plain program within 1e-12 of its size. */
#define _GNU_SOURCE
#include "cluster/examples/adaptive.h"

#define OPTIONS "-t 1e-14 "

static const double NEAR = 1e-12;

static trace_t run_and_compare(const char *dir, int processes, const char *settings)
{
    adaptive_t run = {dir, "cg", OPTIONS "-o solution system.mtx", 8};
    char *output;
    trace_t trace = adaptive_run(&run, processes, settings, &output);
    assert_non_null(strstr(output, "converged yes\n"));
    assert_near(dir, "plain", "solution", NEAR);
    free(output);
    return trace;
}

static void with_adaptation_off_it_is_the_plain_program(void **state)
{
    must_succeed(command_shell(*state, LIMIT,
                               "XMPI_POLICY=off '%s/tests/cluster/run' -m machines -n 2 -- "
                               "adaptive/cg " OPTIONS "-o off system.mtx && cmp off plain",
                               source_dir()));
}

static void balancing_keeps_the_solution(void **state)
{
    trace_t trace = run_and_compare(*state, 4, "XMPI_POLICY=balance XMPI_IMBALANCE=0.01");
    assert_true(trace.iterations > 50);
}

static void random_plans_keep_it_with_new_processes(void **state)
{
    random_plans_with_new_processes(*state, run_and_compare);
}

static void random_plans_keep_it_with_spare_processes(void **state)
{
    random_plans_with_spare_processes(*state, run_and_compare);
}

static void a_schedule_is_followed(void **state)
{
    follow_a_schedule(*state, run_and_compare, 20);
}

static void bad_input_ends_the_adaptive_program_alike(void **state)
{
    must_succeed(command_shell(*state, LIMIT, "head -c 1000 system.mtx >short.mtx"));
    command_t command =
        command_shell(*state, LIMIT,
                      "'%s/tests/cluster/run' -m machines -n 3 -- adaptive/cg -o refused short.mtx",
                      source_dir());
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.err, "cg: short.mtx"));
    assert_false(exists(*state, "refused"));
    command_free(&command);
}

static int set_up(void **state)
{
    char *dir = scratch_make();
    *state = dir;
    adaptive_set_up(dir, "cg");
    must_succeed(command_shell(dir, LIMIT, "./generate -n 400 system.mtx"));
    free(output_of(dir, "cg", 2, OPTIONS "-o plain system.mtx"));
    return 0;
}

static int tear_down(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_adaptation_off_it_is_the_plain_program),
        cmocka_unit_test(balancing_keeps_the_solution),
        cmocka_unit_test(random_plans_keep_it_with_new_processes),
        cmocka_unit_test(random_plans_keep_it_with_spare_processes),
        cmocka_unit_test(a_schedule_is_followed),
        cmocka_unit_test(bad_input_ends_the_adaptive_program_alike),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The example jacobi compiled with xmpicc, its makefile as it is: whatever is done to it while it
 * runs, its solution is that of the plain program to the last bit. */
#define _GNU_SOURCE
#include "cluster/examples/adaptive.h"

static trace_t run_and_compare(const char *dir, int processes, const char *settings)
{
    adaptive_t run = {dir, "jacobi", "-o solution system", 10};
    char *output;
    trace_t trace = adaptive_run(&run, processes, settings, &output);
    assert_same_files(dir, "solution", "expected");
    free(output);
    return trace;
}

static void with_adaptation_off_it_is_the_plain_program(void **state)
{
    must_succeed(command_shell(*state, LIMIT,
                               "XMPI_POLICY=off '%s/tests/cluster/run' -m machines -n 3 -- "
                               "adaptive/jacobi -o off system && cmp off expected",
                               source_dir()));
}

static void balancing_changes_no_bit(void **state)
{
    trace_t trace = run_and_compare(*state, 4, "XMPI_POLICY=balance");
    assert_true(trace.iterations > 100);
}

static void random_plans_change_no_bit_with_new_processes(void **state)
{
    random_plans_with_new_processes(*state, run_and_compare);
}

static void random_plans_change_no_bit_with_spare_processes(void **state)
{
    random_plans_with_spare_processes(*state, run_and_compare);
}

static void a_schedule_is_followed(void **state)
{
    follow_a_schedule(*state, run_and_compare, 40);
}

static void bad_input_ends_the_adaptive_program_alike(void **state)
{
    command_t command = command_shell(*state, LIMIT,
                                      "head -c 1000 system >short; '%s/tests/cluster/run' "
                                      "-m machines -n 3 -- adaptive/jacobi -o refused short; "
                                      "status=$?; ! test -e refused && exit $status",
                                      source_dir());
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.err, "jacobi: short: is truncated: it has 1000 bytes"));
    command_free(&command);
}

static int set_up(void **state)
{
    char *dir = scratch_make();
    *state = dir;
    adaptive_set_up(dir, "jacobi");
    must_succeed(command_shell(dir, LIMIT, "./generate -n 61 system"));
    free(output_of(dir, "jacobi", 2, "-o expected system"));
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
        cmocka_unit_test(balancing_changes_no_bit),
        cmocka_unit_test(random_plans_change_no_bit_with_new_processes),
        cmocka_unit_test(random_plans_change_no_bit_with_spare_processes),
        cmocka_unit_test(a_schedule_is_followed),
        cmocka_unit_test(bad_input_ends_the_adaptive_program_alike),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

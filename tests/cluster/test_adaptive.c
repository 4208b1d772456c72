/* SPDX-License-Identifier: BSD-3-Clause
 * The example jacobi compiled with xmpicc, its makefile as it is: whatever is done to it while it
 * runs, its solution is that of the plain program to the last bit. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/demo_cluster.c"
#include "cluster/demo_trace.c"
#include "support/command.h"

enum { LIMIT = 120 };

static void must_succeed(const char *what, command_t command)
{
    if (command.status != 0)
        fail_msg("%s: exit status %d\n%s%s", what, command.status, command.out, command.err);
    command_free(&command);
}

static char *content(const char *dir, const char *name)
{
    char *path, *text;
    if (asprintf(&path, "%s/%s", dir, name) < 0)
        abort();
    text = read_file(path, NULL);
    if (text == NULL)
        fail_msg("%s: there is no such file", path);
    free(path);
    return text;
}

static void put(const char *dir, const char *name, const char *text)
{
    char *path;
    if (asprintf(&path, "%s/%s", dir, name) < 0)
        abort();
    write_file(path, text);
    free(path);
}

/* Runs the program on PROCESSES of the six PEs with SETTINGS, and compares its solution. */
static trace_t run_and_compare(const char *dir, int processes, const char *settings)
{
    trace_t trace;
    char why[TRACE_WHY];
    must_succeed(settings,
                 command_shell(dir, LIMIT,
                               "rm -f solution trace; env XMPI_TRACE=trace XMPI_COUNTER=work "
                               "XMPI_INTERVAL=10 %s '%s/tests/cluster/run' -m machines -n %d -- "
                               "adaptive/jacobi -o solution system",
                               settings, source_dir(), processes));
    char *expected = content(dir, "expected"), *solution = content(dir, "solution");
    if (strcmp(solution, expected) != 0)
        fail_msg("%s: the solution differs", settings);
    char *text = content(dir, "trace");
    if (trace_read(text, cluster_speed, &trace, why) != 0)
        fail_msg("%s: %s", settings, why);
    free(expected);
    free(solution);
    free(text);
    return trace;
}

static void with_adaptation_off_it_is_the_plain_program(void **state)
{
    const char *dir = *state;
    must_succeed("off", command_shell(dir, LIMIT,
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
    int steps = 0;
    for (char seed = '1'; seed <= '3'; seed++) {
        char settings[] = "XMPI_POLICY=random XMPI_BACKEND=spawn XMPI_SEED=N";
        settings[sizeof settings - 2] = seed;
        steps += run_and_compare(*state, 2, settings).steps;
    }
    assert_true(steps > 10);
}

static void random_plans_change_no_bit_with_spare_processes(void **state)
{
    int steps = 0;
    for (char seed = '1'; seed <= '3'; seed++) {
        char settings[] = "XMPI_POLICY=random XMPI_BACKEND=pool XMPI_ACTIVE=3 XMPI_SEED=N";
        settings[sizeof settings - 2] = seed;
        steps += run_and_compare(*state, 6, settings).steps;
    }
    assert_true(steps > 10);
}

static void a_schedule_is_followed(void **state)
{
    put(*state, "schedule", "spawn 1 C6 40\nspawn 2 any 80\nremove 4 any 120\n");
    trace_t trace = run_and_compare(*state, 3,
                                    "XMPI_POLICY=schedule XMPI_SCHEDULE=schedule "
                                    "XMPI_BACKEND=spawn");
    assert_true(trace_has(&trace, "grow", 4));
    assert_true(trace_has(&trace, "grow", 6));
    assert_true(trace_has(&trace, "shrink", 2));
    assert_int_equal(trace.members, 2);
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

static int build_programs(void **state)
{
    char *dir = scratch_make(), *machines = cluster_machines();
    *state = dir;
    put(dir, "machines", machines);
    free(machines);
    must_succeed(
        "building",
        command_shell(dir, LIMIT,
                      "make -s -C '%s/examples/jacobi' CC='%s/bin/mpicc' BUILD=\"$PWD\" && "
                      "make -s -C '%s/examples/jacobi' CC='%s/bin/xmpicc' "
                      "BUILD=\"$PWD/adaptive\"",
                      source_dir(), build_dir(), source_dir(), build_dir()));
    must_succeed("the plain program",
                 command_shell(dir, LIMIT,
                               "./generate -n 61 system && '%s/tests/cluster/run' -m machines -n 2 "
                               "-- ./jacobi -o expected system",
                               source_dir()));
    return 0;
}

static int remove_programs(void **state)
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
    return cmocka_run_group_tests(tests, build_programs, remove_programs);
}

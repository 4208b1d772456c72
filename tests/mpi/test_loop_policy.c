/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the clause policy(...) of loops: whose policy holds in which loop. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

enum { LIMIT = 120 };

static char *dir;

static int make_dir(void **state)
{
    (void)state;
    dir = scratch_make();
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* The program with this clause, as NAME. */
static void compile(const char *clause, const char *name)
{
    const char *sanitize = getenv("SANITIZE_FLAGS");
    command_t made = command_shell(
        dir, LIMIT,
        "sed 's/ POLICY / %s /' '%s/tests/mpi/programs/loop_policies.c' >%s.c && "
        "'%s/bin/xmpicc' -O1 %s %s.c -o %s",
        clause, source_dir(), name, build_dir(), sanitize != NULL ? sanitize : "", name, name);
    if (made.status != 0)
        fail_msg("status %d: %s", made.status, made.err);
    command_free(&made);
}

static command_t run(const char *settings, const char *name)
{
    return command_shell(dir, LIMIT,
                         "XMPI_TRACE=t XMPI_MAX=2 %s '%s/bin/mpiexec' -n 2 ./%s && "
                         "grep -o '\"event\":\"start\".*' t | grep -o '\"policy\":\"[a-z]*'",
                         settings, build_dir(), name);
}

/* The policies of the two loops. */
static void assert_policies(const char *settings, const char *first, const char *second)
{
    char expected[128];
    command_t command = run(settings, "program");
    snprintf(expected, sizeof expected, "240\n\"policy\":\"%s\n\"policy\":\"%s\n", first, second);
    if (command.status != 0 || strcmp(command.out, expected) != 0)
        fail_msg("%s: status %d, \"%s\" instead of \"%s\"\n%s", settings, command.status,
                 command.out, expected, command.err);
    command_free(&command);
}

static void a_loop_has_the_policy_of_its_pragma_unless_the_user_says_otherwise(void **state)
{
    (void)state;
    compile("policy(hpmp, tolerance(0.5))", "program");
    assert_policies("", "hpmp", "balance");
    assert_policies("XMPI_POLICY=balance", "balance", "balance");
    assert_policies("XMPI_POLICY=amp XMPI_GOAL=1h", "amp", "amp");
    assert_policies("XMPI_TOLERANCE=0.1", "hpmp", "balance");
}

/* What has no effect is said. */
static void settings_that_do_nothing_here_are_told(void **state)
{
    (void)state;
    compile("policy(hpmp, tolerance(0.5))", "program");
    command_t command = run("XMPI_GOAL=1h XMPI_NODES=3", "program");
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.err, "the policy hpmp does not work towards the goal"));
    assert_non_null(strstr(command.err, "XMPI_NODES=3: nobody can be asked for nodes here"));
    command_free(&command);
    command = run("XMPI_POLICY=amp XMPI_GOAL=1h", "program");
    assert_null(strstr(command.err, "does not work towards"));
    assert_null(strstr(command.err, "XMPI_NODES"));
    command_free(&command);
}

static void a_goal_is_told_as_it_was_asked_for(void **state)
{
    (void)state;
    command_t command = run("XMPI_POLICY=amp XMPI_GOAL=1h XMPI_ITERATIONS=20", "program");
    if (strstr(command.err, " s after the start, the goal was 3600 s (-") == NULL)
        fail_msg("status %d: %s", command.status, command.err);
    command_free(&command);
}

/* An MPI that aborts a job may lose what its processes said last: then it is asked again. */
static void assert_ends(const char *settings, const char *name, const char *why)
{
    enum { TRIES = 10 };
    for (int i = 0; i < TRIES; i++) {
        command_t command = run(settings, name);
        bool silent = command.err[0] == '\0' && i < TRIES - 1;
        if (command.status == 0 || (strstr(command.err, why) == NULL && !silent))
            fail_msg("status %d, no \"%s\" in: %s", command.status, why, command.err);
        command_free(&command);
        if (!silent)
            return;
    }
}

static void values_that_cannot_be_used_end_the_program_in_a_line(void **state)
{
    (void)state;
    compile("policy(amp, goal(soon))", "soon");
    assert_ends("", "soon", "policy(...) of the pragma: XMPI_GOAL=soon: must be a time");
    compile("policy(amp)", "aimless");
    assert_ends("", "aimless", "policy(...) of the pragma: XMPI_POLICY=amp needs a goal");
    compile("policy(amp, goal(30%), constraint(cost))", "cheap");
    assert_ends("", "cheap", "policy(...) of the pragma: XMPI_CONSTRAINT=cost needs costs");
}

static void assert_said(const char *settings, const char *words)
{
    command_t command = run(settings, "program");
    bool said = strstr(command.err, "XMPI_MAX=") != NULL;
    if (command.status != 0 || said != (words != NULL) ||
        (said && strstr(command.err, words) == NULL))
        fail_msg("%s: status %d: %s", settings, command.status, command.err);
    command_free(&command);
}

/* Where nothing is said the limit can be what is meant. */
static void limits_that_cannot_be_meant_are_said(void **state)
{
    (void)state;
    assert_said("XMPI_MAX=1", "XMPI_MAX=1 is less than the 2 processes");
    assert_said("XMPI_MAX=999 XMPI_POLICY=hpmp", "XMPI_MAX=999 is more than the");
    assert_said("XMPI_MAX=999 XMPI_POLICY=balance", NULL);
    assert_said("XMPI_MAX=999 XMPI_POLICY=hpmp XMPI_BACKEND=pool", NULL);
    assert_said("XMPI_POLICY=hpmp", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_has_the_policy_of_its_pragma_unless_the_user_says_otherwise),
        cmocka_unit_test(limits_that_cannot_be_meant_are_said),
        cmocka_unit_test(settings_that_do_nothing_here_are_told),
        cmocka_unit_test(a_goal_is_told_as_it_was_asked_for),
        cmocka_unit_test(values_that_cannot_be_used_end_the_program_in_a_line),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

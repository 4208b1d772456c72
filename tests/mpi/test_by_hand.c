/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the adaptive loop by hand with the program of thesis Fig. 5.14: whatever the policy
 * does, every element is right in every iteration. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 100 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    int status = program_build(dir, "fig_5_14", "");
    return status != 0 ? status : program_build(dir, "dead_variable", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* Runs it; the number of members at the end. */
static int run(const char *settings, int processes, int size, int iterations)
{
    int end = 0, members = 0;
    command_t result =
        command_shell(dir, SECONDS,
                      "rm -f trace; XMPI_TRACE=trace XMPI_COUNTER=work XMPI_INTERVAL=5 %s "
                      "'%s'/bin/mpiexec -n %d ./fig_5_14 %d %d",
                      settings, build_dir(), processes, size, iterations);
    if (result.status != 0 || sscanf(result.out, "ok %d %d", &end, &members) != 2)
        fail_msg("%s: status %d: %s%s", settings, result.status, result.out, result.err);
    assert_int_equal(end, iterations);
    command_free(&result);
    return members;
}

/* How many reconfigurations of this kind were done. */
static int count_of(const char *kind)
{
    command_t result =
        command_shell(dir, SECONDS, "grep -c '\"kind\":\"%s\".*\"outcome\":\"done\"' trace", kind);
    int n = atoi(result.out);
    command_free(&result);
    return n;
}

static void without_adaptation_it_is_a_plain_program(void **state)
{
    (void)state;
    assert_int_equal(run("XMPI_POLICY=off", 3, 40, 20), 3);
}

static void a_schedule_is_followed(void **state)
{
    (void)state;
    char *path;
    command_t made =
        command_shell(dir, SECONDS, "printf 'spawn 3 any 10\\nremove 2 any 30\\n' >schedule; pwd");
    path = made.out;
    assert_int_equal(
        run("XMPI_POLICY=smp XMPI_SCHEDULE=schedule XMPI_MAX=5 XMPI_BACKEND=spawn", 2, 40, 60), 3);
    assert_int_equal(count_of("grow"), 1);
    assert_int_equal(count_of("shrink"), 1);
    free(path);
    free(made.err);
}

static void random_plans_leave_every_element_right(void **state)
{
    (void)state;
    int changes = 0;
    for (char seed = '1'; seed <= '4'; seed++) {
        char settings[] = "XMPI_POLICY=random XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_SEED=N";
        settings[sizeof settings - 2] = seed;
        run(settings, 2, 50, 100);
        changes += count_of("grow") + count_of("shrink") + count_of("exchange");
    }
    assert_true(changes > 10);
}

/* Who is removed by hand does not come back: the spares are used up. */
static void spares_join_and_are_removed(void **state)
{
    (void)state;
    run("XMPI_POLICY=random XMPI_BACKEND=pool XMPI_ACTIVE=2 XMPI_SEED=3", 6, 50, 100);
    assert_true(count_of("grow") + count_of("exchange") >= 1);
}

static void hpmp_grows_it(void **state)
{
    (void)state;
    int members = run("XMPI_POLICY=hpmp XMPI_BACKEND=pool XMPI_ACTIVE=2", 4, 400, 300);
    assert_int_equal(members, 4);
}

/* What a change wrote there would go into the frames of those who run now. */
static void a_variable_of_a_function_that_has_returned_is_refused(void **state)
{
    (void)state;
    command_t lives = command_shell(
        dir, SECONDS, "XMPI_POLICY=balance '%s'/bin/mpiexec -n 2 ./dead_variable 1", build_dir());
    command_t dead = command_shell(
        dir, SECONDS, "XMPI_POLICY=balance '%s'/bin/mpiexec -n 2 ./dead_variable", build_dir());
    assert_string_equal(lives.out, "ended\n");
    assert_int_equal(lives.status, 0);
    assert_int_not_equal(dead.status, 0);
    assert_string_equal(dead.out, "");
    assert_non_null(strstr(dead.err,
                           "was registered in a variable of a function that has returned; "
                           "register one that lives as long as the loop\n"));
    command_free(&lives);
    command_free(&dead);
}

/* The program that docs/library.md shows, as it says that it is built and run. */
static void the_program_of_its_page_is_right(void **state)
{
    (void)state;
    const char *sanitize = getenv("SANITIZE_FLAGS");
    command_t made = command_shell(
        dir, SECONDS,
        "sed -n '/^```c$/,/^```$/p' '%s'/docs/library.md | grep -v '^```' >page.c && "
        "'%s'/bin/mpicc -Wall -Werror %s page.c -o page -I'%s'/runtime/include -L'%s'/lib -lxmpi "
        "-Wl,-rpath,'%s'/lib",
        source_dir(), build_dir(), sanitize != NULL ? sanitize : "", source_dir(), build_dir(),
        build_dir());
    if (made.status != 0)
        fail_msg("%s", made.err);
    command_free(&made);
    command_t runs =
        command_shell(dir, SECONDS,
                      "XMPI_POLICY=off '%s'/bin/mpiexec -n 2 ./page && XMPI_TRACE=trace XMPI_MAX=4 "
                      "XMPI_POLICY=random XMPI_INTERVAL=10 '%s'/bin/mpiexec -n 2 ./page",
                      build_dir(), build_dir());
    if (runs.status != 0 || strcmp(runs.out, "699500\n699500\n") != 0)
        fail_msg("status %d: %s%s", runs.status, runs.out, runs.err);
    command_free(&runs);
    assert_true(count_of("grow") + count_of("shrink") > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_adaptation_it_is_a_plain_program),
        cmocka_unit_test(a_schedule_is_followed),
        cmocka_unit_test(random_plans_leave_every_element_right),
        cmocka_unit_test(spares_join_and_are_removed),
        cmocka_unit_test(hpmp_grows_it),
        cmocka_unit_test(a_variable_of_a_function_that_has_returned_is_refused),
        cmocka_unit_test(the_program_of_its_page_is_right),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

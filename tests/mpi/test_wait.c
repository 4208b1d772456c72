/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the waiting mode: asleep, every call gives what it gives otherwise. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 120 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    int status = program_build(dir, "wait_calls", "");
    status = status != 0 ? status : program_build(dir, "wait_odd", "");
    return status != 0 ? status : program_build(dir, "evolve", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static command_t run(const char *settings, int processes, const char *command)
{
    command_t result = command_shell(dir, SECONDS, "%s '%s'/bin/mpiexec -n %d %s", settings,
                                     build_dir(), processes, command);
    if (result.status != 0)
        fail_msg("%s %s: status %d: %s%s", settings, command, result.status, result.out,
                 result.err);
    return result;
}

static void calls_give_the_same_asleep(void **state)
{
    (void)state;
    for (int processes = 2; processes <= 5; processes++) {
        command_t plain = run("XMPI_POLICY=off", processes, "./wait_calls");
        command_t asleep = run("XMPI_WAIT=sleep", processes, "./wait_calls");
        assert_non_null(strstr(plain.out, "reduce_scatter"));
        assert_string_equal(asleep.out, plain.out);
        command_free(&plain);
        command_free(&asleep);
    }
}

/* (MPICH leaks a communicator where a message is longer than what has been posted for it.) */
static const char asleep_with_leaks[] = "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 XMPI_WAIT=sleep";

/* Also calls that fail, or that MPICH gets wrong when they are made of tests. */
static void odd_calls_give_the_same_asleep(void **state)
{
    (void)state;
    for (int processes = 2; processes <= 3; processes++) {
        command_t plain = run("XMPI_POLICY=off", processes, "./wait_odd");
        command_t asleep = run(asleep_with_leaks, processes, "./wait_odd");
        assert_non_null(strstr(plain.out, "naps beside a window 1 0\n"));
        assert_string_equal(asleep.out, plain.out);
        command_free(&plain);
        command_free(&asleep);
    }
}

/* Members come and go; who joins must wait as the others do. */
static void members_change_asleep(void **state)
{
    (void)state;
    static const char *const settings[][2] = {
        {"XMPI_WAIT=sleep XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_BACKEND=spawn XMPI_MAX=5", "3"},
        {"XMPI_WAIT=sleep XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_BACKEND=pool XMPI_ACTIVE=2", "5"},
        {"XMPI_WAIT=auto XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_BACKEND=pool XMPI_ACTIVE=1", "5"},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        command_t result = run(settings[i][0], settings[i][1][0] - '0', "./evolve 53 60");
        assert_int_equal(strncmp(result.out, "evolve: ok 60", 13), 0);
        command_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_give_the_same_asleep),
        cmocka_unit_test(odd_calls_give_the_same_asleep),
        cmocka_unit_test(members_change_asleep),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests that errors of MPI reach the program as they do without XMPI: through its error handlers,
 * which survive changes of the members and apply to joiners, as names do. */
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

enum { SECONDS = 120 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    int status = program_build(dir, "null_arguments", "-w -o watched");
    status = status != 0 ? status : program_build(dir, "null_arguments", "-w -DACTIVE");
    const char *sanitize = getenv("SANITIZE_FLAGS");
    command_t made = command_shell(
        dir, SECONDS, "'%s'/bin/xmpicc -g -O1 %s '%s'/tests/mpi/programs/handlers.c -o handlers",
        build_dir(), sanitize != NULL ? sanitize : "", source_dir());
    if (made.status != 0)
        fprintf(stderr, "%s", made.err);
    status = status != 0 ? status : made.status;
    command_free(&made);
    return status;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static command_t run(const char *settings, const char *command)
{
    command_t result =
        command_shell(dir, SECONDS, "%s '%s'/bin/mpiexec -n 3 %s", settings, build_dir(), command);
    if (result.status != 0)
        fail_msg("%s %s: status %d: %s%s", settings, command, result.status, result.out,
                 result.err);
    return result;
}

static void wrong_arguments_give_the_errors_of_mpi(void **state)
{
    (void)state;
    static const char *const runs[][2] = {{"", "./null_arguments"},
                                          {"XMPI_WAIT=sleep", "./null_arguments"},
                                          {"XMPI_TRACE=trace", "./watched"}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        command_t result = run(runs[i][0], runs[i][1]);
        assert_string_equal(result.out, "wrong: 0\nwrong: 0\nwrong: 0\n");
        command_free(&result);
    }
}

/* How many lines there are, all of which have to end with END. */
static int count_reports(char *text, const char *end)
{
    int lines = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *said = strchr(line, ':');
        assert_non_null(said);
        assert_string_equal(said, end);
        lines++;
    }
    return lines;
}

/* (The program keeps its communicators, as programs do.) */
static const char changing[] = "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 XMPI_CHECK=off "
                               "XMPI_POLICY=random XMPI_INTERVAL=2";

static void handlers_and_names_survive_changes(void **state)
{
    (void)state;
    static const char *const settings[] = {"XMPI_BACKEND=spawn XMPI_MAX=5",
                                           "XMPI_BACKEND=pool XMPI_ACTIVE=1"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (int fatal = 0; fatal < 2; fatal++) {
            char line[256];
            snprintf(line, sizeof line, "%s %s", changing, settings[i]);
            command_t result = run(line, fatal ? "./handlers fatal" : "./handlers");
            assert_true(count_reports(result.out, fatal ? ": 11111 MPI_COMM_WORLD second"
                                                        : ": 11111 first second") >= 4);
            command_free(&result);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_give_the_errors_of_mpi),
        cmocka_unit_test(handlers_and_names_survive_changes),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What holds for all commands: wrong usage is one line and status 2, help and version are had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/command.h"

enum { SECONDS = 60 };

static const char *const commands[] = {"xmpicc",  "xmpicxx",     "xmpifort",       "xmpirun",
                                       "xmpictl", "xmpi-report", "xmpi-calibrate", "xmpi-info",
                                       "xmpi-simulate", "xmpi-share"};
enum { COMMANDS = sizeof commands / sizeof *commands, COMPILERS = 3 }; /* which come first */

static command_t run(const char *name, const char *arguments)
{
    return command_shell("/", SECONDS, "PATH='%s'/bin:$PATH %s %s", build_dir(), name, arguments);
}

/* One line on standard error that has WORDS, nothing on standard output, and status 2. */
static void assert_misused(const char *name, const char *arguments, const char *words)
{
    command_t command = run(name, arguments);
    const char *end = strchr(command.err, '\n');
    if (command.status != 2 || command.out[0] != '\0' || end == NULL || end[1] != '\0' ||
        strncmp(command.err, name, strlen(name)) != 0 || strstr(command.err, words) == NULL)
        fail_msg("%s %s: status %d\n%s%s", name, arguments, command.status, command.out,
                 command.err);
    command_free(&command);
}

static void unknown_options_are_one_line(void **state)
{
    (void)state;
    for (int i = 0; i < COMPILERS; i++)
        assert_misused(commands[i], "--xmpi-frobnicate x.c", "--xmpi-frobnicate");
    for (int i = COMPILERS; i < COMMANDS; i++)
        assert_misused(commands[i], "--frobnicate x", "--frobnicate");
    assert_misused("xmpirun", "-n", "requires an argument");
    assert_misused("xmpictl", "--job", "requires an argument");
}

static void mistakes_are_one_line(void **state)
{
    (void)state;
    assert_misused("xmpirun", "", "no program to run");
    assert_misused("xmpirun", "-n none /bin/true", "expected a number");
    assert_misused("xmpirun", "-n 2 ./missing", "./missing: there is no such program");
    assert_misused("xmpirun", "-n 2 no-such-program", "no-such-program: there is no such program");
    assert_misused("xmpirun", "-n 2 /etc/passwd", "there is no such program");
    assert_misused("xmpictl", "", "no command");
    assert_misused("xmpictl", "status 1 2 3 4 5", "one word too many");
    assert_misused("xmpictl", "--as nobody-of-that-name connect", "there is no such user");
    assert_misused("xmpictl", "--as 4294967296 connect", "there is no such user");
    assert_misused("xmpi-simulate", "", "no scenario");
    assert_misused("xmpi-simulate", "--seeds 0 x", "expected a whole number");
    assert_misused("xmpi-report", "", "no trace");
    assert_misused("xmpi-report", "one two", "one trace at a time");
    assert_misused("xmpi-calibrate", "word", "nothing to be done");
    assert_misused("xmpi-calibrate", "-m mpiexec", "needs %n");
    assert_misused("xmpi-calibrate", "-o /nowhere/file", "/nowhere/file: No such file");
    assert_misused("xmpi-info", "word", "one word too many");
    assert_misused("xmpi-share", "word", "one word too many");
    assert_misused("xmpi-share", "--aim all", "expected equal, late, use or energy");
    assert_misused("xmpi-share", "--pes 0", "expected a number from 1");
    assert_misused("xmpi-share", "--pes 2 --keep 2", "there are 2 processors");
    assert_misused("xmpi-share", "--period nan", "expected a number from 0.01");
}

static void all_have_help_and_a_version(void **state)
{
    (void)state;
    for (int i = 0; i < COMMANDS; i++) {
        command_t help = run(commands[i], "--help");
        assert_int_equal(help.status, 0);
        assert_non_null(strstr(help.out, commands[i]));
        if (i > 0 && i < COMPILERS) { /* whose MPI may lack the language */
            command_free(&help);
            continue;
        }
        command_t version = run(commands[i], i == 0 ? "--xmpi-version" : "--version");
        assert_int_equal(version.status, 0);
        assert_non_null(strstr(version.out, commands[i]));
        command_free(&help);
        command_free(&version);
    }
}

/* COMMAND, which is to write to the pipe `out`: it is a pipe afterwards, and what was written came
 * out of it. (Who writes beside a file and renames would have put a file in its place, and so in
 * that of /dev/null.) */
static void assert_keeps_pipe(const char *command)
{
    char *dir = scratch_make();
    command_t result = command_shell(
        dir, SECONDS,
        "export PATH='%s'/bin:$PATH; printf 'int f;\n' >f.c; mkfifo out; cat out >got & "
        "%s && test -p out && wait && test -s got && ls",
        build_dir(), command);
    if (result.status != 0 || strcmp(result.out, "f.c\ngot\nout\n") != 0)
        fail_msg("%s: status %d\n%s%s", command, result.status, result.out, result.err);
    command_free(&result);
    scratch_remove(dir);
}

static void devices_are_not_replaced(void **state)
{
    (void)state;
    char report[1024];
    snprintf(report, sizeof report, "xmpi-report -o out '%s/tests/report/traces/full.trace' >&2",
             source_dir());
    assert_keeps_pipe(report);
    assert_keeps_pipe("xmpi-rewrite --output=out f.c --");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_options_are_one_line),
        cmocka_unit_test(mistakes_are_one_line),
        cmocka_unit_test(all_have_help_and_a_version),
        cmocka_unit_test(devices_are_not_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

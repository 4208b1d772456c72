/* SPDX-License-Identifier: BSD-3-Clause
 * The emulated cluster: nodes given by the launcher, machine files, and the model of the pacing. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/emulation/pace_model.c"
#include "support/command.h"

enum { LIMIT = 60 };

static const char *const machines = "# the thesis's classes\n"
                                    "n1:C1:1:0.095\n"
                                    "\n"
                                    "  n2:C7:2:0.115  # two PEs\n"
                                    "n10:C6:1\n";

/* Runs the script with ARGUMENTS in DIR, where the machine file "machines" is. */
static command_t cluster_run(const char *dir, const char *arguments)
{
    return command_shell(dir, LIMIT, "'%s/tests/cluster/run' %s", source_dir(), arguments);
}

static void put(const char *dir, const char *name, const char *text)
{
    char *path;
    if (asprintf(&path, "%s/%s", dir, name) < 0)
        abort();
    write_file(path, text);
    free(path);
}

static void assert_output(command_t command, int status, const char *expected)
{
    if (command.status != status || strcmp(command.out, expected) != 0)
        fail_msg("expected status %d and \"%s\", got %d:\n%s%s", status, expected, command.status,
                 command.out, command.err);
    command_free(&command);
}

/* Ends with STATUS and one line that contains EXPECTED, and has run nothing. */
static void assert_refused(command_t command, int status, const char *expected)
{
    char *newline = strchr(command.err, '\n');
    if (command.status != status || strstr(command.err, expected) == NULL || newline == NULL ||
        newline[1] != '\0' || *command.out != '\0')
        fail_msg("expected status %d and one line with \"%s\", got %d:\n%s%s", status, expected,
                 command.status, command.out, command.err);
    command_free(&command);
}

/* -- nodes */

static void each_rank_is_on_its_node(void **state)
{
    assert_output(
        cluster_run(*state, "-m machines -n 4 -- sh -c 'echo $PMI_RANK $XMPI_NODE' | sort"), 0,
        "0 n1\n1 n2\n2 n2\n3 n10\n");
}

static void a_node_of_the_caller_is_not_handed_on(void **state)
{
    char line[] = "-m machines -n 1 -- sh -c 'echo $XMPI_NODE'";
    setenv("XMPI_NODE", "elsewhere", 1);
    command_t command = cluster_run(*state, line);
    unsetenv("XMPI_NODE");
    assert_output(command, 0, "n1\n");
}

static void machine_file_has_an_absolute_name(void **state)
{
    char *expected;
    if (asprintf(&expected, "%s/machines\n", (const char *)*state) < 0)
        abort();
    assert_output(cluster_run(*state, "-m machines -n 1 -- sh -c 'echo $XMPI_MACHINES'"), 0,
                  expected);
    free(expected);
}

static void arguments_and_options_arrive_unchanged(void **state)
{
    assert_output(cluster_run(*state, "-m machines -n 1 -l -genv FOO 'a  b' -- "
                                      "sh -c 'echo \"$FOO|$1|$2|$#\"' sh 'c  d' ''"),
                  0, "[0] a  b|c  d||2\n");
}

static void exit_status_is_that_of_the_program(void **state)
{
    assert_output(cluster_run(*state, "-m machines -n 2 -- sh -c 'exit 7'"), 7, "");
}

static void standard_input_reaches_the_program(void **state)
{
    command_t command = command_shell(
        *state, LIMIT, "echo hello | '%s/tests/cluster/run' -m machines -n 1 -- cat", source_dir());
    assert_output(command, 0, "hello\n");
}

static void nothing_is_left_behind(void **state)
{
    const char *script = source_dir();
    command_t command = command_shell(
        *state, LIMIT,
        "mkdir tmp && export TMPDIR=$PWD/tmp && '%s/tests/cluster/run' -m machines "
        "-n 2 -- true && ls tmp && ! '%s/tests/cluster/run' -m machines -n 2 -- false "
        "&& ls tmp && rmdir tmp",
        script, script);
    assert_output(command, 0, "");
}

static void a_signal_ends_the_program_and_leaves_nothing(void **state)
{
    command_t command = command_shell(
        *state, LIMIT,
        "mkfifo ready; mkdir tmp; TMPDIR=$PWD/tmp '%s/tests/cluster/run' -m machines -n 1 -- "
        "sh -c 'echo $$ >ready; exec sleep 1000' >log 2>&1 & run=$!; read program <ready; "
        "kill -TERM $run; wait $run; echo $?; ls tmp; rm -r tmp ready; ! kill -0 $program 2>&1",
        source_dir());
    assert_int_equal(command.status, 0);
    assert_int_equal(strncmp(command.out, "143\n", 4), 0);
    assert_null(strstr(command.out, "xmpi-run."));
    command_free(&command);
}

/* -- machine files */

static const struct {
    const char *text, *expected;
} bad_machines[] = {
    {"n1\n", "bad:1: expected hostname:procType:numPE[:cost[:switches[:memory:bandwidth[:latency]]]]"},
    {"# one\n\nn1:C1\n", "bad:3: expected hostname:procType:numPE[:cost[:switches[:memory:bandwidth[:latency]]]]"},
    {"n1:C1:1:0.5:x:y\n", "bad:1: expected hostname:procType:numPE[:cost[:switches[:memory:bandwidth[:latency]]]]"},
    {":C1:1\n", "bad:1: bad host name \"\""},
    {"n 1:C1:1\n", "bad:1: bad host name \"n 1\""},
    {"-n:C1:1\n", "bad:1: bad host name \"-n\""},
    {"n1::1\n", "bad:1: bad processor type \"\""},
    {"n1:C 1:1\n", "bad:1: bad processor type \"C 1\""},
    {"n1:C1:0\n", "1 processes asked for, but bad has 0 PEs"},
    {"n1:C1:two\n", "bad:1: bad number of PEs \"two\""},
    {"n1:C1:-1\n", "bad:1: bad number of PEs \"-1\""},
    {"n1:C1:1:free\n", "bad:1: bad cost \"free\""},
    {"n1:C1:1:-1\n", "bad:1: bad cost \"-1\""},
    {"n1:C1:1\nn2:C1:1\nn1:C7:1\n", "bad:3: host n1 was given in line 1 already"},
    {"# nothing\n", "1 processes asked for, but bad has 0 PEs"},
};

static void bad_machine_files_are_refused_with_their_line(void **state)
{
    for (size_t i = 0; i < sizeof bad_machines / sizeof *bad_machines; i++) {
        put(*state, "bad", bad_machines[i].text);
        assert_refused(cluster_run(*state, "-m bad -n 1 -- echo run"), 2, bad_machines[i].expected);
    }
}

static void more_processes_than_pes_are_refused(void **state)
{
    assert_refused(cluster_run(*state, "-m machines -n 5 -- echo run"), 2,
                   "5 processes asked for, but machines has 4 PEs");
}

static void bad_usage_is_refused(void **state)
{
    static const char *const cases[][2] = {
        {"", "usage: run"},
        {"-n 1 -- echo run", "usage: run"},
        {"-m machines -- echo run", "usage: run"},
        {"-m machines -n 1 echo run", "usage: run"},
        {"-m machines -n 1 --", "usage: run"},
        {"-m machines -n 0 -- echo run", "-n 0: expected a number of processes"},
        {"-m machines -n 1x -- echo run", "-n 1x: expected a number of processes"},
        {"-m missing -n 1 -- echo run", "missing: there is no such machine file"},
        {"-m . -n 1 -- echo run", ".: there is no such machine file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cluster_run(*state, cases[i][0]), 2, cases[i][1]);
}

/* -- the model */

static const char *const speeds = "C1=1.90,C7=2.25,C6=2.90,C8=4.62";

static void speeds_are_found_by_class(void **state)
{
    pace_why_t why;
    double speed = 0;
    (void)state;
    assert_int_equal(pace_speed(speeds, "C1", &speed, &why), 0);
    assert_true(speed == 1.90);
    assert_int_equal(pace_speed(speeds, "C8", &speed, &why), 0);
    assert_true(speed == 4.62);
}

static void bad_speeds_are_refused(void **state)
{
    static const char *const cases[][2] = {
        {"C1", "expected CLASS=SPEED at \"C1\""},
        {"C1=1.9,", "expected CLASS=SPEED at \"\""},
        {"C1=1.9,=2", "expected CLASS=SPEED at \"=2\""},
        {"C1=0", "expected CLASS=SPEED at \"C1=0\""},
        {"C1=1.9,C7=-1", "expected CLASS=SPEED at \"C7=-1\""},
        {"C1=1.9;C7=2", "expected CLASS=SPEED at \"C1=1.9;C7=2\""},
        {"C1=nan", "expected CLASS=SPEED at \"C1=nan\""},
        {"C10=1", "no speed for class C1"},
        {"C=1", "no speed for class C1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pace_why_t why;
        double speed;
        assert_int_equal(pace_speed(cases[i][0], "C1", &speed, &why), -1);
        assert_non_null(strstr(why.text, cases[i][1]));
    }
}

static void speeds_are_found_by_node(void **state)
{
    static const struct {
        const char *node;
        double speed;
    } cases[] = {{"n1", 1.90}, {"n2", 2.25}, {"n10", 2.90}};
    char *path;
    double speed;
    pace_why_t why;
    if (asprintf(&path, "%s/machines", (const char *)*state) < 0)
        abort();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(pace_node(path, speeds, cases[i].node, &speed, &why), 0);
        assert_true(speed == cases[i].speed);
    }
    assert_int_equal(pace_node(path, speeds, "n", &speed, &why), -1);
    assert_non_null(strstr(why.text, "node n is not in"));
    assert_int_equal(pace_node(path, "C1=1,C7=1", "n1", &speed, &why), -1);
    assert_non_null(strstr(why.text, "no speed for class C6"));
    assert_int_equal(pace_node("missing", speeds, "n1", &speed, &why), -1);
    assert_non_null(strstr(why.text, "missing: No such file"));
    free(path);
}

/* The environment of a process on NODE. */
static void set_pace(const char *dir, const char *node, const char *list, const char *kappa)
{
    char *path;
    if (asprintf(&path, "%s/machines", dir) < 0)
        abort();
    setenv("XMPI_MACHINES", path, 1);
    setenv("XMPI_NODE", node, 1);
    setenv("EMU_SPEEDS", list, 1);
    setenv("EMU_KAPPA", kappa, 1);
    free(path);
}

static void forget_pace(void)
{
    unsetenv("XMPI_MACHINES");
    unsetenv("XMPI_NODE");
    unsetenv("EMU_SPEEDS");
    unsetenv("EMU_KAPPA");
}

static void time_of_a_unit_is_inverse_to_speed(void **state)
{
    static const struct {
        const char *node;
        double speed;
    } cases[] = {{"n1", 1.90}, {"n2", 2.25}, {"n10", 2.90}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pace_why_t why;
        double seconds;
        set_pace(*state, cases[i].node, speeds, "1.5e-7");
        assert_int_equal(pace_unit(&seconds, &why), 0);
        assert_true(seconds == 1.5e-7 / cases[i].speed);
    }
    forget_pace();
}

static void missing_settings_are_named(void **state)
{
    static const char *const names[] = {"EMU_SPEEDS", "EMU_KAPPA", "XMPI_MACHINES", "XMPI_NODE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pace_why_t why;
        double seconds;
        char expected[64];
        set_pace(*state, "n1", speeds, "1");
        unsetenv(names[i]);
        snprintf(expected, sizeof expected, "%s is not set", names[i]);
        assert_int_equal(pace_unit(&seconds, &why), -1);
        assert_string_equal(why.text, expected);
    }
    forget_pace();
}

static void bad_settings_are_named(void **state)
{
    static const char *const cases[][4] = {
        {"n1", "C1=1", "fast", "EMU_KAPPA: expected seconds greater than 0, not \"fast\""},
        {"n1", "C1=1", "0", "EMU_KAPPA: expected seconds greater than 0, not \"0\""},
        {"n1", "C1=1", "1s", "EMU_KAPPA: expected seconds greater than 0, not \"1s\""},
        {"n1", "C7=1", "1", "EMU_SPEEDS has no speed for class C1"},
        {"n9", "C1=1,C7=1,C6=1", "1", "XMPI_NODE: node n9 is not in"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pace_why_t why;
        double seconds;
        set_pace(*state, cases[i][0], cases[i][1], cases[i][2]);
        assert_int_equal(pace_unit(&seconds, &why), -1);
        assert_non_null(strstr(why.text, cases[i][3]));
    }
    forget_pace();
}

/* -- the script */

static void scripts_change_nodes(void **state)
{
    static const struct {
        const char *node;
        long kernels;
        double seconds, speed, load;
    } cases[] = {
        {"n1", 0, 0, 1, 0},  {"n1", 9, 0, 1, 0},  {"n1", 10, 0, 0.5, 0}, {"n1", 15, 0, 1, 2},
        {"n1", 20, 0, 1, 0}, {"n2", 99, 0, 1, 0}, {"n2", 0, 1.5, 2, 1},  {"n2", 0, 9, 1, 0},
    };
    char *path;
    pace_state_t now;
    pace_why_t why;
    put(*state, "script",
        "# a burst\n10i n1 speed=0.5\n\n 15i n1 load=2 # others\n20i n1\n"
        "1.5s n2 speed=2 load=1\n3s n2\n");
    if (asprintf(&path, "%s/script", (const char *)*state) < 0)
        abort();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            pace_state(path, cases[i].node, cases[i].kernels, cases[i].seconds, &now, &why), 0);
        assert_true(now.speed == cases[i].speed && now.load == cases[i].load);
    }
    free(path);
}

static void bad_scripts_are_refused_with_their_line(void **state)
{
    static const char *const bad[] = {"10 n1\n",          "10i\n",
                                      "xi n1\n",          "-1i n1\n",
                                      "10i n1 load\n",    "10i n1 load=-1\n",
                                      "10i n1 speed=0\n", "10i n1 load=1x\n",
                                      "10i n1 fast=1\n"};
    char *path;
    pace_state_t now;
    pace_why_t why;
    if (asprintf(&path, "%s/script", (const char *)*state) < 0)
        abort();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text;
        if (asprintf(&text, "0i n1\n%s", bad[i]) < 0)
            abort();
        put(*state, "script", text);
        assert_int_equal(pace_state(path, "n1", 5, 0, &now, &why), -1);
        assert_non_null(strstr(why.text, "script:2: expected WHEN NODE"));
        free(text);
    }
    assert_int_equal(pace_state("missing", "n1", 5, 0, &now, &why), -1);
    assert_non_null(strstr(why.text, "missing: No such file"));
    free(path);
}

/* Load takes wall time, a slower PE takes both. */
static void loads_take_no_cpu_time(void **state)
{
    char *path;
    pace_time_t time;
    pace_why_t why;
    put(*state, "script", "5i n1 load=1\n7i n1 speed=0.5\n");
    if (asprintf(&path, "%s/script", (const char *)*state) < 0)
        abort();
    set_pace(*state, "n1", "C1=2,C7=1,C6=1", "1");
    setenv("EMU_SCRIPT", path, 1);
    assert_int_equal(pace_time(10, 0, &time, &why), 0);
    assert_true(time.cpu == 5 && time.wall == 5);
    assert_int_equal(pace_time(10, 5, &time, &why), 0);
    assert_true(time.cpu == 5 && time.wall == 10);
    assert_int_equal(pace_time(10, 7, &time, &why), 0);
    assert_true(time.cpu == 10 && time.wall == 10);
    unsetenv("EMU_SCRIPT");
    forget_pace();
    free(path);
}

/* -- the pacing linked into the example */

static void build_paced(const char *dir)
{
    command_t command = command_shell(
        dir, LIMIT,
        "'%s/tests/cluster/build_pace' pace.c && "
        "make -s -C '%s/examples/jacobi' CC=\"'%s/bin/mpicc'\" BUILD='%s' LDFLAGS=-Wl,--wrap=sweep "
        "LDLIBS=\"$PWD/pace.o\" '%s/jacobi' && "
        "make -s -C '%s/examples/jacobi' CC=\"'%s/bin/mpicc'\" BUILD='%s' '%s/generate' && "
        "./generate -n 20 system",
        source_dir(), source_dir(), build_dir(), dir, dir, source_dir(), build_dir(), dir, dir);
    if (command.status != 0)
        fail_msg("%s", command.err);
    command_free(&command);
}

/* Sleeping guarantees a least time, whatever else the machine does. */
static void a_paced_program_takes_at_least_its_modelled_time(void **state)
{
    double seconds;
    build_paced(*state);
    command_t command = command_shell(*state, LIMIT,
                                      "EMU_SPEEDS=%s EMU_KAPPA=1e-3 '%s/tests/cluster/run' "
                                      "-m machines -n 2 -- ./jacobi -i 2 system",
                                      speeds, source_dir());
    assert_int_equal(command.status, 0);
    const char *at = strstr(command.out, "seconds ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "seconds %lf", &seconds), 1);
    assert_true(seconds >= 2 * 10 * 20 * 1e-3 / 1.90);
    command_free(&command);
}

/* Also where only one of the nodes has no speed: no process may wait for another for ever. */
static void a_paced_program_with_bad_settings_is_refused(void **state)
{
    static const char *const cases[][2] = {
        {"unset EMU_SPEEDS", "pace: EMU_SPEEDS is not set\n"},
        {"export EMU_KAPPA=x", "pace: EMU_KAPPA: expected seconds greater than 0, not \"x\"\n"},
        {"export EMU_SPEEDS=C1=1,C7=2", "pace: EMU_SPEEDS has no speed for class C6: C1=1,C7=2\n"},
    };
    build_paced(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_t command = command_shell(*state, LIMIT,
                                          "export EMU_SPEEDS=%s EMU_KAPPA=1e-3; %s; "
                                          "exec '%s/tests/cluster/run' -m machines -n 4 -- "
                                          "./jacobi system",
                                          speeds, cases[i][0], source_dir());
        assert_int_equal(command.status, 2);
        assert_int_equal(strncmp(command.err, cases[i][1], strlen(cases[i][1])), 0);
        assert_string_equal(command.out, "");
        command_free(&command);
    }
}

static int make_folder(void **state)
{
    *state = scratch_make();
    put(*state, "machines", machines);
    return 0;
}

static int remove_folder(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rank_is_on_its_node),
        cmocka_unit_test(a_node_of_the_caller_is_not_handed_on),
        cmocka_unit_test(machine_file_has_an_absolute_name),
        cmocka_unit_test(arguments_and_options_arrive_unchanged),
        cmocka_unit_test(exit_status_is_that_of_the_program),
        cmocka_unit_test(standard_input_reaches_the_program),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(a_signal_ends_the_program_and_leaves_nothing),
        cmocka_unit_test(bad_machine_files_are_refused_with_their_line),
        cmocka_unit_test(more_processes_than_pes_are_refused),
        cmocka_unit_test(bad_usage_is_refused),
        cmocka_unit_test(speeds_are_found_by_class),
        cmocka_unit_test(bad_speeds_are_refused),
        cmocka_unit_test(speeds_are_found_by_node),
        cmocka_unit_test(time_of_a_unit_is_inverse_to_speed),
        cmocka_unit_test(missing_settings_are_named),
        cmocka_unit_test(bad_settings_are_named),
        cmocka_unit_test(scripts_change_nodes),
        cmocka_unit_test(bad_scripts_are_refused_with_their_line),
        cmocka_unit_test(loads_take_no_cpu_time),
        cmocka_unit_test(a_paced_program_takes_at_least_its_modelled_time),
        cmocka_unit_test(a_paced_program_with_bad_settings_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

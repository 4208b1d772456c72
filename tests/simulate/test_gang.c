/* SPDX-License-Identifier: BSD-3-Clause
 * Gang scheduling: seconds that can be calculated by hand, and the table of Nakazawa 2005. */
#define _GNU_SOURCE
#include "support/shell.h"

#include <math.h>
#include <unistd.h>

/* Jobs that compute for 200 s, half of which is divided, and fit into any memory, unless MORE says
 * something else; on 4 processors. */
static void assert_seconds(const char *more, double expected, double expected_end)
{
    char *path = NULL, text[1024];
    double seconds, end;
    assert_true(asprintf(&path, "%s/gangs", dir) >= 0);
    snprintf(text, sizeof text,
             "nodes 4\ngang.parallel 0.5\ngang.parallel.most 0.5\ngang.critical 0\n%s", more);
    write_file(path, text);
    char *out = sh_line("xmpi-simulate -q -n 1 gangs | tail -n 1 | cut -d, -f3,7");
    assert_int_equal(sscanf(out, "%lf,%lf", &seconds, &end), 2);
    if (!(fabs(seconds - expected) < 1e-3 && fabs(end - expected_end) < 1e-3))
        fail_msg("%s: %g and %g s instead of %g and %g s", more, seconds, end, expected,
                 expected_end);
    free(out);
    free(path);
}

static void jobs_take_what_they_should(void **state)
{
    (void)state;
    assert_seconds("gang.jobs 1\ntechnique c gang=c\n", 202, 202);
    assert_seconds("gang.jobs 1\ntechnique a gang=a\n", 127, 127);
    /* Two processors are 1.33 times as fast as one, four 1.2 times as fast as two. */
    assert_seconds("gang.jobs 1\ntechnique p gang=p\n", 127, 127);
    assert_seconds("gang.jobs 1\ngang.read 0\ntechnique p gang=p\n", 125, 125);
    assert_seconds("gang.jobs 1\ngang.switch 5\ntechnique c gang=c\n", 272, 272);
}

/* 127 s are six slices and 7 s; small ones run at the same time. */
static void rows_take_turns(void **state)
{
    (void)state;
    assert_seconds("gang.jobs 2\ntechnique a gang=a\n", 257, 267);
    assert_seconds("gang.jobs 4\ntechnique c gang=c\n", 202, 202);
    assert_seconds("gang.jobs 4\ntechnique c gang=c rows=many\n", 202, 202);
    /* The fifth has a row of its own. */
    assert_seconds("gang.jobs 5\ntechnique c gang=c\n", (4 * 402 + 422) / 5.0, 422);
    /* In all four rows, which come one after the other: only the first slice is shorter. */
    assert_seconds("gang.jobs 4\ngang.reload 5\ntechnique c gang=c rows=many\n", 207, 207);
    assert_seconds("gang.jobs 4\ngang.reload 5\ntechnique c gang=c\n", 202, 202);
}

/* Ratios of Table 3.3, with 20 % to either side; the means of ten seeds. */
static void the_table_is_that_of_the_thesis(void **state)
{
    static const struct {
        const char *worse, *better;
        double ratio;
    } ratio[] = {{"p", "c", 15912 / 3074.0},
                 {"a", "c", 4455 / 3074.0},
                 {"cP", "c", 4109 / 3074.0},
                 {"p-enhanced", "c-enhanced", 14132 / 2597.0},
                 {"cP-enhanced", "c-enhanced", 3706 / 2597.0}};
    (void)state;
    free(sh_line("xmpi-simulate -q -n 10 --set gang.critical=1 $S/scenarios/nakazawa-3.3 >table"));
    for (size_t i = 0; i < sizeof ratio / sizeof *ratio; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "awk -F, '{ s[$2] = $3 } END { print s[\"%s\"] / s[\"%s\"] }' table",
                 ratio[i].worse, ratio[i].better);
        char *out = sh_line(line);
        double found = atof(out);
        if (!(found > 0.8 * ratio[i].ratio && found < 1.2 * ratio[i].ratio))
            fail_msg("%s by %s: %g instead of %g", ratio[i].worse, ratio[i].better, found,
                     ratio[i].ratio);
        free(out);
    }
}

static void bad_ones_are_one_line(void **state)
{
    static const char *const bad[][2] = {
        {"gang.jobs 3\ntechnique a\n", "gang= is of gang.jobs"},
        {"technique a gang=c\n", "gang= is of gang.jobs"},
        {"technique a rows=many\n", "gang= is of gang.jobs"},
        {"gang.jobs 3\ntechnique a gang=b\n", "gang=b cannot be used"},
        {"gang.jobs 3\ngang.switch 20\ntechnique a gang=c\n", "leave nothing"},
        {"gang.jobs 3\ngang.switch 9\ngang.reload 11\ntechnique a gang=c\n", "leave nothing"},
        {"gang.jobs 3\njobs 4\ntechnique a gang=c\n", "of a workload or of a gang scheduler"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *path = NULL;
        assert_true(asprintf(&path, "%s/bad", dir) >= 0);
        write_file(path, bad[i][0]);
        command_t command = shell_run("xmpi-simulate -q bad");
        const char *end = strchr(command.err, '\n');
        if (command.status != 2 || strstr(command.err, bad[i][1]) == NULL || end == NULL ||
            end[1] != '\0')
            fail_msg("%s: status %d\n%s", bad[i][0], command.status, command.err);
        command_free(&command);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_take_what_they_should),
        cmocka_unit_test(rows_take_turns),
        cmocka_unit_test(the_table_is_that_of_the_thesis),
        cmocka_unit_test(bad_ones_are_one_line),
    };
    char path[4096];
    snprintf(path, sizeof path, "%s/obj/xmpicc/simulate/network/simgrid.o", build_dir());
    if (access(path, R_OK) != 0)
        return 0; /* test_simulate says what is missing then */
    return cmocka_run_group_tests(tests, setup, teardown);
}

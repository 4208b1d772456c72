/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of arrays that are out of core in a running program: changes of layout, disks that are
 * full, members that are killed, checkpoints. XMPI_OOC_DIR is a folder in /var/tmp, as /tmp may be
 * in memory; nothing may be left in it. SOAK is how many changes of layout there are in each, if it
 * is more than 500. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/command.h"
#include "support/program.h"

/* With one or two members the rows do not fit in their memory. */
enum { SECONDS = 1200, ROWS = 40, CHANGES = 500 };

static char *dir;
static char folder[] = "/var/tmp/xmpi-test.XXXXXX";

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    if (mkdtemp(folder) == NULL)
        return 1;
    setenv("XMPI_OOC_DIR", folder, 1);
    return program_build(dir, "outofcore", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return rmdir(folder);
}

static int changes(void)
{
    const char *soak = getenv("SOAK");
    return soak != NULL && atoi(soak) > CHANGES ? atoi(soak) : CHANGES;
}

/* A change at the end of nearly each iteration, of so many. */
static int iterations(void)
{
    return changes() + changes() / 20;
}

/* How many changes a run has made, or tried to where OUTCOME is "". */
static int changes_made(const char *outcome)
{
    command_t result = command_shell(
        dir, SECONDS, "grep '\"event\":\"reconfiguration\"' trace | grep -c '\"outcome\":\"%s'",
        outcome);
    int n = atoi(result.out);
    command_free(&result);
    return n;
}

static void expect_nothing_left(void)
{
    struct dirent *entry;
    DIR *files = opendir(folder);
    assert_non_null(files);
    while ((entry = readdir(files)) != NULL)
        if (entry->d_name[0] != '.')
            fail_msg("%s/%s is left", folder, entry->d_name);
    closedir(files);
}

/* In iteration ENDS a member is killed; 0: none is. */
static command_t run(const char *settings, int processes, int rows, int iterations, int ends)
{
    return command_shell(
        dir, SECONDS,
        "%s; rm -f trace; export XMPI_TRACE=trace XMPI_INTERVAL=1 XMPI_MEMORY=1; "
        "XMPI_POLICY=${XMPI_POLICY-random} '%s'/bin/mpiexec -n %d ./outofcore %d %d %d",
        settings, build_dir(), processes, rows, iterations, ends > 0 ? ends : -1);
}

/* The program has done all its ITERATIONS, and had arrays on disk, or not. */
static void expect_ok(const command_t *result, int iterations, int on_disk)
{
    int done = 0, used = 0;
    const char *line = strstr(result->out, "outofcore: ok ");
    if (result->status != 0 || line == NULL ||
        sscanf(line, "outofcore: ok %d on disk %d\n", &done, &used) != 2 || done != iterations ||
        used != on_disk)
        fail_msg("exit status %d: %s%s", result->status, result->out, result->err);
}

static void every_element_is_right_after_changes(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        int processes, rows;
        bool all;
    } tried[] = {
        {"export XMPI_BACKEND=spawn XMPI_MAX=5 XMPI_SEED=3", 2, 60, false},
        {"export XMPI_BACKEND=pool XMPI_ACTIVE=2 XMPI_SEED=4 XMPI_MOVE=p2p", 5, ROWS, true},
    };
    for (int i = 0; i < 2; i++) {
        int n = tried[i].all || getenv("SOAK") != NULL ? iterations() : 40;
        command_t result = run(tried[i].settings, tried[i].processes, tried[i].rows, n, 0);
        expect_ok(&result, n, 1);
        assert_string_equal(result.err, "");
        if (n == iterations())
            assert_in_range(changes_made("done"), changes(), n);
        expect_nothing_left();
        command_free(&result);
    }
}

/* A limit of files is as good as a full disk: blocks that are larger cannot be had. */
static void a_full_disk_calls_changes_off(void **state)
{
    (void)state;
    command_t result = run("ulimit -f 4000; export XMPI_BACKEND=pool XMPI_ACTIVE=4 XMPI_SEED=5", 5,
                           ROWS, iterations(), 0);
    expect_ok(&result, iterations(), 1);
    assert_in_range(changes_made(""), CHANGES, iterations());
    assert_true(changes_made("done") > 0 && changes_made("called off") > 0);
    expect_nothing_left();
    if (strstr(result.err, "does not fit in memory") == NULL || strstr(result.err, folder) == NULL)
        fail_msg("%s%s", result.out, result.err);
    command_free(&result);
}

static void a_disk_that_is_missing_leaves_data_in_memory(void **state)
{
    (void)state;
    command_t result = run("export XMPI_OOC_DIR=/nowhere XMPI_POLICY=balance", 2, 60, 5, 0);
    expect_ok(&result, 5, 0);
    assert_non_null(strstr(result.err, "/nowhere (XMPI_OOC_DIR)"));
    assert_non_null(strstr(result.err, "it stays in memory\n"));
    command_free(&result);
}

/* What a killed member had is gone from the disk, and the program goes on from a checkpoint, again
 * and again. */
static void a_killed_member_leaves_nothing_and_the_program_goes_on(void **state)
{
    enum { BETWEEN = 105 };
    char settings[512];
    int all = iterations(), in_words = 0;
    (void)state;
    for (int ends = BETWEEN; ends <= all; ends += BETWEEN) {
        bool last = ends + BETWEEN > all;
        snprintf(settings, sizeof settings,
                 "export XMPI_BACKEND=pool XMPI_ACTIVE=3 XMPI_CHECKPOINT=saved "
                 "XMPI_CHECKPOINT_INTERVAL=0 XMPI_SEED=%d%s",
                 6 + ends, ends > BETWEEN ? " XMPI_RESTART=1" : "");
        command_t result = run(settings, 4, ROWS, all, last ? 0 : ends);
        if (last) {
            expect_ok(&result, all, 1);
            assert_non_null(strstr(result.err, "checkpoint"));
        }
        bool told = strstr(result.out, "BAD TERMINATION") != NULL;
        in_words += !last && result.status == 0 && told; /* once in a while (test_faults.c) */
        assert_int_equal(result.status != 0 || told, !last);
        assert_true(in_words <= 1);
        command_free(&result);
        expect_nothing_left();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_right_after_changes),
        cmocka_unit_test(a_full_disk_calls_changes_off),
        cmocka_unit_test(a_disk_that_is_missing_leaves_data_in_memory),
        cmocka_unit_test(a_killed_member_leaves_nothing_and_the_program_goes_on),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

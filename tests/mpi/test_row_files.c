/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of programs that keep their rows in files of their own: changes of layout, what such files
 * must not be, a full disk, members that are killed. Files are made in the scratch folder, and none
 * may be left in it. SOAK=N is the number of iterations with a change in each. */
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
#include <sys/stat.h>
#include <unistd.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 120, ROWS = 61 };

static const char pool[] = "export XMPI_BACKEND=pool XMPI_ACTIVE=3 XMPI_SEED=7";
static const char spawn[] = "export XMPI_BACKEND=spawn XMPI_MAX=5 XMPI_SEED=3";

static char *dir, folder[256];

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    snprintf(folder, sizeof folder, "%s/rows", dir);
    return mkdir(folder, 0700) != 0 || program_build(dir, "row_files", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static int iterations(int otherwise)
{
    const char *soak = getenv("SOAK");
    return soak != NULL && atoi(soak) > otherwise ? atoi(soak) : otherwise;
}

static command_t run(const char *settings, int processes, const char *arguments, int n)
{
    return command_shell(folder, SECONDS + n / 5,
                         "%s; export XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=../trace; "
                         "rm -f ../trace; '%s'/bin/mpiexec -n %d ../row_files %d %d %s",
                         settings, build_dir(), processes, ROWS, n, arguments);
}

/* How many changes were made, or called off. */
static int changes(bool done)
{
    char command[512];
    snprintf(command, sizeof command,
             "grep '\"event\":\"reconfiguration\"' '%s'/trace | grep -c '\"outcome\":\"%s\"'", dir,
             done ? "done" : "called off");
    command_t result = command_shell(dir, SECONDS, "%s", command);
    int n = atoi(result.out);
    command_free(&result);
    return n;
}

static void expect_ok(const command_t *result, int n)
{
    char line[64];
    snprintf(line, sizeof line, "row_files: ok %d\n", n);
    if (result->status != 0 || strstr(result->out, line) == NULL)
        fail_msg("exit status %d: %s%s", result->status, result->out, result->err);
}

static void expect_no_file(const command_t *result)
{
    DIR *list = opendir(folder);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] != '.')
            fail_msg("%s is left: %s%s", entry->d_name, result->out, result->err);
    closedir(list);
}

static void every_row_is_right_after_changes(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        int processes, iterations;
    } tried[] = {{spawn, 2, 40},
                 {pool, 5, 60},
                 {"export XMPI_BACKEND=pool XMPI_ACTIVE=2 "
                  "XMPI_SEED=4 XMPI_MOVE=p2p",
                  5, 40}};
    for (int i = 0; i < 3; i++) {
        int n = i == 2 ? tried[i].iterations : iterations(tried[i].iterations);
        command_t result = run(tried[i].settings, tried[i].processes, "", n);
        expect_ok(&result, n);
        assert_string_equal(result.err, "");
        assert_true(changes(true) > n / 2);
        expect_no_file(&result);
        command_free(&result);
    }
}

/* Changes are called off from iteration 10 on, in a line that says why, and nothing is lost. */
static void what_is_no_file_of_rows_calls_changes_off(void **state)
{
    (void)state;
    static const struct {
        const char *how, *line;
    } tried[] = {
        {"append 10", " is open for appending: what is written goes to its end"},
        {"twice 10", "is open twice, as the descriptors "},
        {"longer 10", " bytes, but its rows here are "},
        {"within 10", " stands at byte 2800 when an iteration begins: among its rows, which "},
        {"unreadable 10", " cannot be read from byte "},
    };
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        command_t result = run(pool, 5, tried[i].how, 30);
        if (strncmp(tried[i].how, "append", 6) != 0) /* which the program's own writing feels */
            expect_ok(&result, 30);
        if (strstr(result.err, tried[i].line) == NULL)
            fail_msg("%s: %s%s", tried[i].how, result.out, result.err);
        command_free(&result);
    }
}

/* A limit of files is as good as a full disk: files that are larger cannot be had. */
static void a_full_disk_calls_changes_off(void **state)
{
    (void)state;
    char settings[256];
    snprintf(settings, sizeof settings, "%s XMPI_MAX=3; ulimit -f 400", pool);
    command_t result = run(settings, 5, "", 60);
    expect_ok(&result, 60);
    if (strstr(result.err, " cannot get ") == NULL || strstr(result.err, folder) == NULL)
        fail_msg("%s%s", result.out, result.err);
    assert_true(changes(true) > 0 && changes(false) > 0);
    expect_no_file(&result);
    command_free(&result);
}

/* An iteration on files is not run a second time: a line says so. */
static void checks_are_said_not_to_be(void **state)
{
    (void)state;
    char settings[256];
    snprintf(settings, sizeof settings, "%s XMPI_CHECK=first", pool);
    command_t result = run(settings, 5, "", 20);
    expect_ok(&result, 20);
    if (strstr(result.err, "rows in a file of the program's, from") == NULL)
        fail_msg("%s%s", result.out, result.err);
    expect_no_file(&result);
    command_free(&result);
}

/* What a killed run has begun goes on, with other numbers of processes and changes before and
 * after: each of its rows is looked at in each iteration. */
static void checkpoints_have_the_rows(void **state)
{
    (void)state;
    static const char keeps[] = "XMPI_CHECKPOINT=../saved XMPI_CHECKPOINT_INTERVAL=0";
    char settings[256];
    snprintf(settings, sizeof settings, "rm -rf ../saved; %s %s", pool, keeps);
    command_t result = run(settings, 5, "kill 40", 60);
    assert_int_not_equal(result.status, 0);
    command_free(&result);
    for (int processes = 2; processes <= 5; processes += 3) {
        snprintf(settings, sizeof settings,
                 "export XMPI_BACKEND=pool XMPI_ACTIVE=%d XMPI_SEED=%d XMPI_RESTART=1 %s",
                 processes, processes, keeps);
        result = run(settings, processes + 1, "", 60);
        expect_ok(&result, 60);
        if (strstr(result.err, "goes on from iteration ") == NULL)
            fail_msg("%s%s", result.out, result.err);
        expect_no_file(&result);
        command_free(&result);
    }
}

/* A disk that cannot read costs the checkpoint alone. */
static void what_cannot_be_read_is_in_no_checkpoint(void **state)
{
    (void)state;
    char settings[256];
    snprintf(settings, sizeof settings,
             "rm -rf ../saved; %s XMPI_MAX=3 XMPI_CHECKPOINT=../saved XMPI_CHECKPOINT_INTERVAL=0",
             pool);
    command_t result = run(settings, 3, "unreadable 10", 30);
    expect_ok(&result, 30);
    if (strstr(result.err, "cannot write its part: the file from cannot be read from byte 0 on: "
                           "Input/output error") == NULL)
        fail_msg("%s%s", result.out, result.err);
    command_free(&result);
}

static void a_killed_member_leaves_no_file(void **state)
{
    (void)state;
    command_t result = run(pool, 5, "kill 20", 60);
    assert_int_not_equal(result.status, 0);
    expect_no_file(&result);
    command_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_right_after_changes),
        cmocka_unit_test(what_is_no_file_of_rows_calls_changes_off),
        cmocka_unit_test(a_full_disk_calls_changes_off),
        cmocka_unit_test(checks_are_said_not_to_be),
        cmocka_unit_test(checkpoints_have_the_rows),
        cmocka_unit_test(what_cannot_be_read_is_in_no_checkpoint),
        cmocka_unit_test(a_killed_member_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

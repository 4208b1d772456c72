/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of limits that control groups set: a program stays within them, and says so where it would
 * not. Whoever may not make a group skips what needs a real one. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/machine/cgroup.h"
#include "act/machine/memory.h"
#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 90 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    return program_build(dir, "evolve", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* A new group for tasks, in either version; false where there can be none. */
static int make_group(char *path, size_t size)
{
    static const char *const parents[] = {"/sys/fs/cgroup/pids", "/sys/fs/cgroup",
                                          "/sys/fs/cgroup/unified"};
    char file[512];
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
        snprintf(path, size, "%s/xmpi-test-%d", parents[i], (int)getpid());
        snprintf(file, sizeof file, "%s/pids.max", path);
        if (mkdir(path, 0755) == 0 && access(file, W_OK) == 0)
            return 1;
        rmdir(path);
    }
    return 0;
}

static void remove_group(const char *path)
{
    for (int i = 0; i < 100 && rmdir(path) != 0; i++)
        usleep(100000); /* the last ones are ending */
}

/* Changes go on, and those that there is no room for are told of; nobody waits for a process that
 * cannot be made. */
static void growth_stops_before_tasks_run_out(void **state)
{
    (void)state;
    char group[256];
    static const int most[] = {40, 60, 80};
    if (!make_group(group, sizeof group)) {
        print_message("no control group for tasks can be made here\n");
        skip();
    }
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        command_t result = command_shell(
            dir, SECONDS,
            "echo %d >%s/pids.max; exec sh -c 'echo $$ >%s/cgroup.procs; XMPI_POLICY=random "
            "XMPI_INTERVAL=2 XMPI_MAX=16 XMPI_TRACE=trace exec timeout 60 \"$0\"/bin/mpiexec -n 2 "
            "./evolve 40 150' '%s'",
            most[i], group, group, build_dir());
        if (result.status != 0 || strncmp(result.out, "evolve: ok 150 ", 15) != 0 ||
            strstr(result.err, "no room for ") == NULL ||
            strstr(result.err, " left (pids.max); the program goes on as before\n") == NULL)
            fail_msg("%d tasks: status %d: %s%s", most[i], result.status, result.out, result.err);
        command_free(&result);
    }
    remove_group(group);
}

/* --- where the files are ------------------------------------------------------------------------
 */

static void put(const char *path, const char *name, const char *text)
{
    char line[1024];
    command_t made;
    snprintf(line, sizeof line, "%s%s", dir, path);
    made = command_shell(dir, SECONDS, "mkdir -p '%s'", line);
    command_free(&made);
    snprintf(line, sizeof line, "%s%s/%s", dir, path, name);
    write_file(line, text);
}

static int64_t memory_of(const char *groups, const char *mounts, const char *where)
{
    char at[512] = "", expected[512];
    int64_t left =
        xmpi_cgroup_least_of(groups, mounts, dir, "memory", xmpi_memory_left, at, sizeof at);
    snprintf(expected, sizeof expected, "%s%s", where[0] != '\0' ? dir : "", where);
    assert_string_equal(at, expected);
    return left;
}

static const char version1[] =
    "24 1 0:21 / /v1/cpu rw - cgroup cgroup rw,cpu\n"
    "25 1 0:22 / /v1/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n";
static const char version2[] = "30 1 0:30 / /v2 rw shared:4 - cgroup2 cgroup2 rw\n";

static void limits_of_version_1_are_seen(void **state)
{
    (void)state;
    put("/v1/memory/jobs/one", "memory.limit_in_bytes", "1000000\n");
    put("/v1/memory/jobs/one", "memory.usage_in_bytes", "700000\n");
    put("/v1/memory/jobs/one", "memory.stat", "inactive_file 1\ntotal_inactive_file 50000\n");
    assert_int_equal(memory_of("4:cpu:/\n5:memory:/jobs/one\n", version1, "/v1/memory/jobs/one"),
                     350000);
}

static void a_limit_holds_for_the_groups_inside(void **state)
{
    (void)state;
    put("/v2/job", "memory.max", "1000000\n");
    put("/v2/job", "memory.current", "900000\n");
    put("/v2/job/step/0", "memory.max", "500000\n");
    put("/v2/job/step/0", "memory.current", "200000\n");
    put("/v2/job/step", "memory.max", "max\n");
    assert_int_equal(memory_of("0::/job/step/0\n", version2, "/v2/job"), 100000);
    assert_int_equal(memory_of("0::/job/step\n", version2, "/v2/job"), 100000);
    assert_true(memory_of("0::/\n", version2, "") == INT64_MAX);
    assert_true(memory_of("1:cpu:/x\n", version2, "") == INT64_MAX);
}

/* In a container the mount shows a part of the hierarchy. */
static void a_mount_may_show_a_part(void **state)
{
    (void)state;
    put("/v3", "memory.max", "4000\n");
    put("/v3", "memory.current", "1000\n");
    assert_int_equal(
        memory_of("0::/docker/abc\n", "30 1 0:30 /docker/abc /v3 rw - cgroup2 cgroup2 rw\n", "/v3"),
        3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_version_1_are_seen),
        cmocka_unit_test(a_limit_holds_for_the_groups_inside),
        cmocka_unit_test(a_mount_may_show_a_part),
        cmocka_unit_test(growth_stops_before_tasks_run_out),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

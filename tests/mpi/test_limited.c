/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of data that do not fit, on the real disk: in a control group that has less memory than the
 * arrays take, and past the page cache. Files are in a folder in /var/tmp, as /tmp may be in
 * memory; nothing may be left in it. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 300, NO_GROUP = 77 };

static char *dir;
static char folder[] = "/var/tmp/xmpi-test.XXXXXX";

/* limited MIB COMMAND...: runs it in a control group below ours, of either version, with so much
 * memory and no swap. */
static const char limited[] =
    "#!/bin/sh\n"
    "bytes=$(($1 << 20))\n"
    "shift\n"
    "below=/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)\n"
    "limit=memory.limit_in_bytes\n"
    "[ -f \"$below/$limit\" ] || {\n"
    "    below=/sys/fs/cgroup/memory\n"
    "    [ -f \"$below/$limit\" ] || {\n"
    "        below=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)\n"
    "        limit=memory.max\n"
    "    }\n"
    "}\n"
    "group=$below/xmpi-test.$$\n"
    "mkdir \"$group\" 2>/dev/null || exit 77\n"
    "leave() { for i in 1 2 3 4 5 6 7 8 9; do rmdir \"$group\" 2>/dev/null && return; sleep 0.2; "
    "done; }\n"
    "trap leave EXIT\n"
    "echo $bytes >\"$group/$limit\" 2>/dev/null || exit 77\n"
    "for swap in memory.memsw.limit_in_bytes memory.swap.max; do\n"
    "    [ ! -f \"$group/$swap\" ] || echo $([ $limit = memory.max ] && echo 0 || echo $bytes) "
    ">\"$group/$swap\"\n"
    "done\n"
    "sh -c 'echo $$ >\"$0/cgroup.procs\" && exec \"$@\"' \"$group\" \"$@\"\n";

static int build(void **state)
{
    char path[4096];
    (void)state;
    dir = scratch_make();
    snprintf(path, sizeof path, "%s/limited", dir);
    write_file(path, limited);
    if (mkdtemp(folder) == NULL || program_build(dir, "outofcore", "") != 0)
        return 1;
    setenv("XMPI_OOC_DIR", folder, 1);
    return program_build(dir, "direct_rows", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return rmdir(folder);
}

/* Two arrays of 125 MiB in 144 MiB: in memory the program is killed. With outofcore, as nothing is
 * said of memory, the runtime takes what the control group leaves, and each element is right after
 * changes. */
static void arrays_that_the_group_has_no_room_for_are_on_disk(void **state)
{
    (void)state;
    static const char *const how[] = {"XMPI_POLICY=off",
                                      "XMPI_POLICY=random XMPI_INTERVAL=2 XMPI_ACTIVE=2 "
                                      "XMPI_SEED=5"};
    for (int i = 0; i < 2; i++) {
        command_t result = command_shell(
            dir, SECONDS, "%s sh ./limited 144 '%s'/bin/mpiexec -n %d ./outofcore 2000 6", how[i],
            build_dir(), i == 0 ? 2 : 3);
        if (result.status == NO_GROUP) {
            print_message("no control group can be made here\n");
            skip();
        }
        bool ok = strstr(result.out, "outofcore: ok 6 on disk 1\n") != NULL;
        if ((result.status == 0) != (i == 1) || ok != (i == 1))
            fail_msg("%s: status %d: %s%s", how[i], result.status, result.out, result.err);
        command_free(&result);
    }
}

static bool has_direct_files(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/probe", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_DIRECT, 0600);
    if (fd >= 0)
        close(fd);
    unlink(path);
    return fd >= 0;
}

/* In each interval, what is observed of a member is what it has moved: its rows twice (and the few
 * lines of the kernel's that the program reads). How many intervals there were. */
static int expect_observed(void)
{
    enum { ROW = 8192 * 8, LINES = 4096 };
    char path[4096];
    int n = 0;
    snprintf(path, sizeof path, "%s/trace", dir);
    char *text = read_file(path, NULL), *rest = text;
    for (char *line; rest != NULL && (line = strsep(&rest, "\n")) != NULL;) {
        cJSON *event = cJSON_Parse(line);
        const cJSON *kind = cJSON_GetObjectItem(event, "event"), *member;
        bool is_interval = kind != NULL && strcmp(kind->valuestring, "interval") == 0;
        n += is_interval;
        cJSON_ArrayForEach(member, cJSON_GetObjectItem(is_interval ? event : NULL, "members"))
        {
            const cJSON *io = cJSON_GetObjectItem(cJSON_GetObjectItem(member, "operations"), "io");
            double iterations = cJSON_GetObjectItem(event, "iterations")->valuedouble;
            double own = 2 * iterations * cJSON_GetObjectItem(member, "count")->valuedouble * ROW;
            double seen = io != NULL ? cJSON_GetObjectItem(io, "bytes")->valuedouble : 0;
            assert_true(seen >= own && seen < own + LINES * iterations);
        }
        cJSON_Delete(event);
    }
    free(text);
    return n;
}

/* Every byte that the program moves is one of the disk's, also in files that changes have made, and
 * one of the I/O that is observed. */
static void direct_rows_are_read_from_the_disk(void **state)
{
    (void)state;
    double bytes = 0, read = 0, written = 0;
    if (!has_direct_files()) {
        print_message("%s is on no disk\n", folder);
        skip();
    }
    command_t result = command_shell(
        dir, SECONDS,
        "XMPI_POLICY=random XMPI_INTERVAL=2 XMPI_ACTIVE=2 XMPI_SEED=6 XMPI_TRACE=trace "
        "'%s'/bin/mpiexec -n 4 ./direct_rows 90 20 %s",
        build_dir(), folder);
    if (result.status != 0 ||
        sscanf(result.out, "direct_rows: ok 20 bytes %lf read %lf written %lf", &bytes, &read,
               &written) != 3)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    /* (The file system may write some of its own beside.) */
    assert_true(bytes > 0 && read >= bytes && read < 1.1 * bytes);
    assert_true(written >= bytes && written < 1.1 * bytes);
    command_free(&result);
    assert_true(expect_observed() >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_that_the_group_has_no_room_for_are_on_disk),
        cmocka_unit_test(direct_rows_are_read_from_the_disk),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

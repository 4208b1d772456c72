/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of jobs among strangers, who connect with every door of theirs, and of who can reach them. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/command.h"
#include "support/program.h"
#include "support/strangers.h"

enum { SECONDS = 120, SILENT = 3, PER_SECOND = 1000 };

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

static void is_done_among_strangers(const char *settings, int processes)
{
    char path[512];
    snprintf(path, sizeof path, "%s/schedule", dir);
    write_file(path, "spawn 2 any 20\nremove 1 any 80\n");
    snprintf(path, sizeof path, "%s/evolve", dir);
    strangers_t strangers = strangers_start(path, SILENT, PER_SECOND);
    command_t result =
        command_shell(dir, SECONDS,
                      "XMPI_SCHEDULE=schedule XMPI_INTERVAL=5 EVOLVE_PAUSE_MS=10 %s "
                      "'%s'/bin/mpiexec -n %d ./evolve 53 150",
                      settings, build_dir(), processes);
    long made = strangers_stop(&strangers);
    if (result.status != 0 || strncmp(result.out, "evolve: ok ", 11) != 0 || result.err[0] != '\0')
        fail_msg("%s: status %d: %s%s", settings, result.status, result.out, result.err);
    assert_true(made > 100);
    command_free(&result);
}

static void strangers_are_in_nobodys_way(void **state)
{
    (void)state;
    is_done_among_strangers("XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_POLICY=schedule", 3);
    is_done_among_strangers("XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_POLICY=random XMPI_SEED=4", 3);
    is_done_among_strangers("XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_POLICY=schedule XMPI_BACKGROUND=1", 3);
    is_done_among_strangers("XMPI_BACKEND=pool XMPI_ACTIVE=3 XMPI_POLICY=random XMPI_SEED=4", 6);
}

/* Ports on which the processes of a job listen, MPI's own among them. */
static int ports(const char *settings)
{
    command_t result = command_shell(
        dir, SECONDS,
        "rm -f sizes; %s EVOLVE_PAUSE_MS=20 '%s'/bin/mpiexec -n 3 \"$PWD\"/evolve 53 100000 sizes "
        ">log 2>&1 & job=$!; until grep -qm1 '^20 ' sizes 2>/dev/null; do sleep 0.05; done; "
        "for pid in $(pgrep -f \"^$PWD/evolve\"); do ls -l /proc/$pid/fd | "
        "    sed -n 's/.*socket:.\\([0-9]*\\).*/\\1/p'; done >inodes; "
        "awk 'FNR == NR { ours[$1] = 1; next } $4 == \"0A\" && ($10 in ours) { n++ } "
        "    END { print n + 0 }' inodes /proc/net/tcp; kill $job; wait $job",
        settings, build_dir());
    int n = atoi(result.out);
    command_free(&result);
    return n;
}

static void nobody_listens_for_other_nodes_where_there_is_one(void **state)
{
    (void)state;
    int plain = ports("XMPI_POLICY=off");
    assert_int_equal(ports("XMPI_BACKEND=spawn"), plain);
    assert_int_equal(ports("XMPI_BACKEND=pool"), plain);
}

/* Node b has another kernel, as far as its processes can see. */
static void processes_of_other_nodes_are_let_in(void **state)
{
    (void)state;
    if (geteuid() != 0 || system("unshare --mount true 2>/dev/null") != 0)
        skip();
    command_t result = command_shell(
        dir, SECONDS,
        "echo other >boot; cat >launcher <<END\n"
        "#!/bin/sh\n"
        "node=\\$1; shift\n"
        "[ \"\\$node\" = b ] || eval exec \"\\$*\"\n"
        "echo b >>launched\n"
        "exec unshare --mount sh -c \"mount --bind '$PWD/boot' /proc/sys/kernel/random/boot_id && "
        "exec \\$*\"\n"
        "END\n"
        "chmod +x launcher; printf 'a:2\\nb:2\\n' >hosts; "
        "printf 'a:x86:2:0\\nb:x86:2:0\\n' >machines; rm -f launched; "
        "for settings in 'XMPI_BACKEND=spawn XMPI_MAX=4 N=1' 'XMPI_BACKEND=pool XMPI_ACTIVE=1 N=4' "
        "    'XMPI_BACKEND=spawn XMPI_MAX=4 XMPI_MACHINES=machines XMPI_NODE=a N=1'; do "
        "    env $settings XMPI_POLICY=random XMPI_SEED=4 XMPI_INTERVAL=3 XMPI_TRACE=t sh -c "
        "    '\"$0\" -launcher rsh -launcher-exec \"$PWD/launcher\" -f hosts -n $N ./evolve 53 90' "
        "    '%s'/bin/mpiexec || exit 1; grep -q '\"kind\":\"grow\".*\"outcome\":\"done\"' t || exit 2; "
        "done; grep -c b launched",
        build_dir());
    if (result.status != 0 || strstr(result.err, "xmpi:") != NULL)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strangers_are_in_nobodys_way),
        cmocka_unit_test(nobody_listens_for_other_nodes_where_there_is_one),
        cmocka_unit_test(processes_of_other_nodes_are_let_in),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The emulated cluster by CPU quotas: who is where, what is changed while a program runs, and that
 * nothing is left. Making control groups takes root: without, only the refusals are tested. */
#define _GNU_SOURCE
#include "cluster/examples/example.h"

/* What a process sees of its node: the quota, and the processes there but for its own. Both
 * versions of control groups. */
static const char look[] =
    "#!/bin/sh\n"
    "group=/sys/fs/cgroup/cpu$(sed -n 's/^[0-9]*:cpu\\(,cpuacct\\)*://p' /proc/self/cgroup)\n"
    "[ -d \"$group\" ] && [ -f \"$group/cpu.cfs_quota_us\" ] && quota=cpu.cfs_quota_us ||\n"
    "    { group=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup); quota=cpu.max; }\n"
    "quota() { read q rest <$group/$quota; echo $q; }\n"
    "loads() { n=0; while read p; do\n"
    "    tr '\\0' ' ' </proc/$p/cmdline | grep -q 'while :' && n=$((n + 1)); done "
    "<$group/cgroup.procs;\n"
    "    echo $n; } 2>/dev/null\n";

static command_t cluster(const char *dir, const char *arguments)
{
    return command_shell(dir, LIMIT, "'%s/tests/cluster/cluster' %s", source_dir(), arguments);
}

/* Skips the test where no control group can be made. */
static void need_groups(const char *dir)
{
    command_t command = cluster(dir, "-m machines -s A=1,B=3 -n 1 -- true");
    int status = command.status, refused = strstr(command.err, "this takes root") != NULL;
    if (status != 0 && !refused)
        fail_msg("status %d: %s", status, command.err);
    command_free(&command);
    if (refused)
        skip();
}

static void nodes_have_their_share_of_the_cpus(void **state)
{
    need_groups(*state);
    put(*state, "show", "#!/bin/sh\n. ./look\necho $XMPI_NODE $(quota)\n");
    command_t command = cluster(*state, "-m machines -s A=1,B=3 -n 3 -- sh ./show");
    command_t cpus = command_shell(*state, LIMIT, "nproc");
    char expected[256];
    int part = (int)(0.9 * atoi(cpus.out) * 20000 / 5); /* of 1 + 1 + 3 */
    snprintf(expected, sizeof expected, "n1 %d\nn1 %d\nn2 %d\n", 2 * part, 2 * part, 3 * part);
    command_t sorted = command_shell(*state, LIMIT, "printf '%%s' '%s' | sort", command.out);
    assert_int_equal(command.status, 0);
    assert_string_equal(sorted.out, expected);
    command_free(&command);
    command_free(&sorted);
    command_free(&cpus);
}

/* The program ends once it has seen all that the script does. */
static void scripts_change_nodes_while_a_program_runs(void **state)
{
    need_groups(*state);
    put(*state, "script", "6s n1 speed=0.5 # and no load\n0.3s n1 load=1\n");
    put(*state, "watch",
        "#!/bin/sh\n. ./look\nfull=$(quota)\n"
        "until [ $(loads) -eq 2 ]; do sleep 0.02; done; echo loaded\n"
        "until [ $(quota) -eq $((full / 2)) ] && [ $(loads) -eq 0 ]; do sleep 0.02; done\n"
        "echo halved\n");
    command_t command =
        cluster(*state, "-m machines -s A=1,B=3 -n 1 -l script -- timeout 60 sh ./watch");
    assert_int_equal(command.status, 0);
    assert_string_equal(command.out, "loaded\nhalved\n");
    command_free(&command);
}

static void nothing_is_left_behind(void **state)
{
    need_groups(*state);
    put(*state, "script", "0s n1 load=1\n");
    command_t command = cluster(*state, "-m machines -s A=1,B=3 -n 2 -l script -- sh -c 'exit 7'");
    assert_int_equal(command.status, 7);
    command_free(&command);
    command = command_shell(*state, LIMIT,
                            "'%s/tests/cluster/cluster' -m machines -s A=1,B=3 -n 1 -l script -- "
                            "sleep 1000 & pid=$!; sleep 1; kill -TERM $pid; wait $pid; echo $?; "
                            "! ls -d /sys/fs/cgroup/xmpi-cluster.$pid "
                            "/sys/fs/cgroup/cpu/xmpi-cluster.$pid 2>/dev/null",
                            source_dir());
    assert_int_equal(command.status, 0);
    /* mpiexec may have had the time to tell of its process's end before its own. */
    size_t length = strlen(command.out), status = strlen("143\n");
    assert_true(length >= status);
    assert_string_equal(command.out + length - status, "143\n");
    command_free(&command);
}

static void bad_usage_is_refused(void **state)
{
    static const char *const cases[][2] = {
        {"-m machines -n 1 -- true", "usage: cluster"},
        {"-m missing -s A=1 -n 1 -- true", "missing: there is no such machine file"},
        {"-m machines -s A=1 -n 1 -- true", "-s has no speed for class B of machines"},
        {"-m machines -s A=1,B -n 1 -- true", "-s: expected CLASS=SPEED at \"B\""},
        {"-m machines -s A=0,B=1 -n 1 -- true", "-s: expected CLASS=SPEED at \"A=0\""},
        {"-m machines -s A=1,B=1000 -n 1 -- true", "node n1 would have less than 1 ms of 20"},
        {"-m machines -s A=1,B=3 -n 1 -l none -- true", "none: there is no such script"},
        {"-m machines -s A=1,B=3 -n 1 -l bad -- true", "bad:2: expected SECONDSs NODE"},
        {"-m machines -s A=1,B=3 -n 1 -l where -- true", "where: node n9 is not in machines"},
    };
    put(*state, "bad", "1s n1\n12i n1 load=1\n");
    put(*state, "where", "1s n9 load=1\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_t command = cluster(*state, cases[i][0]);
        if (command.status != 2 || strstr(command.err, cases[i][1]) == NULL)
            fail_msg("%s: status %d, %s", cases[i][0], command.status, command.err);
        command_free(&command);
    }
}

static int make_folder(void **state)
{
    *state = scratch_make();
    put(*state, "machines", "n1:A:2\nn2:B:1\n");
    put(*state, "look", look);
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
        cmocka_unit_test(nodes_have_their_share_of_the_cpus),
        cmocka_unit_test(scripts_change_nodes_while_a_program_runs),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(bad_usage_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

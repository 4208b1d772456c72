/* SPDX-License-Identifier: BSD-3-Clause
 * The policy swap on the emulated cluster: members leave nodes on which others compute for those
 * that spares say are idle, not for those that are as busy, and stay there. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "cluster/examples/example.h"
#include "support/trace_schema.h"

enum { TRIES = 6 };

/* Rows stay but where a test says otherwise. Loads halve speeds, which is far from what a busy
 * machine does to a sleeper. */
static const char settings[] =
    "XMPI_SWAP=greedy XMPI_PROCESS_GAIN=0.4 XMPI_APPLICATION_GAIN=0.4 XMPI_INTERVAL=5 "
    "XMPI_START=order XMPI_IMBALANCE=1 XMPI_POLICY=swap XMPI_ACTIVE=2 XMPI_BACKEND=pool "
    "XMPI_COUNTER=work "
    "XMPI_TRACE=trace "
    "EMU_SPEEDS=C1=1 EMU_KAPPA=1.5e-7 EMU_SCRIPT=script";

/* Runs jacobi on the first two of four nodes, with MORE settings, while others do to these what
 * SCRIPT says. By files like /proc/stat somebody computes on the third, and nobody on the fourth.
 * (It lasts for seconds: a spare is asked again after some, and what was seen long ago is in
 * doubt.) */
static char *run_on(const char *dir, const char *machines, int processes, const char *more,
                    const char *script)
{
    put(dir, "script", script);
    must_succeed(command_shell(
        dir, LIMIT,
        "( while sleep 0.02; do echo cpu0 $(($(date +%%s%%N) / 10000000)) 0 0 1 >new && "
        "mv new proc/n3/stat; done ) & busy=$!; rm -f trace; sleep 0.1; env %s %s "
        "XMPI_PROC=\"$PWD/proc\" '%s/tests/cluster/run' -m %s -n %d -- "
        "./jacobi -i 200 -t 0 -o out system; status=$?; kill $busy; exit $status",
        settings, more, source_dir(), machines, processes));
    char *trace = content(dir, "trace", NULL);
    trace_schema_check_lines(trace);
    return trace;
}

static char *run(const char *dir, const char *more, const char *script)
{
    return run_on(dir, "machines", 4, more, script);
}

static int changes(const char *trace)
{
    int n = 0;
    for (; (trace = strstr(trace, "\"outcome\":\"done\"")) != NULL; trace++)
        n++;
    return n;
}

/* EXPECTED changes of members; the trace. A busy machine may add some, so that it is tried again.
 */
static char *run_with(const char *dir, const char *more, const char *script, int expected)
{
    int made = -1;
    for (int i = 0; i < TRIES; i++) {
        char *trace = run(dir, more, script);
        made = changes(trace);
        if (made == expected)
            return trace;
        free(trace);
    }
    fail_msg("%s: %d changes, not %d", script, made, expected);
    return NULL;
}

/* The trace of a run with a change of which it tells WANTED; others may be beside it. */
static char *run_until(const char *dir, const char *more, const char *script, const char *wanted)
{
    for (int i = 0; i < TRIES; i++) {
        char *trace = run(dir, more, script);
        if (strstr(trace, wanted) != NULL)
            return trace;
        free(trace);
    }
    fail_msg("%s: no change says %s", script, wanted);
    return NULL;
}

/* To the idle node, not to the busy one; and nobody comes back. */
static void the_loaded_member_goes_to_the_idle_node(void **state)
{
    char *trace = run_with(*state, "", "20i n1 load=1\n", 1);
    assert_non_null(strstr(trace, "\"label\":\"0>3\""));
    assert_non_null(strstr(trace, "\"payback\":"));
    assert_non_null(strstr(trace, "\"idle\":[{\"pe\":2,\"node\":\"n3\",\"class\":\"C1\""));
    free(trace);
}

/* One of two that are loaded gains nothing by itself, and there is one idle node. */
static void nobody_goes_without_a_gain(void **state)
{
    free(run_with(*state, "", "20i n1 load=1\n20i n2 load=1\n", 0));
}

/* If rows are divided anew it does: one of the two has most of them then, on the idle node. That
 * makes an iteration half as quick again, less what communication takes, which is more on a busy
 * machine. */
static void one_goes_and_rows_follow(void **state)
{
    char *trace = run_until(*state, "XMPI_IMBALANCE=0.2 XMPI_APPLICATION_GAIN=0.2",
                            "20i n1 load=1\n20i n2 load=1\n", ">3, rebalance\"");
    assert_non_null(strstr(trace, "\"kind\":\"exchange\""));
    assert_non_null(strstr(trace, "rows divided anew"));
    free(trace);
}

/* Then the idle node is as its class, which is measured where it is loaded. */
static void nothing_is_seen_where_that_is_off(void **state)
{
    char *trace = run_with(*state, "XMPI_WATCH_IDLE=off", "20i n1 load=1\n20i n2 load=1\n", 0);
    assert_null(strstr(trace, "\"idle\":"));
    free(trace);
}

/* Nobody is parked there, but there is a member, which looks as well; its own load is none. */
static void a_member_tells_of_its_node(void **state)
{
    const char *dir = *state;
    put(dir, "two", "n1:C1:1\nn2:C1:1\nn4:C1:2\n");
    put(dir, "proc/n4/stat", "cpu0 0 0 0 1\ncpu1 0 0 0 1\n");
    char *trace = run_on(dir, "two", 3, "XMPI_BACKEND=spawn XMPI_ACTIVE=0", "20i n2 load=1\n");
    assert_non_null(strstr(trace, "\"idle\":[{\"pe\":3,\"node\":\"n4\",\"class\":\"C1\""));
    assert_null(strstr(trace, "\"idle\":[{\"pe\":1"));
    free(trace);
    put(dir, "proc/n4/stat", "cpu0 0 0 0 1\n");
}

/* No process of the program is on the nodes that are idle: agents tell of them, in time unless the
 * machine is very busy. They end with the job. */
static void agents_tell_of_nodes_without_a_process(void **state)
{
    char more[2048];
    bool told = false;
    snprintf(more, sizeof more,
             "XMPI_BACKEND=spawn XMPI_ACTIVE=0 XMPI_PROCESS_GAIN=99 XMPI_WATCH_IDLE=agents "
             "XMPI_RSH='%s/tests/cluster/launcher'",
             source_dir());
    for (int i = 0; i < TRIES && !told; i++) {
        char *trace = run_on(*state, "machines", 2, more, "20i n1 load=1\n");
        told = strstr(trace, "{\"pe\":2,\"node\":\"n3\",\"class\":\"C1\",\"speed\":") != NULL &&
               strstr(trace, "{\"pe\":3,\"node\":\"n4\",\"class\":\"C1\",\"speed\":") != NULL;
        free(trace);
    }
    assert_true(told);
    must_succeed(
        command_shell(*state, LIMIT,
                      "for i in $(seq 200); do pgrep -f \"xmpi-agent '?$PWD\" >/dev/null || "
                      "exit 0; sleep 0.05; done; exit 1"));
}

/* A node that cannot be reached is said once, and nobody waits for it. */
static void nodes_without_agents_are_named(void **state)
{
    must_succeed(command_shell(
        *state, LIMIT,
        "env %s XMPI_BACKEND=spawn XMPI_ACTIVE=0 XMPI_WATCH_IDLE=agents XMPI_RSH=false "
        "'%s/tests/cluster/run' -m machines -n 2 -- ./jacobi -i 200 -t 0 -o out system 2>err && "
        "test $(grep -c 'no agent could be started there by $XMPI_RSH' err) = 1",
        settings, source_dir()));
}

/* A policy that moves processes alone says that it leaves this loop as it is. */
static void policies_of_movable_loops_say_so(void **state)
{
    must_succeed(command_shell(
        *state, LIMIT,
        "for p in map spread balance; do EMU_SPEEDS=C1=1 EMU_KAPPA=1e-7 XMPI_POLICY=$p "
        "'%s/tests/cluster/run' -m machines -n 2 -- "
        "./jacobi -i 2 -t 0 -o out system; done 2>err && "
        "test \"$(grep -o 'the policy [a-z]* moves processes' err | tr '\\n' ' ')\" = "
        "'the policy map moves processes the policy spread moves processes '",
        source_dir()));
}

/* The nodes of the members in the first interval of TRACE, of which there are two. */
static void assert_begins_on(const char *trace, const char *first, const char *second)
{
    const char *members = strstr(trace, "\"members\":[");
    char node[2][8];
    assert_non_null(members);
    for (int i = 0; i < 2; i++) {
        members = strstr(members, "\"node\":\"");
        assert_non_null(members);
        assert_int_equal(sscanf(members++, "\"node\":\"%7[^\"]", node[i]), 1);
    }
    assert_string_equal(node[0], first);
    assert_string_equal(node[1], second);
}

/* Beside the first one, which stays where it is: the second and the third node are busy. */
static void members_begin_where_it_is_quick(void **state)
{
    static const char nobody_swaps[] = "XMPI_START=auto XMPI_PROCESS_GAIN=99";
    char *trace = run_with(*state, nobody_swaps, "0s n1\n", 0);
    assert_begins_on(trace, "n1", "n2");
    free(trace);
    must_succeed(command_shell(*state, LIMIT, "mv proc/n2 proc/was && ln -s n3 proc/n2"));
    trace = run_with(*state, nobody_swaps, "0s n1\n", 0);
    assert_begins_on(trace, "n1", "n4");
    free(trace);
    must_succeed(command_shell(*state, LIMIT, "rm proc/n2 && mv proc/was proc/n2"));
}

static int build(void **state)
{
    char *dir = scratch_make();
    *state = dir;
    put(dir, "machines", "n1:C1:1\nn2:C1:1\nn3:C1:1\nn4:C1:1\n");
    must_succeed(command_shell(
        dir, LIMIT,
        "for n in 1 2 3 4; do mkdir -p proc/n$n; echo cpu0 0 0 0 1 >proc/n$n/stat; done; "
        "'%s/tests/cluster/build_pace' pace.c && XMPICC_FLAGS=--xmpi-replaced=sweep "
        "make -s -C '%s/examples/jacobi' CC=\"'%s/bin/xmpicc'\" BUILD=\"$PWD\" "
        "LDFLAGS=-Wl,--wrap=sweep LDLIBS=\"$PWD/pace.o\" "
        "\"$PWD/jacobi\" && make -s -C '%s/examples/jacobi' CC=\"'%s/bin/mpicc'\" BUILD=\"$PWD\" "
        "\"$PWD/generate\" && ./generate -n 400 system",
        source_dir(), source_dir(), build_dir(), source_dir(), build_dir()));
    return 0;
}

static int clean(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loaded_member_goes_to_the_idle_node),
        cmocka_unit_test(nobody_goes_without_a_gain),
        cmocka_unit_test(one_goes_and_rows_follow),
        cmocka_unit_test(nothing_is_seen_where_that_is_off),
        cmocka_unit_test(a_member_tells_of_its_node),
        cmocka_unit_test(agents_tell_of_nodes_without_a_process),
        cmocka_unit_test(nodes_without_agents_are_named),
        cmocka_unit_test(policies_of_movable_loops_say_so),
        cmocka_unit_test(members_begin_where_it_is_quick),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

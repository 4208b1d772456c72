/* SPDX-License-Identifier: BSD-3-Clause
 * Running an example compiled with xmpicc on the emulated cluster of the demonstration while it is
 * reconfigured. */
#ifndef XMPI_TESTS_ADAPTIVE_H
#define XMPI_TESTS_ADAPTIVE_H

#include "cluster/demonstration/demo_cluster.c"
#include "cluster/demonstration/demo_trace.c"
#include "cluster/examples/example.h"
#include "support/trace_schema.h"

/* An example, in a folder with the file "machines" and the folder "adaptive". */
typedef struct {
    const char *dir, *name, *arguments;
    int interval;
} adaptive_t;

static void adaptive_set_up(const char *dir, const char *name)
{
    char *machines = cluster_machines();
    put(dir, "machines", machines);
    free(machines);
    build_example(dir, name, "mpicc", ".");
    build_example(dir, name, "xmpicc", "adaptive");
}

/* Runs it on PROCESSES of the six PEs with SETTINGS; *OUTPUT (malloc) gets what it prints. */
static trace_t adaptive_run(const adaptive_t *run, int processes, const char *settings,
                            char **output)
{
    trace_t trace;
    char why[TRACE_WHY];
    command_t command =
        command_shell(run->dir, LIMIT,
                      "rm -f trace; env XMPI_TRACE=trace XMPI_COUNTER=work XMPI_INTERVAL=%d %s "
                      "'%s/tests/cluster/run' -m machines -n %d -- adaptive/%s %s",
                      run->interval, settings, source_dir(), processes, run->name, run->arguments);
    if (command.status != 0)
        fail_msg("%s: exit status %d\n%s%s", settings, command.status, command.out, command.err);
    char *text = content(run->dir, "trace", NULL);
    trace_schema_check_lines(text);
    if (trace_read(text, cluster_speed, &trace, why) != 0)
        fail_msg("%s: %s", settings, why);
    free(text);
    free(command.err);
    *output = command.out;
    return trace;
}

/* Runs an example in DIR with SETTINGS and fails the test when its result is not the plain one's.
 */
typedef trace_t (*adaptive_compare_t)(const char *dir, int processes, const char *settings);

static void random_plans(const char *dir, adaptive_compare_t compare, int processes,
                         const char *settings)
{
    int steps = 0;
    for (int seed = 1; seed <= 3; seed++) {
        char all[200];
        snprintf(all, sizeof all, "XMPI_POLICY=random XMPI_SEED=%d %s", seed, settings);
        steps += compare(dir, processes, all).steps;
    }
    assert_true(steps > 10);
}

static void random_plans_with_new_processes(const char *dir, adaptive_compare_t compare)
{
    random_plans(dir, compare, 2, "XMPI_BACKEND=spawn");
}

static void random_plans_with_spare_processes(const char *dir, adaptive_compare_t compare)
{
    random_plans(dir, compare, 6, "XMPI_BACKEND=pool XMPI_ACTIVE=3");
}

/* Three members become four after STEP iterations, then six and two. */
static void follow_a_schedule(const char *dir, adaptive_compare_t compare, int step)
{
    char schedule[200];
    snprintf(schedule, sizeof schedule, "spawn 1 C6 %d\nspawn 2 any %d\nremove 4 any %d\n", step,
             2 * step, 3 * step);
    put(dir, "schedule", schedule);
    trace_t trace =
        compare(dir, 3, "XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_BACKEND=spawn");
    assert_true(trace_has(&trace, "grow", 4));
    assert_true(trace_has(&trace, "grow", 6));
    assert_true(trace_has(&trace, "shrink", 2));
    assert_int_equal(trace.members, 2);
}

#endif

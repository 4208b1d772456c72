/* SPDX-License-Identifier: BSD-3-Clause
 * Running an example compiled with xmpicc on the emulated cluster of the demonstration while it is
 * reconfigured. */
#ifndef XMPI_TESTS_ADAPTIVE_H
#define XMPI_TESTS_ADAPTIVE_H

#include "cluster/demo_cluster.c"
#include "cluster/demo_trace.c"
#include "cluster/example.h"

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
    if (trace_read(text, cluster_speed, &trace, why) != 0)
        fail_msg("%s: %s", settings, why);
    free(text);
    free(command.err);
    *output = command.out;
    return trace;
}

#endif

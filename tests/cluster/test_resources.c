/* SPDX-License-Identifier: BSD-3-Clause
 * Processing elements that come and go while the example jacobi runs on the emulated cluster: its
 * machine file is edited, nodes are taken away, and the solution is that of the plain program. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

#include "support/command.h"

enum { LIMIT = 120, ITERATIONS = 400 };

static void must_succeed(const char *what, command_t command)
{
    if (command.status != 0)
        fail_msg("%s: exit status %d\n%s%s", what, command.status, command.out, command.err);
    command_free(&command);
}

static char *content(const char *dir, const char *name)
{
    char *path, *text;
    if (asprintf(&path, "%s/%s", dir, name) < 0)
        abort();
    text = read_file(path, NULL);
    if (text == NULL)
        fail_msg("%s: there is no such file", path);
    free(path);
    return text;
}

/* The events of the trace. */
static cJSON *events_of(const char *dir)
{
    char *text = content(dir, "trace"), *rest = NULL;
    cJSON *events = cJSON_CreateArray();
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        cJSON_AddItemToArray(events, cJSON_Parse(line));
    free(text);
    return events;
}

static const char *text_of(const cJSON *event, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(event, name));
    return text != NULL ? text : "";
}

static double number_of(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    if (!cJSON_IsNumber(item))
        fail_msg("an event has no number \"%s\"", name);
    return item->valuedouble;
}

/* Members on NODE (any: NULL) in an interval event. */
static int members_on(const cJSON *interval, const char *node)
{
    int n = 0;
    const cJSON *member;
    cJSON_ArrayForEach(member, cJSON_GetObjectItemCaseSensitive(interval, "members")) n +=
        node == NULL || strcmp(text_of(member, "node"), node) == 0;
    return n;
}

/* Runs jacobi, paced to some ms per iteration, on PROCESSES of the file "machines", and SCRIPT
 * beside it; compares the solution. What it says on stderr, malloc. */
static char *run_and_compare(const char *dir, int processes, const char *settings,
                             const char *script)
{
    command_t command = command_shell(
        dir, LIMIT,
        "rm -f solution trace; cp machines.first machines; "
        "{ while ! grep -q '\"event\":\"interval\"' trace 2>/dev/null; do sleep 0.02; done; %s; } "
        "& EMU_MACHINES=\"$PWD/all\" EMU_SPEEDS=A=1,B=2 EMU_KAPPA=2e-6 XMPI_TRACE=trace "
        "XMPI_COUNTER=work XMPI_INTERVAL=10 "
        "%s '%s/tests/cluster/run' -m machines -n %d -- adaptive/jacobi -i %d -t 0 -o solution "
        "system; status=$?; wait; exit $status",
        script, settings, source_dir(), processes, ITERATIONS);
    if (command.status != 0)
        fail_msg("%s: exit status %d\n%s%s", settings, command.status, command.out, command.err);
    must_succeed("comparing the solutions", command_shell(dir, LIMIT, "cmp solution expected"));
    free(command.out);
    return command.err;
}

/* After the last resources event nobody is on NODE any more, and that before the DEADLINE that
 * the grace period set. */
static void assert_left(const char *dir, const char *node, double grace)
{
    cJSON *events = events_of(dir);
    const cJSON *event;
    double told = -1, left = -1;
    int last = -1;
    cJSON_ArrayForEach(event, events)
    {
        if (strcmp(text_of(event, "event"), "resources") == 0)
            told = number_of(event, "time");
        if (told >= 0 && left < 0 && strcmp(text_of(event, "event"), "reconfiguration") == 0 &&
            strcmp(text_of(event, "outcome"), "done") == 0)
            left = number_of(event, "time");
        if (strcmp(text_of(event, "event"), "interval") == 0)
            last = members_on(event, node);
    }
    assert_true(told >= 0 && left >= 0);
    assert_int_equal(last, 0);
    assert_true(left - told < grace);
    cJSON_Delete(events);
}

static int most_members(const char *dir)
{
    cJSON *events = events_of(dir);
    const cJSON *event;
    int most = 0;
    cJSON_ArrayForEach(event, events) if (strcmp(text_of(event, "event"), "interval") == 0)
    {
        int members = members_on(event, NULL);
        most = members > most ? members : most;
    }
    cJSON_Delete(events);
    return most;
}

static void a_withdrawn_node_is_left_in_time_by_spares(void **state)
{
    free(run_and_compare(*state, 4,
                         "XMPI_POLICY=balance XMPI_BACKEND=pool XMPI_ACTIVE=3 XMPI_GRACE=20",
                         "grep -v n1 machines.first >new && mv new machines"));
    assert_left(*state, "n1", 20); /* with rank 0, which leads */
}

static void a_withdrawn_node_is_left_in_time_by_spawned_processes(void **state)
{
    free(run_and_compare(*state, 2, "XMPI_POLICY=smp XMPI_BACKEND=spawn XMPI_GRACE=20",
                         "sleep 0.5; grep -v n3 machines.first >new && mv new machines"));
    assert_left(*state, "n3", 20);
}

/* Who takes over is got in the background, for which the node is no reason to give up. */
static void a_withdrawn_node_is_left_in_the_background(void **state)
{
    char *told = run_and_compare(*state, 3,
                                 "XMPI_POLICY=balance XMPI_BACKEND=spawn XMPI_MAX=3 "
                                 "XMPI_BACKGROUND=1 XMPI_INTERVAL=1",
                                 "grep -v n2 machines.first >new && mv new machines");
    char *trace = content(*state, "trace");
    assert_non_null(strstr(trace, "\"reason\":\"1 member leaves withdrawn"));
    assert_null(strstr(told, "a node is withdrawn"));
    free(trace);
    free(told);
}

static void process_0_says_that_it_cannot_leave(void **state)
{
    char *told = run_and_compare(*state, 2, "XMPI_POLICY=balance XMPI_BACKEND=spawn",
                                 "grep -v n1 machines.first >new && mv new machines");
    assert_non_null(strstr(told, "node n1 is withdrawn, but process 0 has to stay"));
    free(told);
}

static void a_new_node_is_used(void **state)
{
    free(run_and_compare(*state, 3, "XMPI_POLICY=smp XMPI_BACKEND=spawn XMPI_MAX=6",
                         "echo n4:B:4 >>machines"));
    assert_int_equal(most_members(*state), 6);
}

static void a_broken_file_changes_nothing(void **state)
{
    char *told = run_and_compare(*state, 4, "XMPI_POLICY=balance XMPI_BACKEND=spawn",
                                 "printf 'n1:A:2\\nn2:B\\n' >machines");
    assert_non_null(strstr(told, "machines:2: 2 fields"));
    assert_non_null(strstr(told, "the processing elements stay as they were"));
    assert_int_equal(most_members(*state), 4);
    free(told);
}

static int build_programs(void **state)
{
    char *dir = scratch_make(), *path;
    *state = dir;
    if (asprintf(&path, "%s/machines.first", dir) < 0)
        abort();
    write_file(path, "n1:A:2\nn2:B:1\nn3:B:1\n");
    free(path);
    must_succeed(
        "building",
        command_shell(dir, LIMIT,
                      "cp machines.first machines; '%s/tests/cluster/build_pace' pace.c && "
                      "make -s -C '%s/examples/jacobi' CC=\"'%s/bin/mpicc'\" BUILD=\"$PWD\" && "
                      "XMPICC_FLAGS=--xmpi-replaced=sweep make -s -C '%s/examples/jacobi' "
                      "CC=\"'%s/bin/xmpicc'\" BUILD=\"$PWD/adaptive\" "
                      "LDFLAGS=-Wl,--wrap=sweep LDLIBS=\"$PWD/pace.o\" "
                      "\"$PWD/adaptive/jacobi\" && cat machines >all && echo n4:B:4 >>all && "
                      "./generate -n 60 system",
                      source_dir(), source_dir(), build_dir(), source_dir(), build_dir()));
    must_succeed("the plain program",
                 command_shell(dir, LIMIT,
                               "'%s/tests/cluster/run' -m machines -n 2 -- ./jacobi -i %d -t 0 "
                               "-o expected system",
                               source_dir(), ITERATIONS));
    return 0;
}

static int remove_programs(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_withdrawn_node_is_left_in_time_by_spares),
        cmocka_unit_test(a_withdrawn_node_is_left_in_time_by_spawned_processes),
        cmocka_unit_test(a_withdrawn_node_is_left_in_the_background),
        cmocka_unit_test(process_0_says_that_it_cannot_leave),
        cmocka_unit_test(a_new_node_is_used),
        cmocka_unit_test(a_broken_file_changes_nothing),
    };
    return cmocka_run_group_tests(tests, build_programs, remove_programs);
}

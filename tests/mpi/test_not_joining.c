/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of processes that are called and do not join: on nodes that do not answer or are not there,
 * or that die on the way. The old layout runs on with right results,
 * the trace tells of it and so does one line; nothing is left behind. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 90 };

static char *dir;

static void write_in(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    write_file(path, text);
}

/* A launcher whose nodes are all on this machine, but for one that does not answer and one that
 * there is not. What hangs is found in the file "hanging". */
static const char launcher[] = "#!/bin/sh\n"
                               "XMPI_NODE=${1#*@}\n"
                               "export XMPI_NODE\n"
                               "case $XMPI_NODE in\n"
                               "mute) echo $$ >>hanging; exec sleep 600 ;;\n"
                               "gone) exit 255 ;;\n"
                               "esac\n"
                               "shift\n"
                               "eval exec \"$*\"\n";

static const char machines[] = "a0:C:4\na1:C:4\nmute:M:2\ngone:G:2\n";

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    write_in("launcher", launcher);
    write_in("machines", machines);
    write_in("hosts", "a0:4\na1:4\n");
    command_t made = command_shell(dir, SECONDS, "chmod +x launcher");
    command_free(&made);
    return program_build(dir, "evolve", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* Runs SCHEDULE with SETTINGS. Afterwards nothing of the program may run; what Hydra itself leaves
 * of a launcher that hangs is ended here. */
static command_t run(const char *settings, const char *options, const char *schedule)
{
    write_in("schedule", schedule);
    return command_shell(
        dir, SECONDS,
        "rm -f trace sizes hanging; %s "
        "XMPI_POLICY=${POLICY:-schedule} XMPI_SCHEDULE=${SCHEDULE-schedule} XMPI_INTERVAL=10 "
        "XMPI_IMBALANCE=1 "
        "XMPI_TRACE=trace "
        "'%s'/bin/mpiexec %s -n 2 \"$PWD\"/evolve 40 80 sizes; status=$?; "
        "for try in $(seq 40); do "
        "    left=$(pgrep -fc \"^$PWD/evolve\"); [ $left = 0 ] && break; sleep 0.5; done; "
        "[ ! -e hanging ] || kill $(cat hanging); "
        "echo \"left $left\"; exit $status",
        settings, build_dir(), options);
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        n++;
    return n;
}

/* FAILED changes were called off, of which ERR tells as many lines with WHY; DONE were carried out.
 */
static void check(const char *settings, const char *options, const char *schedule, const char *why,
                  int failed, int done)
{
    char path[512];
    command_t result = run(settings, options, schedule);
    /* A process that is killed while Hydra's proxy answers it takes the proxy along, and that the
     * job: nothing that the library could go on from. */
    for (int i = 0; i < 3 && strstr(result.err, "error writing PMI line") != NULL; i++) {
        command_free(&result);
        result = run(settings, options, schedule);
    }
    snprintf(path, sizeof path, "%s/trace", dir);
    char *trace = read_file(path, NULL);
    if (result.status != 0 || strstr(result.out, "evolve: ok 80 ") == NULL ||
        strstr(result.out, "left 0\n") == NULL || trace == NULL ||
        count(result.err, why) != failed ||
        count(result.err, "the program goes on as before") != failed ||
        count(trace, "\"outcome\":\"called off\"") != failed ||
        count(trace, "\"outcome\":\"done\"") != done)
        fail_msg("%s: status %d: %s%s\n%s", settings, result.status, result.out, result.err,
                 trace != NULL ? trace : "no trace");
    free(trace);
    command_free(&result);
}

static const char cluster[] = "-launcher rsh -launcher-exec ./launcher -f hosts -bind-to none";

/* Seconds in which processes surely have started that do start, on a machine as busy as this one:
 * two where there is nothing else to do. */
static int start_limit = 2;

static int measure_start(void)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    command_t result = run("XMPI_MAX=6", "", "spawn 3 any 10\n");
    clock_gettime(CLOCK_MONOTONIC, &after);
    double seconds =
        (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    int status = result.status, most = (int)(4 * seconds) + 1;
    start_limit = most > start_limit ? most : start_limit;
    command_free(&result);
    return status;
}

static void on_cluster(const char *settings, const char *schedule, const char *why, int failed,
                       int done)
{
    char all[512];
    snprintf(all, sizeof all, "XMPI_MACHINES=machines XMPI_TIMEOUT=%d %s", start_limit, settings);
    check(all, cluster, schedule, why, failed, done);
}

static void a_node_that_does_not_answer_is_given_up(void **state)
{
    (void)state;
    const char *schedule = "spawn 1 M 10\nspawn 2 C 20\nremove 1 C 40\n";
    on_cluster("", schedule, "(XMPI_TIMEOUT), the first on mute", 1, 2);
    on_cluster("XMPI_STRATEGY=group", schedule, "the first on mute", 1, 2);
    on_cluster("XMPI_STRATEGY=serial", schedule, "the first on mute", 1, 2);
}

/* Where it is up to a policy when processes come, the program goes on while the connection of a new
 * node is tried, and the node is left out then. */
static void nobody_waits_for_a_new_node(void **state)
{
    (void)state;
    char settings[256], path[512];
    snprintf(settings, sizeof settings,
             "POLICY=smp; SCHEDULE=; XMPI_MACHINES=machines XMPI_MAX=4 XMPI_TIMEOUT=%d "
             "EVOLVE_PAUSE_MS=%d",
             start_limit, 40 * start_limit);
    write_in("machines", "a0:C:2\nmute:M:2\na1:C:4\n");
    command_t result = run(settings, cluster, "");
    write_in("machines", machines);
    snprintf(path, sizeof path, "%s/trace", dir);
    char *trace = read_file(path, NULL);
    snprintf(path, sizeof path, "%s/sizes", dir);
    char *sizes = read_file(path, NULL);
    if (result.status != 0 || trace == NULL || sizes == NULL ||
        strstr(result.out, "evolve: ok 80 ") == NULL)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    if (count(trace, "processes are being got") == 0 || strstr(sizes, "\n79 4 ") == NULL ||
        count(result.err, "the first on mute") != 1)
        fail_msg("%s\n%s\n%s", result.err, sizes, trace);
    free(trace);
    free(sizes);
    command_free(&result);
}

static void a_node_that_there_is_not_is_given_up(void **state)
{
    (void)state;
    on_cluster("", "spawn 1 G 10\nspawn 2 C 20\nspawn 1 C 30\n", "the first on gone", 1, 2);
}

/* One of two is on a node that does not answer: the other is sent away. */
static void all_come_or_none(void **state)
{
    (void)state;
    const char *schedule = "spawn 1 M 10\nspawn 1 C 10\nremove 1 C 30\nspawn 3 C 40\n";
    on_cluster("", schedule, "1 of 2 new processes not ready", 1, 2);
}

static void a_joiner_that_dies_is_noticed(void **state)
{
    (void)state;
    const char *schedule = "spawn 2 any 10\nspawn 1 any 20\n", *why = "ended before it had joined";
    static const char *const how[] = {"", "XMPI_STRATEGY=group", "XMPI_STRATEGY=serial"};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        char settings[256];
        snprintf(settings, sizeof settings, "echo >die; EVOLVE_DIES=exit XMPI_MAX=6 %s", how[i]);
        check(settings, "", schedule, why, 1, 1);
    }
}

/* Where Hydra is told to leave the others alone, they go on. */
static void a_joiner_that_is_killed_is_noticed(void **state)
{
    (void)state;
    check("echo >die; EVOLVE_DIES=kill XMPI_MAX=6", "-disable-auto-cleanup",
          "spawn 2 any 10\nspawn 1 any 20\n", "ended before it had joined", 1, 1);
}

/* Otherwise a signal ends the whole job, as Hydra has it, but then all of it; a program that ends
 * before Hydra has come to that has missed the process only. */
static void a_joiner_that_is_killed_leaves_nothing_behind(void **state)
{
    (void)state;
    command_t result = run("echo >die; EVOLVE_DIES=kill XMPI_MAX=6", "", "spawn 2 any 10\n");
    bool good = result.status != 0 || strstr(result.out, "evolve: ok 80 ") != NULL;
    if (!good || strstr(result.out, "left 0\n") == NULL)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

/* In the background the members iterate on meanwhile, also past a failure, and a request that comes
 * while another is under way is carried out after it. */
static void requests_are_queued_in_the_background(void **state)
{
    (void)state;
    char path[512];
    char settings[128];
    snprintf(settings, sizeof settings, "XMPI_BACKGROUND=1 XMPI_MAX=6 EVOLVE_PAUSE_MS=%d",
             10 * start_limit); /* all come while it goes on */
    command_t result = run(settings, "", "spawn 2 any 10\nspawn 1 any 20\nremove 1 any 30\n");
    snprintf(path, sizeof path, "%s/trace", dir);
    char *trace = read_file(path, NULL);
    snprintf(path, sizeof path, "%s/sizes", dir);
    char *sizes = read_file(path, NULL);
    if (result.status != 0 || trace == NULL || sizes == NULL ||
        strstr(result.out, "evolve: ok 80 ") == NULL)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    /* Nobody waited at the point of iteration 10, and all came in the end. */
    assert_non_null(strstr(sizes, "\n10 2 "));
    assert_non_null(strstr(sizes, "\n79 4 "));
    assert_null(strstr(trace, "called off"));
    assert_int_equal(count(trace, "\"outcome\":\"done\""), 2 + (strstr(sizes, " 5 ") != NULL));
    free(trace);
    free(sizes);
    command_free(&result);
}

static int begin(void **state)
{
    return build(state) || measure_start();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_that_does_not_answer_is_given_up),
        cmocka_unit_test(nobody_waits_for_a_new_node),
        cmocka_unit_test(a_node_that_there_is_not_is_given_up),
        cmocka_unit_test(all_come_or_none),
        cmocka_unit_test(a_joiner_that_dies_is_noticed),
        cmocka_unit_test(a_joiner_that_is_killed_is_noticed),
        cmocka_unit_test(a_joiner_that_is_killed_leaves_nothing_behind),
        cmocka_unit_test(requests_are_queued_in_the_background),
    };
    return cmocka_run_group_tests(tests, begin, clean);
}

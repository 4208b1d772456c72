/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the runtime under MPI: a program that checks every element in every iteration is
 * rebalanced, grown, shrunk and exchanged on both backends. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 120 };

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

static command_t run(const char *settings, int processes, const char *arguments)
{
    return command_shell(dir, SECONDS, "%s '%s'/bin/mpiexec -n %d ./evolve %s", settings,
                         build_dir(), processes, arguments);
}

static void must_succeed(const char *settings, int processes, const char *arguments)
{
    command_t result = run(settings, processes, arguments);
    if (result.status != 0 || strncmp(result.out, "evolve: ok ", 11) != 0)
        fail_msg("%s -n %d evolve %s: status %d: %s%s", settings, processes, arguments,
                 result.status, result.out, result.err);
    command_free(&result);
}

/* --- traces ------------------------------------------------------------------------------------
 */

typedef struct {
    cJSON *line[4096];
    int lines;
} trace_t;

static trace_t trace_read(const char *name)
{
    trace_t trace = {.lines = 0};
    char path[512], *rest;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    char *text = read_file(path, NULL);
    assert_non_null(text);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        assert_true(trace.lines < 4096);
        trace.line[trace.lines] = cJSON_Parse(line);
        if (trace.line[trace.lines++] == NULL)
            fail_msg("not JSON: %s", line);
    }
    free(text);
    return trace;
}

static void trace_free(trace_t *trace)
{
    for (int i = 0; i < trace->lines; i++)
        cJSON_Delete(trace->line[i]);
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    if (!cJSON_IsNumber(item))
        fail_msg("no number %s in %s", name, cJSON_PrintUnformatted(object));
    return item->valuedouble;
}

/* How many reconfigurations of a kind have been done; NULL for any. */
static int count_done(const trace_t *trace, const char *kind)
{
    int n = 0;
    for (int i = 0; i < trace->lines; i++)
        n += strcmp(text_of(trace->line[i], "event"), "reconfiguration") == 0 &&
             (kind == NULL || strcmp(text_of(trace->line[i], "kind"), kind) == 0) &&
             strcmp(text_of(trace->line[i], "outcome"), "done") == 0;
    return n;
}

/* --- tests ---------------------------------------------------------------------------------------
 */

static void random_plans_change_nothing(const char *backend, int processes)
{
    for (int seed = 1; seed <= 6; seed++) {
        char settings[256];
        snprintf(settings, sizeof settings,
                 "XMPI_POLICY=random XMPI_SEED=%d XMPI_INTERVAL=3 XMPI_TRACE=t %s", seed, backend);
        must_succeed(settings, processes, "53 150");
        trace_t trace = trace_read("t");
        assert_true(count_done(&trace, NULL) >= 20);
        assert_true(count_done(&trace, "grow") > 0 && count_done(&trace, "shrink") > 0 &&
                    count_done(&trace, "rebalance") > 0);
        trace_free(&trace);
    }
}

static void random_plans_change_nothing_with_spawn(void **state)
{
    (void)state;
    random_plans_change_nothing("XMPI_BACKEND=spawn XMPI_MAX=6", 3);
}

static void random_plans_change_nothing_with_pool(void **state)
{
    (void)state;
    random_plans_change_nothing("XMPI_BACKEND=pool XMPI_ACTIVE=2", 6);
}

/* Fewer rows than members, no rows at all, one process. */
static void small_domains_are_no_special_case(void **state)
{
    (void)state;
    const char *settings = "XMPI_POLICY=random XMPI_INTERVAL=2 XMPI_BACKEND=pool XMPI_ACTIVE=3";
    must_succeed(settings, 6, "1 40");
    must_succeed(settings, 6, "4 40");
    must_succeed(settings, 6, "0 10");
    must_succeed("XMPI_POLICY=random XMPI_INTERVAL=2 XMPI_MAX=4", 1, "30 40");
}

static void follow_schedule(const char *settings, int processes)
{
    char path[512];
    snprintf(path, sizeof path, "%s/schedule", dir);
    write_file(path, "spawn 2 any 20\nremove 3 any 40\nspawn 1 any 60\n");
    snprintf(path, sizeof path,
             "rm -f sizes; XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=10 %s",
             settings);
    must_succeed(path, processes, "40 80 sizes");
    snprintf(path, sizeof path, "%s/sizes", dir);
    char *sizes = read_file(path, NULL);
    assert_non_null(sizes);
    assert_non_null(strstr(sizes, "\n19 3 here here here\n20 5 "));
    assert_non_null(strstr(sizes, " here\n40 2 here here\n"));
    assert_non_null(strstr(sizes, "\n59 2 here here\n60 3 here here here\n"));
    free(sizes);
}

static void schedules_are_followed(void **state)
{
    (void)state;
    follow_schedule("XMPI_BACKEND=spawn XMPI_MAX=5", 3);
    follow_schedule("XMPI_BACKEND=pool XMPI_ACTIVE=3", 5);
}

/* The processes are asked where they are: on emulated nodes, by class and placement. */
static void placement(const char *settings, const char *after_growing, const char *after_shrinking)
{
    char path[512], after[512];
    snprintf(path, sizeof path, "%s/cluster", dir);
    write_file(path, "q0:quad:4\nq1:quad:4\nq2:quad:4\nd0:dual:2\nd1:dual:2\n");
    snprintf(path, sizeof path, "%s/schedule", dir);
    write_file(path, "spawn 5 quad 10\nspawn 1 dual 10\nremove 2 quad 20\n");
    command_t result =
        command_shell(dir, SECONDS,
                      "rm -f nodes; %s XMPI_BUILD='%s' XMPI_POLICY=schedule XMPI_SCHEDULE=schedule "
                      "XMPI_INTERVAL=10 "
                      "'%s'/tests/cluster/run -m cluster -n 1 -- ./evolve 40 30 nodes",
                      settings, build_dir(), source_dir());
    if (result.status != 0)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
    snprintf(path, sizeof path, "%s/nodes", dir);
    char *nodes = read_file(path, NULL);
    assert_non_null(strstr(nodes, "0 1 q0\n"));
    snprintf(after, sizeof after, "\n10 7 %s\n", after_growing);
    if (strstr(nodes, after) == NULL)
        fail_msg("no line%sin\n%s", after, nodes);
    snprintf(after, sizeof after, "\n20 5 %s\n", after_shrinking);
    if (strstr(nodes, after) == NULL)
        fail_msg("no line%sin\n%s", after, nodes);
    free(nodes);
}

static void processes_are_where_the_scheduler_puts_them(void **state)
{
    (void)state;
    placement("XMPI_PLACEMENT=all", "q0 q0 q1 q1 q2 q2 d0", "q0 q0 q1 q2 d0");
    placement("XMPI_PLACEMENT=occupied", "q0 q0 q0 q0 q1 q1 d0", "q0 q0 q0 q0 d0");
}

/* Hydra has had trouble with a node whose processes have all ended. */
static void nodes_can_be_emptied_and_filled_again(void **state)
{
    (void)state;
    static const char *const strategies[] = {"concurrent", "group", "serial", "nodes"};
    char path[512];
    snprintf(path, sizeof path, "%s/cluster", dir);
    write_file(path, "a0:C:4\nb0:D:4\n");
    snprintf(path, sizeof path, "%s/schedule", dir);
    write_file(path, "spawn 3 D 10\nremove 3 D 20\nspawn 3 D 30\nremove 1 D 40\nspawn 1 D 50\n");
    snprintf(path, sizeof path, "%s/nodes", dir);
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        command_t result = command_shell(
            dir, SECONDS,
            "rm -f nodes; XMPI_STRATEGY=%s XMPI_POLICY=schedule XMPI_SCHEDULE=schedule "
            "XMPI_INTERVAL=10 MPIEXEC='%s'/bin/mpiexec '%s'/tests/cluster/run -m cluster -n 2 -- "
            "./evolve 40 60 nodes",
            strategies[i], build_dir(), source_dir());
        char *nodes = read_file(path, NULL);
        if (result.status != 0 || nodes == NULL ||
            strstr(nodes, "\n15 5 a0 a0 b0 b0 b0\n") == NULL ||
            strstr(nodes, "\n25 2 a0 a0\n") == NULL ||
            strstr(nodes, "\n35 5 a0 a0 b0 b0 b0\n") == NULL ||
            strstr(nodes, "\n55 5 a0 a0 b0 b0 b0\n") == NULL)
            fail_msg("%s: status %d: %s%s", strategies[i], result.status, result.out, result.err);
        free(nodes);
        command_free(&result);
    }
}

/* Started in one call each, three on either of two nodes; all of a node have left it, and are not
 * there any more while the program goes on. (Spawners are processes of the program, too: at most
 * four.) */
static void who_leaves_a_whole_node_ends(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/cluster", dir);
    write_file(path, "a0:C:4\nb0:D:4\nc0:D:4\n");
    snprintf(path, sizeof path, "%s/schedule", dir);
    write_file(path, "spawn 6 D 10\nremove 6 D 20\n");
    command_t result = command_shell(
        dir, SECONDS,
        "await() { for i in $(seq 1000); do eval \"$1\" && return; sleep 0.05; done; "
        "cat t out >&2; kill $job; exit 1; }\n"
        "rm -f t; XMPI_STRATEGY=nodes XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_TRACE=t "
        "XMPI_INTERVAL=10 MPIEXEC='%s'/bin/mpiexec '%s'/tests/cluster/run -m cluster -n 2 -- "
        "\"$PWD\"/evolve 40 100000000 >out 2>&1 & job=$!\n"
        "await 'grep -q \"to.:8.*outcome.:.done\" t 2>/dev/null'\n"
        "await 'grep -q \"to.:2.*outcome.:.done\" t'\n"
        "await \"[ \\$(pgrep -fc ^$PWD/evolve) -le 6 ]\"\n"
        "kill $job; wait; true",
        build_dir(), source_dir());
    if (result.status != 0)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

static void traces_tell_the_whole_run(void **state)
{
    (void)state;
    must_succeed("XMPI_POLICY=random XMPI_INTERVAL=5 XMPI_MAX=5 XMPI_TRACE=t", 2, "60 100");
    trace_t trace = trace_read("t");
    const cJSON *start = trace.line[0], *end = trace.line[trace.lines - 1];
    assert_string_equal(text_of(start, "event"), "start");
    assert_true(number_of(start, "version") == 1);
    assert_string_equal(text_of(start, "backend"), "spawn");
    assert_string_equal(text_of(end, "event"), "end");
    assert_true(number_of(end, "iterations") == 100);
    assert_true(number_of(end, "reconfigurations") == count_done(&trace, NULL));
    double members = number_of(start, "members"), iterations = 0, before = 0;
    for (int i = 0; i < trace.lines; i++) {
        const cJSON *line = trace.line[i];
        assert_true(number_of(line, "time") >= before);
        before = number_of(line, "time");
        if (strcmp(text_of(line, "event"), "interval") == 0) {
            double sampled = number_of(line, "iterations");
            assert_true(sampled == 5 || sampled == 4); /* without the first after a change */
            iterations = number_of(line, "iteration");
            double rows = 0, work = 0;
            const cJSON *member;
            assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(line, "members")), members);
            cJSON_ArrayForEach(member, cJSON_GetObjectItem(line, "members"))
            {
                assert_true(number_of(member, "displ") == rows);
                rows += number_of(member, "count");
                work += number_of(member, "work");
            }
            assert_true(rows == 60);
            assert_true(work == 60 * 4 * sampled); /* rows x elements of a and b x iterations */
        } else if (strcmp(text_of(line, "event"), "reconfiguration") == 0) {
            assert_true(number_of(line, "from") == members);
            members = number_of(line, "to");
            assert_true(number_of(line, "seconds") >= number_of(line, "redistribution"));
        }
    }
    assert_true(iterations == 95); /* the last interval is cut off by the end of the loop */
    assert_true(number_of(end, "members") == members);
    trace_free(&trace);
}

/* The program goes elsewhere, and so does the next leader, who is not the one that was started
 * first. */
static void files_stay_where_they_were_named(const char *settings, int processes)
{
    command_t result = command_shell(
        dir, SECONDS,
        "mkdir -p elsewhere; rm -f t r elsewhere/*; %s XMPI_POLICY=random XMPI_SEED=3 "
        "XMPI_INTERVAL=3 XMPI_TRACE=t XMPI_RECORD=r EVOLVE_FOLDER=\"$PWD/elsewhere\" "
        "'%s'/bin/mpiexec -n %d "
        "./evolve 53 150 && ls elsewhere && grep -c '\"event\":\"end\"' t && test -s r",
        settings, build_dir(), processes);
    if (result.status != 0 || strcmp(result.out, "evolve: ok 150 993418315\n1\n") != 0 ||
        result.err[0] != '\0')
        fail_msg("%s: status %d: %s%s", settings, result.status, result.out, result.err);
    command_free(&result);
    trace_t trace = trace_read("t");
    assert_true(count_done(&trace, NULL) > 5);
    trace_free(&trace);
}

static void relative_names_lead_from_where_the_job_began(void **state)
{
    (void)state;
    files_stay_where_they_were_named("XMPI_BACKEND=pool XMPI_ACTIVE=3", 6);
    files_stay_where_they_were_named("XMPI_BACKEND=spawn XMPI_MAX=5", 3);
}

static void a_bytes_bound_holds_for_a_rebalance(void **state)
{
    (void)state;
    /* 60 rows of 3 doubles and an int: no move can take more than all of them. */
    must_succeed("XMPI_POLICY=random XMPI_INTERVAL=2 XMPI_BACKEND=pool XMPI_TRACE=t", 3, "60 60");
    trace_t trace = trace_read("t");
    int checked = 0;
    for (int i = 0; i < trace.lines; i++) {
        if (strcmp(text_of(trace.line[i], "event"), "reconfiguration") != 0 ||
            strcmp(text_of(trace.line[i], "kind"), "rebalance") != 0)
            continue;
        assert_true(number_of(trace.line[i], "bytes") < 60 * (3 * 8 + 4));
        checked++;
    }
    assert_true(checked > 0);
    trace_free(&trace);
}

/* --- bad input -----------------------------------------------------------------------------------
 */

static void must_refuse(const char *settings, int processes, const char *part)
{
    command_t result = run(settings, processes, "20 10");
    const char *newline = strchr(result.err, '\n');
    if (result.status == 0 || strstr(result.err, part) == NULL || newline == NULL ||
        newline[1] != '\0' || result.out[0] != '\0')
        fail_msg("%s: status %d, output \"%s\", message \"%s\"", settings, result.status,
                 result.out, result.err);
    command_free(&result);
}

static void bad_input_gives_one_line_and_nothing_is_run(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/bad", dir);
    write_file(path, "spawn 2 any\n");
    snprintf(path, sizeof path, "%s/much", dir);
    write_file(path, "spawn 9 any 5\n");
    snprintf(path, sizeof path, "%s/machines", dir);
    write_file(path, "nowhere:C1:4\n");
    must_refuse("XMPI_POLICY=fastest", 2, "XMPI_POLICY=fastest: must be one of");
    must_refuse("XMPI_INTERVAL=0", 2, "XMPI_INTERVAL=0");
    must_refuse("XMPI_POLICY=schedule", 2, "set XMPI_SCHEDULE");
    must_refuse("XMPI_POLICY=schedule XMPI_SCHEDULE=none", 2, "none: No such file");
    must_refuse("XMPI_POLICY=schedule XMPI_SCHEDULE=bad", 2, "bad:1: fewer than four words");
    must_refuse("XMPI_POLICY=schedule XMPI_SCHEDULE=much XMPI_MAX=4", 2, "much:1: 9 processes");
    must_refuse("XMPI_POLICY=schedule XMPI_SCHEDULE=much XMPI_ACTIVE=2", 4, "much:1: 9 processes");
    must_refuse("XMPI_MACHINES=machines", 2, "machines: process 0 runs on node");
    must_refuse("XMPI_ACTIVE=5", 2, "XMPI_ACTIVE=5: mpiexec started only 2");
    must_refuse("XMPI_ACTIVE=1 XMPI_BACKEND=spawn", 2, "needs XMPI_BACKEND=pool");
    must_refuse("XMPI_TRACE=no/such/folder/t", 2, "no/such/folder/t: No such file");
    must_refuse("XMPI_COUNTER=NO_SUCH_EVENT", 2, "XMPI_COUNTER=NO_SUCH_EVENT");
}

/* Where this machine's processor counts nothing the work that is registered is taken, as elsewhere
 * in these tests. */
static void work_may_be_what_the_processor_counts(void **state)
{
    (void)state;
    static const char *const backends[] = {"spawn", "pool XMPI_ACTIVE=2"};
    for (int i = 0; i < 2; i++) {
        char settings[256];
        snprintf(settings, sizeof settings,
                 "XMPI_COUNTER=PAPI_TOT_INS,work XMPI_POLICY=random XMPI_INTERVAL=5 XMPI_MAX=5 "
                 "XMPI_TRACE=c "
                 "XMPI_BACKEND=%s",
                 backends[i]);
        must_succeed(settings, i == 0 ? 2 : 4, "60 100");
        trace_t trace = trace_read("c");
        assert_true(count_done(&trace, NULL) > 5);
        for (int j = 0; j < trace.lines; j++) {
            const cJSON *member;
            if (strcmp(text_of(trace.line[j], "event"), "interval") == 0)
                cJSON_ArrayForEach(member, cJSON_GetObjectItem(trace.line[j], "members"))
                    assert_true(number_of(member, "work") > 0);
        }
        trace_free(&trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_plans_change_nothing_with_spawn),
        cmocka_unit_test(random_plans_change_nothing_with_pool),
        cmocka_unit_test(small_domains_are_no_special_case),
        cmocka_unit_test(schedules_are_followed),
        cmocka_unit_test(processes_are_where_the_scheduler_puts_them),
        cmocka_unit_test(nodes_can_be_emptied_and_filled_again),
        cmocka_unit_test(who_leaves_a_whole_node_ends),
        cmocka_unit_test(traces_tell_the_whole_run),
        cmocka_unit_test(relative_names_lead_from_where_the_job_began),
        cmocka_unit_test(work_may_be_what_the_processor_counts),
        cmocka_unit_test(a_bytes_bound_holds_for_a_rebalance),
        cmocka_unit_test(bad_input_gives_one_line_and_nothing_is_run),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the trace: whole lines whatever happens, and a size that is bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "support/command.h"
#include "support/trace_schema.h"
#include "trace/trace.h"

static char *dir;
static xmpi_shared_t shared;
static xmpi_sample_t samples[2];

static int make(void **state)
{
    (void)state;
    dir = scratch_make();
    memset(&shared, 0, sizeof shared);
    snprintf(shared.settings.trace, sizeof shared.settings.trace, "%s/trace", dir);
    shared.settings.trace_limit = 1;
    shared.resources.pes = 2;
    shared.resources.pe = calloc(2, sizeof *shared.resources.pe);
    shared.processes = 2;
    shared.process = calloc(2, sizeof *shared.process);
    assert_int_equal(xmpi_layout_alloc(&shared.layout, 10, 2), XMPI_OK);
    shared.layout.member[1].process = shared.process[1].pe = 1;
    samples[0].iterations = samples[1].iterations = 3;
    samples[0].image = 4096;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    xmpi_shared_free(&shared);
    scratch_remove(dir);
    return 0;
}

static void open_trace(xmpi_trace_t *trace, bool first)
{
    xmpi_error_t error;
    memset(trace, 0, sizeof *trace);
    if (xmpi_trace_open(trace, &shared, first, &error) != XMPI_OK)
        fail_msg("%s", error.text);
}

/* The events of the file; every line must be one. */
static cJSON *events(void)
{
    size_t length;
    char *text = read_file(shared.settings.trace, &length);
    cJSON *list = cJSON_CreateArray();
    assert_non_null(text);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        cJSON *event = cJSON_Parse(line);
        assert_non_null(event);
        cJSON_AddItemToArray(list, event);
    }
    free(text);
    return list;
}

static double number(const cJSON *event, const char *name)
{
    return cJSON_GetObjectItem(event, name)->valuedouble;
}

static void new_leaders_append(void **state)
{
    xmpi_trace_t trace;
    (void)state;
    for (int leader = 0; leader < 3; leader++) {
        open_trace(&trace, leader == 0);
        xmpi_trace_interval(&trace, &shared, leader, 3 * leader, samples, 0, 0, "", NULL);
        xmpi_trace_close(&trace);
    }
    cJSON *list = events();
    assert_int_equal(cJSON_GetArraySize(list), 3);
    for (int i = 0; i < 3; i++)
        assert_true(number(cJSON_GetArrayItem(list, i), "number") == i);
    cJSON_Delete(list);
}

static void first_leader_begins_anew(void **state)
{
    xmpi_trace_t trace;
    (void)state;
    write_file(shared.settings.trace, "something else\n");
    open_trace(&trace, true);
    xmpi_trace_end(&trace, &shared, 0, 1, 1, 0, 0, 0, 0, NULL);
    xmpi_trace_close(&trace);
    cJSON *list = events();
    assert_int_equal(cJSON_GetArraySize(list), 1);
    cJSON_Delete(list);
}

/* Far more than fits in a MiB: the first ones are all there, the last ones rare, and the end says
 * how many are missing. */
static void size_is_bounded(void **state)
{
    enum { INTERVALS = 40000 };
    xmpi_trace_t trace;
    size_t length;
    (void)state;
    open_trace(&trace, true);
    for (int i = 0; i < INTERVALS; i++)
        xmpi_trace_interval(&trace, &shared, i, 3 * i, samples, 0, 0, "", NULL);
    xmpi_trace_end(&trace, &shared, 0, 3 * INTERVALS, 1, 0, 0, 0, 0, NULL);
    xmpi_trace_close(&trace);
    free(read_file(shared.settings.trace, &length));
    assert_true(length > 1 << 18);
    assert_true(length < (1 << 20) + 4096);
    cJSON *list = events();
    int n = cJSON_GetArraySize(list);
    const cJSON *end = cJSON_GetArrayItem(list, n - 1);
    assert_string_equal(cJSON_GetObjectItem(end, "event")->valuestring, "end");
    assert_true(number(end, "left_out") == INTERVALS - (n - 1));
    for (int i = 0; i < 500; i++)
        assert_true(number(cJSON_GetArrayItem(list, i), "number") == i);
    cJSON_Delete(list);
}

/* Reads the pipe FROM to its end. The bytes that came. */
static void *drink(void *from)
{
    static int64_t bytes;
    char part[1 << 16];
    bytes = 0;
    for (ssize_t n = read(*(int *)from, part, sizeof part); n != 0;
         n = read(*(int *)from, part, sizeof part))
        bytes += n > 0 ? n : 0;
    return &bytes;
}

/* Nobody knows how long the lines in the queue will be: short ones are followed by long ones while
 * the file stands still. */
static void size_is_bounded_while_the_file_stands_still(void **state)
{
    enum { SHORT = 100, LONG = 900, MEMBERS = 64 };
    xmpi_trace_t trace;
    xmpi_layout_t two = shared.layout, many;
    xmpi_sample_t sample[MEMBERS] = {0};
    void *bytes;
    (void)state;
    assert_int_equal(mkfifo(shared.settings.trace, 0600), 0);
    int pipe = open(shared.settings.trace, O_RDONLY | O_NONBLOCK);
    assert_true(pipe >= 0);
    open_trace(&trace, true);
    assert_int_equal(xmpi_layout_alloc(&many, 1000, MEMBERS), XMPI_OK);
    for (int i = 0; i < SHORT; i++)
        xmpi_trace_interval(&trace, &shared, i, 3 * i, samples, 0, 0, "", NULL);
    shared.layout = many;
    for (int i = 0; i < LONG; i++)
        xmpi_trace_interval(&trace, &shared, i, 3 * i, sample, 0, 0, "", NULL);
    shared.layout = two;
    pthread_t thread;
    assert_int_equal(fcntl(pipe, F_SETFL, 0), 0);
    assert_int_equal(pthread_create(&thread, NULL, drink, &pipe), 0);
    xmpi_trace_end(&trace, &shared, 0, 3 * (SHORT + LONG), 1, 0, 0, 0, 0, NULL);
    xmpi_trace_close(&trace);
    assert_int_equal(pthread_join(thread, &bytes), 0);
    close(pipe);
    xmpi_layout_free(&many);
    assert_true(*(int64_t *)bytes > 1 << 18);
    assert_true(*(int64_t *)bytes < (1 << 20) + 4096);
    assert_int_equal(unlink(shared.settings.trace), 0);
}

static void full_disk_costs_lines_only(void **state)
{
    xmpi_trace_t trace;
    (void)state;
    strcpy(shared.settings.trace, "/dev/full");
    open_trace(&trace, false);
    for (int i = 0; i < 10; i++)
        xmpi_trace_interval(&trace, &shared, i, i, samples, 0, 0, "", NULL);
    xmpi_trace_close(&trace);
    assert_null(trace.file);
}

static void file_that_cannot_be_written_is_named(void **state)
{
    xmpi_trace_t trace = {0};
    xmpi_error_t error;
    (void)state;
    strcpy(shared.settings.trace, "/nowhere/trace");
    assert_int_equal(xmpi_trace_open(&trace, &shared, true, &error), XMPI_ERR_INPUT);
    assert_string_equal(error.text, "XMPI_TRACE: /nowhere/trace: No such file or directory");
    xmpi_trace_interval(&trace, &shared, 0, 0, samples, 0, 0, "", NULL);
    xmpi_trace_close(&trace);
}

/* One member has all that there can be, the model all phases, and the changes all outcomes. */
static void fill(xmpi_reconfiguration_t *change, xmpi_decision_t *decision)
{
    *change = (xmpi_reconfiguration_t){.kind = "grow",
                                       .start = 1,
                                       .parting = 1,
                                       .predicted = {.total = 1, .start = 1, .behind = 1},
                                       .done = true};
    *decision = (xmpi_decision_t){.alternatives = 1, .chosen = 0, .alternative = {{.payback = 2}}};
    for (int i = 0; i < XMPI_CLASSES; i++)
        samples[0].operations[i].calls = 1;
    samples[0].tiles[0].number = 1;
    for (int i = 0; i < XMPI_PHASES; i++)
        shared.leader.model.error[i].n = 1;
}

/* docs/trace.md tells of every event and field that can be written, and of no other. */
static void schema_is_documented(void **state)
{
    static xmpi_speed_t speed[2] = {{.speed = 5}, {.speed = 6}};
    xmpi_trace_t trace;
    xmpi_decision_t decision;
    xmpi_reconfiguration_t change;
    xmpi_availability_t availability = {1, 1, 1};
    xmpi_prediction_t predicted = {.total = 1};
    xmpi_sample_t seen[2] = {samples[0], samples[1]};
    (void)state;
    seen[0].observed_kinds = 1;
    seen[0].observed[0] =
        (xmpi_observed_t){.kind = XMPI_KIND_ALLREDUCE, .members = 2, .calls = 3, .bytes = 24};
    fill(&change, &decision);
    open_trace(&trace, true);
    shared.rowless = true;
    xmpi_trace_start(&trace, &shared, "a.c:1", "work", 0, 100);
    shared.rowless = false;
    shared.leader.history.pes = 2;
    shared.leader.history.speed = speed;
    xmpi_trace_interval(&trace, &shared, 0, 1, samples, 0, 0, "", NULL);
    shared.resources.pe[1].parked = speed[1].idle = true; /* and one without a member */
    xmpi_trace_interval(&trace, &shared, 1, 2, seen, 0, 8e6, "tolerated", &predicted);
    shared.resources.pe[1].parked = speed[1].idle = false;
    xmpi_trace_decision(&trace, &shared, 2, &decision);
    xmpi_trace_plan(&trace, &shared, &change, &shared.layout);
    xmpi_trace_reconfiguration(&trace, &shared, &change);
    change = (xmpi_reconfiguration_t){.kind = "grow"};
    xmpi_trace_reconfiguration(&trace, &shared, &change);
    xmpi_checked_t checked = {.outcome = XMPI_NOT_CHECKED, .why = "it sends mail"};
    xmpi_trace_check(&trace, &shared, &checked);
    checked = (xmpi_checked_t){.outcome = XMPI_CHECKED_EQUAL, .why = "", .iterations = 1};
    xmpi_trace_check(&trace, &shared, &checked);
    xmpi_trace_resources(&trace, &shared, 3, "machines", &availability);
    xmpi_trace_pinned(&trace, &shared, 3, "it has no range");
    xmpi_trace_checkpoint(&trace, &shared,
                          &(xmpi_saved_t){.iteration = 3, .set = 1, .whole = true});
    xmpi_trace_restart(&trace, &shared, &(xmpi_saved_t){.iteration = 3, .set = 1});
    cJSON *values = cJSON_CreateArray();
    xmpi_trace_add_fingerprint(values, "u", "rows", &(xmpi_fingerprint_t){.values = 1});
    xmpi_trace_data(&trace, &shared, 3, values,
                    cJSON_CreateStringArray((const char *[]){"rows.0"}, 1));
    const xmpi_talk_t talk = {.peer = 1, .messages = 2, .bytes = 30};
    const int32_t rows[] = {1, 0};
    const int64_t rest[] = {4, 0};
    xmpi_traffic_t traffic;
    assert_int_equal(xmpi_traffic_make(&traffic, 2, rows, &talk, rest, NULL), XMPI_OK);
    xmpi_trace_matrix(&trace, &shared, 3, &traffic);
    xmpi_traffic_free(&traffic);
    const xmpi_node_seconds_t nodes = {.held = 2, .used = 1};
    xmpi_trace_end(&trace, &shared, 1, 3, 1, 1, 0, 0, 2, &nodes);
    xmpi_trace_close(&trace);
    shared.leader.history.pes = 0;
    shared.leader.history.speed = NULL;
    cJSON *list = events();
    const cJSON *event;
    cJSON_ArrayForEach(event, list) trace_schema_check(event);
    if (trace_schema_unseen() != NULL)
        fail_msg("docs/trace.md tells of %s, which is not written", trace_schema_unseen());
    cJSON_Delete(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(new_leaders_append, make, unmake),
        cmocka_unit_test_setup_teardown(first_leader_begins_anew, make, unmake),
        cmocka_unit_test_setup_teardown(size_is_bounded, make, unmake),
        cmocka_unit_test_setup_teardown(size_is_bounded_while_the_file_stands_still, make, unmake),
        cmocka_unit_test_setup_teardown(schema_is_documented, make, unmake),
        cmocka_unit_test_setup_teardown(full_disk_costs_lines_only, make, unmake),
        cmocka_unit_test_setup_teardown(file_that_cannot_be_written_is_named, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

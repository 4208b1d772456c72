/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the weights of rows under MPI: what counts as work, and how rows are divided by it. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/model/profile.h"
#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 120 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    int status = program_build(dir, "weights", "-lm");
    return status != 0 ? status : program_build(dir, "evolve_registered", "-lm");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* The lines of the trace t of a run. */
static cJSON *run(const char *settings, int processes, const char *command)
{
    char path[512], *rest;
    command_t result = command_shell(dir, SECONDS, "XMPI_TRACE=t %s '%s'/bin/mpiexec -n %d %s",
                                     settings, build_dir(), processes, command);
    if (result.status != 0)
        fail_msg("%s %s: status %d: %s", settings, command, result.status, result.err);
    command_free(&result);
    snprintf(path, sizeof path, "%s/t", dir);
    char *text = read_file(path, NULL);
    assert_non_null(text);
    cJSON *lines = cJSON_CreateArray();
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        cJSON_AddItemToArray(lines, cJSON_Parse(line));
    free(text);
    return lines;
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* In every interval the members' work is UNITS for each iteration, in at least INTERVALS. */
static void assert_work(const cJSON *lines, double units, int intervals)
{
    const cJSON *line, *member;
    cJSON_ArrayForEach(line, lines)
    {
        double work = 0;
        if (strcmp(cJSON_GetObjectItem(line, "event")->valuestring, "interval") != 0)
            continue;
        cJSON_ArrayForEach(member, cJSON_GetObjectItem(line, "members")) work +=
            number_of(member, "work");
        assert_true(fabs(work - units * number_of(line, "iterations")) < 1e-6);
        intervals--;
    }
    assert_true(intervals <= 0);
}

static void work_is_counted_in_weights(void **state)
{
    (void)state;
    static const char *const kinds[] = {"distributed", "replicated", "by_hand"};
    for (int i = 0; i < 3; i++) {
        char command[64];
        snprintf(command, sizeof command, "./weights 40 60 0 %s", kinds[i]);
        cJSON *lines =
            run("XMPI_POLICY=random XMPI_INTERVAL=2 XMPI_BACKEND=pool XMPI_ACTIVE=2", 4, command);
        assert_work(lines, 200, 20);
        cJSON_Delete(lines);
    }
}

/* The share of the work that LINE of a profile has in the first half of the domain, whose parts are
 * the numbers behind the iteration and the work; negative: it has no parts. */
static double share_of_first_half(const char *line, int *iteration)
{
    double work[XMPI_PROFILE_PARTS], first = 0, all = 0;
    char *at;
    *iteration = (int)strtol(line, &at, 10);
    strtod(at, &at);
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++) {
        work[i] = strtod(at, &at);
        all += work[i];
        first += i < XMPI_PROFILE_PARTS / 2 ? work[i] : 0;
    }
    return all > 0 ? first / all : -1;
}

/* Weights that change evenly are recorded with long intervals as they were in the middle of each,
 * but for half an iteration. */
static void a_profile_has_the_work_where_it_was(void **state)
{
    enum { ITERATIONS = 60, INTERVAL = 10 };
    char path[512], *rest;
    int lines = 0;
    (void)state;
    cJSON_Delete(run("XMPI_POLICY=balance XMPI_IMBALANCE=1 XMPI_RECORD=profile XMPI_INTERVAL=10", 1,
                     "./weights 256 60 0 wandering"));
    snprintf(path, sizeof path, "%s/profile", dir);
    char *text = read_file(path, NULL);
    assert_non_null(text);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        int iteration;
        double share = share_of_first_half(line, &iteration);
        double middle = (iteration - INTERVAL / 2.) / ITERATIONS;
        if (share < 0 || iteration <= INTERVAL) /* in which weights are others at first */
            continue;
        lines++;
        if (fabs(share - (9 - 8 * middle) / 10) > 0.8 * 0.5 / ITERATIONS)
            fail_msg("%g of the work until iteration %d in the first half", share, iteration);
    }
    assert_in_range(lines, 3, ITERATIONS / INTERVAL);
    free(text);
}

static void work_is_counted_in_nonzeros(void **state)
{
    (void)state;
    int nonzeros = 0;
    for (int row = 0; row < 47; row++)
        nonzeros += row * 5 % 7 * (row % 3 != 1);
    cJSON *lines = run("XMPI_POLICY=random XMPI_INTERVAL=2 XMPI_BACKEND=pool XMPI_ACTIVE=2", 4,
                       "./evolve_registered 47 60");
    assert_work(lines, nonzeros, 20);
    cJSON_Delete(lines);
}

/* Rows of the first of two members after the first rebalance. */
static double rows_of_first(const char *settings, const char *kind)
{
    char command[64];
    bool changed = false;
    snprintf(command, sizeof command, "./weights 200 6 0.1 %s", kind);
    cJSON *lines = run(settings, 2, command), *line;
    cJSON_ArrayForEach(line, lines)
    {
        const char *event = cJSON_GetObjectItem(line, "event")->valuestring;
        if (changed && strcmp(event, "interval") == 0)
            break;
        changed |= strcmp(event, "reconfiguration") == 0;
    }
    if (line == NULL)
        fail_msg("%s %s: no rebalance", settings, kind);
    double rows = number_of(cJSON_GetArrayItem(cJSON_GetObjectItem(line, "members"), 0), "count");
    cJSON_Delete(lines);
    return rows;
}

/* They are within LEAST and MOST; a machine whose load comes and goes while it is measured is given
 * another chance. */
static bool first_has(const char *settings, const char *kind, double least, double most)
{
    enum { TRIES = 4 };
    for (int i = 0; i < TRIES; i++) {
        double rows = rows_of_first(settings, kind);
        if (rows > least && rows < most)
            return true;
        printf("# %s %s: %g rows\n", settings, kind, rows);
    }
    return false;
}

/* 100 rows of 90 ms against 100 of 10 ms: with their weights known, both members are equally fast,
 * and 56 heavy rows balance the rest. Without weights the first member is a ninth as fast, and gets
 * 20 rows. Loads of the machine make it a few more or less. */
static void rows_are_divided_by_weight(void **state)
{
    (void)state;
    const char *settings = "XMPI_INTERVAL=2 XMPI_WINDOW=1 XMPI_COUNTER=work";
    assert_true(first_has(settings, "distributed", 45, 65));
    assert_true(first_has(settings, "replicated", 45, 65));
    assert_true(first_has("XMPI_LB=rows XMPI_INTERVAL=2 XMPI_WINDOW=1 XMPI_COUNTER=work",
                          "replicated", 0, 30));
}

/* The sums of the weights of so many rows are memory that the C library gives back to the system
 * when it is freed: whoever still looked at them would end the program. */
static void weights_of_many_rows_are_there_until_the_change(void **state)
{
    (void)state;
    cJSON *line, *lines = run("XMPI_INTERVAL=2 XMPI_WINDOW=1 XMPI_COUNTER=work", 2,
                              "./weights 100000 6 0.0002 distributed");
    int changes = 0;
    cJSON_ArrayForEach(line, lines) changes +=
        strcmp(cJSON_GetObjectItem(line, "event")->valuestring, "reconfiguration") == 0;
    assert_true(changes > 0);
    cJSON_Delete(lines);
}

static void weights_that_are_not_there_are_missed(void **state)
{
    (void)state;
    static const char *const kinds[] = {"weight", "nnz", "weight"};
    for (int i = 0; i < 3; i++) {
        command_t result = command_shell(dir, SECONDS,
                                         "XMPI_LB=%s '%s'/bin/mpiexec -n 2 ./weights "
                                         "40 60 0 %s",
                                         kinds[i], build_dir(), i == 2 ? "taken_back" : "none");
        assert_int_equal(result.status, 0);
        assert_string_equal(result.err,
                            i != 1 ? "xmpi: weights.c: XMPI_LB=weight: the program gives no "
                                     "weights; write #pragma xmpi loop weight(w), or call "
                                     "XMPI_Set_weights; until then all rows count alike\n"
                                   : "xmpi: weights.c: XMPI_LB=nnz: the program has registered no "
                                     "sparse matrix; until then all rows count alike\n");
        command_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_counted_in_weights),
        cmocka_unit_test(a_profile_has_the_work_where_it_was),
        cmocka_unit_test(work_is_counted_in_nonzeros),
        cmocka_unit_test(rows_are_divided_by_weight),
        cmocka_unit_test(weights_of_many_rows_are_there_until_the_change),
        cmocka_unit_test(weights_that_are_not_there_are_missed),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

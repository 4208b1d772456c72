/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of xmpi-calibrate and of what runs make of its file. */
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

#include "files/machine_file.h"
#include "support/command.h"

enum { LIMIT = 120 };

static char *dir;

static int make_dir(void **state)
{
    (void)state;
    dir = scratch_make();
    setenv("XDG_CACHE_HOME", dir, 1); /* whatever the user has there */
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static void ok(command_t command)
{
    if (command.status != 0)
        fail_msg("exit status %d\n%s%s", command.status, command.out, command.err);
    command_free(&command);
}

/* A few iterations of the probe with SETTINGS; what it said on stderr. */
static char *run_probe(const char *settings)
{
    command_t command = command_shell(
        dir, LIMIT,
        "XMPI_POLICY=balance XMPI_INTERVAL=2 XMPI_TRACE=trace %s '%s/bin/mpiexec' -n 2 "
        "'%s/lib/xmpi/calibration-probe' evolve 6 0 60",
        settings, build_dir(), build_dir());
    if (command.status != 0)
        fail_msg("exit status %d\n%s%s", command.status, command.out, command.err);
    free(command.out);
    return command.err;
}

/* Where the calibration of the last run came from. */
static void assert_origin(const char *expected)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/trace", dir) > 0);
    char *text = read_file(path, NULL);
    assert_non_null(text);
    cJSON *event = cJSON_Parse(text);
    const cJSON *origin = cJSON_GetObjectItemCaseSensitive(event, "calibration");
    assert_true(cJSON_IsString(origin));
    assert_string_equal(origin->valuestring, expected);
    cJSON_Delete(event);
    free(text);
    free(path);
}

static void runs_without_a_file_measure_by_themselves(void **state)
{
    (void)state;
    char *err = run_probe("");
    assert_null(strstr(err, "calibration"));
    assert_origin("short form");
    free(err);
}

static void the_command_writes_what_runs_find(void **state)
{
    (void)state;
    ok(command_shell(dir, LIMIT, "'%s/bin/xmpi-calibrate' -q -j 1", build_dir()));
    char *err = run_probe("");
    assert_null(strstr(err, "calibration"));
    assert_origin("file");
    free(err);
}

/* What xmpi-info says of the calibration that SETTINGS name. */
static void assert_info(const char *settings, const char *expected)
{
    command_t command = command_shell(dir, LIMIT, "%s '%s/bin/xmpi-info' | grep -A 2 ^Calibration",
                                      settings, build_dir());
    if (command.status != 0 || strstr(command.out, expected) == NULL)
        fail_msg("status %d, no \"%s\" in: %s", command.status, expected, command.out);
    command_free(&command);
}

static void xmpi_info_tells_whether_runs_would_use_it(void **state)
{
    (void)state;
    assert_info("", "valid: it is of this machine and this MPI");
    ok(command_shell(dir, LIMIT,
                     "sed 's/\"mpi\":.*/\"mpi\": \"another\"/' xmpi/calibration.json "
                     ">other; printf '{' >broken"));
    assert_info("XMPI_CALIBRATION=other", "runs ignore it: other: was measured with another MPI");
    assert_info("XMPI_CALIBRATION=broken", "runs ignore it: broken");
    assert_info("XDG_CACHE_HOME=/nowhere", "none: every run measures a short form");
}

static void damaged_files_are_reported_and_ignored(void **state)
{
    (void)state;
    ok(command_shell(dir, LIMIT, "printf '{\"xmpi_calibration\": 1}' >damaged"));
    char *err = run_probe("XMPI_CALIBRATION=damaged");
    assert_non_null(strstr(err, "xmpi: the calibration is ignored: damaged"));
    assert_origin("short form");
    free(err);
}

static void files_of_other_machines_are_reported_and_ignored(void **state)
{
    (void)state;
    ok(command_shell(dir, LIMIT,
                     "sed 's/\"cores\":.*/\"cores\": 12345,/' xmpi/calibration.json >stale"));
    char *err = run_probe("XMPI_CALIBRATION=stale");
    assert_non_null(strstr(err, "another number of cores"));
    assert_origin("short form");
    free(err);
}

static void errors_of_predictions_are_summed_up(void **state)
{
    (void)state;
    char *err = run_probe("XMPI_SUMMARY=1");
    assert_non_null(strstr(err, "xmpi: computation"));
    assert_non_null(strstr(err, "xmpi: interval"));
    free(err);
    char *path = NULL;
    assert_true(asprintf(&path, "%s/trace", dir) > 0);
    char *text = read_file(path, NULL);
    assert_non_null(strstr(text, "\"model\":{\"computation\":{\"mean\":"));
    assert_non_null(strstr(text, "\"predicted\":{\"computation\":"));
    free(text);
    free(path);
}

/* What one run recorded, another one predicts by. */
static void profiles_are_recorded_and_replayed(void **state)
{
    (void)state;
    char *err = run_probe("XMPI_RECORD=profile XMPI_COUNTER=work");
    assert_null(strstr(err, "profile"));
    free(err);
    ok(command_shell(dir, LIMIT, "grep -q '^2 ' profile && grep -q '^4 ' profile"));
    err = run_probe("XMPI_PROFILE=profile XMPI_COUNTER=work");
    assert_null(strstr(err, "profile"));
    free(err);
    err = run_probe("XMPI_PROFILE=missing");
    assert_non_null(strstr(err, "xmpi: the profile is ignored: missing"));
    free(err);
    err = run_probe("XMPI_RECORD=no/such/folder");
    assert_non_null(strstr(err, "xmpi: no profile is recorded: no/such/folder"));
    assert_non_null(strstr(err, "XMPI_RECORD=no/such/folder: there is no folder"));
    free(err);
}

/* Lines stay as they are, but for what was measured of their node. */
static void memory_and_disks_come_into_the_machine_file(void **state)
{
    (void)state;
    char path[4096];
    double memory, bandwidth, latency;
    snprintf(path, sizeof path, "%s/machines", dir);
    write_file(path, "# two nodes\nn1:C1:1:0.5 # here\nn2:C2:3::r1\n");
    command_t command = command_shell(
        dir, LIMIT, "XMPI_NODE=n1 XMPI_MACHINES='%s' '%s/bin/xmpi-calibrate' --disks .", path,
        build_dir());
    if (strstr(command.err, "in memory") != NULL || strstr(command.err, "page cache") != NULL) {
        assert_int_equal(command.status, 1);
        command_free(&command);
        skip(); /* scratch folders are on no disk here */
    }
    assert_int_equal(
        sscanf(command.out, "n1:C1:1:0.5::%lf:%lf:%lf\n", &memory, &bandwidth, &latency), 3);
    assert_true(memory > 0 && bandwidth > 0 && latency >= 0);
    assert_non_null(strstr(command.out, "\nn2:C2:3::r1\n"));
    xmpi_resources_t resources;
    xmpi_error_t error;
    write_file(path, command.out);
    assert_int_equal(xmpi_machines_read(path, &resources, &error), XMPI_OK);
    assert_true(resources.pes == 4 && resources.pe[0].memory > 0 && resources.pe[1].memory == 0);
    xmpi_resources_free(&resources);
    command_free(&command);
    command = command_shell(dir, LIMIT, "'%s/bin/xmpi-calibrate' --disks none 2>&1", build_dir());
    assert_int_equal(command.status, 1);
    assert_non_null(strstr(command.out, "none: No such file"));
    command_free(&command);
}

static void misuse_is_told(void **state)
{
    (void)state;
    command_t command =
        command_shell(dir, LIMIT, "'%s/bin/xmpi-calibrate' -m mpiexec 2>&1", build_dir());
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.out, "%n"));
    command_free(&command);
    command = command_shell(dir, LIMIT, "'%s/bin/xmpi-calibrate' -q -m 'false %%n' -o x 2>&1; ls x",
                            build_dir());
    assert_non_null(strstr(command.out, "failed"));
    assert_true(command.status != 0); /* and no file */
    command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_without_a_file_measure_by_themselves),
        cmocka_unit_test(the_command_writes_what_runs_find),
        cmocka_unit_test(xmpi_info_tells_whether_runs_would_use_it),
        cmocka_unit_test(damaged_files_are_reported_and_ignored),
        cmocka_unit_test(files_of_other_machines_are_reported_and_ignored),
        cmocka_unit_test(errors_of_predictions_are_summed_up),
        cmocka_unit_test(profiles_are_recorded_and_replayed),
        cmocka_unit_test(memory_and_disks_come_into_the_machine_file),
        cmocka_unit_test(misuse_is_told),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of calibration files: what is written is read, and nothing else is. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/command.h"
#include "files/calibration_file.h"

static char *dir, path[512];

static int make_dir(void **state)
{
    (void)state;
    dir = scratch_make();
    snprintf(path, sizeof path, "%s/calibration.json", dir);
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static const xmpi_machine_t machine = {.processor = "a processor", .cores = 2, .mpi = "an MPI"};

static xmpi_calibration_t sample(void)
{
    xmpi_calibration_t c;
    xmpi_calibration_assume(&c);
    c.link[XMPI_LINK_NODE].alpha = 12e-6;
    c.fresh = 0.25e-9;
    c.curve[XMPI_CURVE_CONCURRENT] =
        (xmpi_curve_t){.rounds = 2.5, .points = 3, .point = {{1, 0.05}, {4, 0.08}, {8, 0.15}}};
    c.classes = 2;
    strcpy(c.class_speed[0].name, "C1");
    c.class_speed[0].speed = 1.9;
    strcpy(c.class_speed[1].name, "C8");
    c.class_speed[1].speed = 4.62;
    return c;
}

static void write_sample(void)
{
    xmpi_calibration_t c = sample();
    xmpi_error_t error = {""};
    if (xmpi_calibration_write(path, &machine, &c, &error) != XMPI_OK)
        fail_msg("%s", error.text);
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-3 * fabs(expected)))
        fail_msg("%.12g instead of %.12g", value, expected);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    xmpi_calibration_t c;
    xmpi_error_t error = {""};
    write_sample();
    if (xmpi_calibration_read(path, &machine, &c, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    assert_string_equal(c.origin, "file");
    near(c.link[XMPI_LINK_NODE].alpha, 12e-6);
    near(c.link[XMPI_LINK_NETWORK].alpha, 100e-6);
    near(c.link[XMPI_LINK_NETWORK].long_beta, 0.008483e-6);
    near(c.fresh, 0.25e-9);
    assert_int_equal(c.curve[XMPI_CURVE_CONCURRENT].points, 3);
    assert_int_equal(c.curve[XMPI_CURVE_CONCURRENT].point[1].count, 4);
    near(c.curve[XMPI_CURVE_CONCURRENT].point[2].seconds, 0.15);
    near(c.curve[XMPI_CURVE_CONCURRENT].rounds, 2.5);
    near(c.agreement[XMPI_AGREE_JOINED].rounds, 3);
    near(xmpi_calibration_speed(&c, "C8"), 4.62);
}

/* As /dev/null: a pipe stays one, and gets what is written. */
static void devices_are_not_replaced(void **state)
{
    (void)state;
    xmpi_calibration_t c = sample();
    xmpi_error_t error = {""};
    struct stat info;
    char pipe[600], text[8192];
    snprintf(pipe, sizeof pipe, "%s/pipe", dir);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    int end = open(pipe, O_RDWR | O_NONBLOCK);
    assert_int_equal(xmpi_calibration_write(pipe, &machine, &c, &error), XMPI_OK);
    assert_true(stat(pipe, &info) == 0 && S_ISFIFO(info.st_mode));
    assert_true(read(end, text, sizeof text) > 0);
    close(end);
}

/* One line that names the file and says PART. */
static void assert_refused(const char *part, const xmpi_machine_t *here)
{
    xmpi_calibration_t c;
    xmpi_error_t error = {""};
    assert_int_equal(xmpi_calibration_read(path, here, &c, &error), XMPI_ERR_INPUT);
    if (strstr(error.text, part) == NULL || strstr(error.text, path) == NULL ||
        strchr(error.text, '\n') != NULL)
        fail_msg("message \"%s\" has no \"%s\" or no file", error.text, part);
}

static void a_folder_is_none(void **state)
{
    (void)state;
    unlink(path);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_refused("Is a directory", &machine);
    assert_int_equal(rmdir(path), 0);
}

static void other_machines_are_told_apart(void **state)
{
    (void)state;
    xmpi_machine_t other = machine;
    write_sample();
    other.cores = 64;
    assert_refused("cores", &other);
    other = machine;
    strcpy(other.processor, "another");
    assert_refused("processor", &other);
    other = machine;
    strcpy(other.mpi, "another");
    assert_refused("MPI", &other);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    write_file(path, "");
    assert_refused("JSON", &machine);
    write_file(path, "[1, 2]");
    assert_refused("JSON", &machine);
    write_file(path, "{}");
    assert_refused("xmpi_calibration", &machine);
    write_file(path, "{\"xmpi_calibration\": 99}");
    assert_refused("version", &machine);
    remove(path);
    assert_refused("No such file", &machine);
}

/* The text of the sample with OLD replaced by NEW once. */
static void write_changed(const char *old, const char *new)
{
    write_sample();
    char *text = read_file(path, NULL), *at = strstr(text, old), changed[8192];
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    write_file(path, changed);
    free(text);
}

/* What was made before a number came to mean something else, which its values do not show. */
static void stale_files_are_refused(void **state)
{
    (void)state;
    char now[64], before[64];
    snprintf(now, sizeof now, "\"xmpi_calibration\":\t%d,", XMPI_CALIBRATION_VERSION);
    snprintf(before, sizeof before, "\"xmpi_calibration\":\t%d,", XMPI_CALIBRATION_VERSION - 1);
    write_changed(now, before);
    assert_refused("another version than this library's", &machine);
    assert_refused("run xmpi-calibrate", &machine);
}

static void values_that_no_machine_has_are_refused(void **state)
{
    (void)state;
    write_changed("1.2e-05", "-1.2e-05");
    assert_refused("alpha", &machine);
    write_changed("1.2e-05", "1e999");
    assert_refused("alpha", &machine);
    write_changed("1.2e-05", "\"fast\"");
    assert_refused("alpha", &machine);
    write_changed("[4, 0.08]", "[1, 0.08]");
    assert_refused("concurrent", &machine);
    write_changed("[4, 0.08]", "[4, -0.08]");
    assert_refused("concurrent", &machine);
    write_changed("\"rounds\":\t2.5", "\"rounds\":\t-2.5");
    assert_refused("concurrent", &machine);
    write_changed("[4, 0.08]", "4");
    assert_refused("concurrent", &machine);
    write_changed("4.62", "0");
    assert_refused("C8", &machine);
}

/* Files with random bytes changed: refused, or what is read can be used. */
static void garbage_never_reaches_a_decision(void **state)
{
    (void)state;
    static const char alphabet[] = "0123456789-+.eE,:{}[]\" \nNnaifx";
    int refused = 0, used = 0;
    uint64_t random = 4711;
    write_sample();
    char *good = read_file(path, NULL);
    size_t length = strlen(good);
    for (int round = 0; round < 3000; round++) {
        xmpi_calibration_t c;
        xmpi_error_t error = {""};
        char *text = strdup(good);
        for (int k = 0; k < 1 + round % 4; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            text[(random >> 33) % length] = alphabet[(random >> 20) % (sizeof alphabet - 1)];
        }
        write_file(path, text);
        free(text);
        if (xmpi_calibration_read(path, &machine, &c, &error) != XMPI_OK) {
            assert_true(error.text[0] != '\0');
            refused++;
            continue;
        }
        assert_int_equal(xmpi_calibration_check(&c, &error), XMPI_OK);
        used++;
    }
    free(good);
    assert_true(refused > 100 && used > 100);
}

static void the_machine_here_is_itself(void **state)
{
    (void)state;
    xmpi_machine_t here, again;
    xmpi_machine_here(&here, "MPI\tone\nline");
    xmpi_machine_here(&again, "MPI\tone\nline");
    assert_memory_equal(&here, &again, sizeof here);
    assert_true(here.cores >= 1 && here.processor[0] != '\0');
    assert_null(strpbrk(here.mpi, "\n\t"));
}

static void the_standard_place_is_in_the_cache(void **state)
{
    (void)state;
    char place[512];
    setenv("XDG_CACHE_HOME", "/a cache", 1);
    xmpi_calibration_path(place, sizeof place);
    assert_string_equal(place, "/a cache/xmpi/calibration.json");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/a home", 1);
    xmpi_calibration_path(place, sizeof place);
    assert_string_equal(place, "/a home/.cache/xmpi/calibration.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(devices_are_not_replaced),
        cmocka_unit_test(a_folder_is_none),
        cmocka_unit_test(other_machines_are_told_apart),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(stale_files_are_refused),
        cmocka_unit_test(values_that_no_machine_has_are_refused),
        cmocka_unit_test(garbage_never_reaches_a_decision),
        cmocka_unit_test(the_machine_here_is_itself),
        cmocka_unit_test(the_standard_place_is_in_the_cache),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of monitoring under MPI: by hand, and what a trace says of I/O and of pipelines. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "observe/faults.h"
#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 60 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    int status = program_build(dir, "monitor_iter", "-lsde");
    if (status == 0)
        status = program_build(dir, "pipeline", "");
    return status != 0 ? status : program_build(dir, "files", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* With the runtime, and where it leaves the program alone. */
static void iterations_are_monitored_by_hand(void **state)
{
    (void)state;
    static const char *const policies[] = {"balance", "off"};
    for (int i = 0; i < 2; i++) {
        command_t result = command_shell(dir, SECONDS,
                                         "XMPI_POLICY=%s '%s'/bin/mpiexec -n 1 "
                                         "./monitor_iter",
                                         policies[i], build_dir());
        assert_int_equal(result.status, 0);
        assert_string_equal(result.out, "1\n1\n1000 1\n2000 1\n3000 1\n1\n");
        assert_string_equal(result.err, "xmpi: rank 0: XMPI_Monitor_iter_begin: PAPI cannot count "
                                        "PAPI_NO_SUCH here\n");
        command_free(&result);
    }
}

/* --- I/O ----------------------------------------------------------------------------------------
 */

/* Operations of a class in an interval. */
typedef struct {
    double calls, bytes, seconds;
} operations_t;

enum { INTERVALS = 11, EACH = 4, BLOCK = 4096 };

static operations_t operations_of(const cJSON *event, const char *class_name)
{
    const cJSON *member = cJSON_GetArrayItem(cJSON_GetObjectItem(event, "members"), 0);
    const cJSON *entry = cJSON_GetObjectItem(cJSON_GetObjectItem(member, "operations"), class_name);
    if (entry == NULL)
        return (operations_t){0};
    return (operations_t){cJSON_GetObjectItem(entry, "calls")->valuedouble,
                          cJSON_GetObjectItem(entry, "bytes")->valuedouble,
                          cJSON_GetObjectItem(entry, "seconds")->valuedouble};
}

/* The operations of class io in each interval, and all that were waited for otherwise. */
static void read_trace(const char *path, int intervals, operations_t *io, double *waits)
{
    int n = 0;
    char *text = read_file(path, NULL), *rest = text;
    assert_non_null(text);
    *waits = 0;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        cJSON *event = cJSON_Parse(line);
        const cJSON *kind = cJSON_GetObjectItem(event, "event");
        if (kind != NULL && strcmp(kind->valuestring, "interval") == 0 && n < intervals) {
            assert_int_equal(cJSON_GetObjectItem(event, "iterations")->valueint, EACH);
            *waits += operations_of(event, "wait").calls;
            io[n++] = operations_of(event, "io");
        }
        cJSON_Delete(event);
    }
    free(text);
    assert_int_equal(n, intervals);
}

static void expect(operations_t io, double calls, double bytes)
{
    assert_true(io.calls == calls * EACH);
    assert_true(io.bytes == bytes * EACH);
}

/* Each interval does something else (tests/mpi/programs/files.c). Nothing of it is told by the
 * program, and none is computation. */
static void what_moves_data_of_files_is_io(void **state)
{
    (void)state;
    operations_t io[INTERVALS];
    double waits;
    char path[4096];
    long out[2];
    /* (The first run brings the program into memory: its own faults would count, too.) */
    command_t result = command_shell(dir, SECONDS,
                                     "'%s'/bin/mpiexec -n 1 ./files >first && XMPI_TRACE=trace "
                                     "'%s'/bin/mpiexec -n 1 ./files",
                                     build_dir(), build_dir());
    if (result.status != 0)
        fail_msg("status %d: %s", result.status, result.err);
    assert_int_equal(
        sscanf(result.out, "out of memory %ld out of memory %ld files: ok", &out[0], &out[1]), 2);
    snprintf(path, sizeof path, "%s/trace", dir);
    read_trace(path, INTERVALS, io, &waits);
    expect(io[0], 6, 5 * BLOCK);
    expect(io[1], 4, 4 * BLOCK);
    /* The stream goes to its file once in a buffer, and then all that has been written and read has
     * been moved. */
    assert_true(io[2].calls > 0 && io[2].calls < EACH * 40);
    assert_true(io[2].bytes == 2. * EACH * 200 * 100);
    assert_true(io[3].calls > 0 && io[3].calls < EACH * 1000);
    assert_true(io[3].bytes >= EACH * 2 * 5000);
    expect(io[4], 2, BLOCK);
    /* (How often a request is tested depends on the disk.) */
    assert_true(io[5].calls >= 7 * EACH);
    assert_true(io[5].bytes == 4. * EACH * BLOCK);
    assert_true(waits == EACH); /* the one for a message */
    expect(io[6], 2, 2);
    assert_true(io[6].seconds >= EACH * 0.005); /* so late is the file */
    expect(io[7], 0, 0);
    expect(io[8], 0, 0);
    for (int i = 0; i < 2; i++) /* 16 writes and four other calls, and a fault for each page */
        assert_true(io[9 + i].calls >= EACH * 19 + (double)out[i]);
    command_free(&result);
}

/* What liburing enters the kernel by (tests/mpi/programs/ring_files.c). Bytes are in the ring; of
 * its functions some call others of them. */
static void what_is_waited_for_in_a_ring_is_io(void **state)
{
    (void)state;
    enum { WAYS = 5 };
    operations_t io[WAYS];
    double waits;
    char path[4096];
    if (access("/usr/include/liburing.h", R_OK) != 0 ||
        program_build(dir, "ring_files", "-luring") != 0)
        skip(); /* without liburing-dev */
    command_t result = command_shell(
        dir, SECONDS, "XMPI_TRACE=trace '%s'/bin/mpiexec -n 1 ./ring_files", build_dir());
    if (result.status != 0)
        fail_msg("status %d: %s", result.status, result.err);
    bool none = strcmp(result.out, "ring_files: none\n") == 0;
    command_free(&result);
    if (none)
        skip(); /* a kernel that has no ring, or gives none */
    snprintf(path, sizeof path, "%s/trace", dir);
    read_trace(path, WAYS, io, &waits);
    expect(io[0], 1, 0);
    expect(io[1], 1, 0);
    for (int i = 2; i < 4; i++) { /* begun, the word to the child, and the wait, which may be two */
        assert_true(io[i].calls >= 3. * EACH && io[i].calls <= 4. * EACH);
        assert_true(io[i].bytes == EACH); /* the word */
        assert_true(io[i].seconds >= EACH * 0.005);
    }
    expect(io[4], 0, 0);
    assert_true(waits == 0);
}

/* Of the time in which a thread neither runs nor wants to, what is waited for in faults. */
static void faults_take_what_is_waited_for(void **state)
{
    (void)state;
    xmpi_faults_t begin = {.cpu = 10, .delayed = 5, .faults = 100, .switches = 200};
    xmpi_faults_t end = {.cpu = 13, .delayed = 7, .faults = 110, .switches = 210};
    assert_true(xmpi_faults_seconds(9, &begin, &end) == 4);
    end.switches = 240; /* three of four waits were for something else */
    assert_true(xmpi_faults_seconds(9, &begin, &end) == 1);
    assert_true(xmpi_faults_seconds(4, &begin, &end) == 0); /* readings are never at once */
    end.faults = begin.faults;
    assert_true(xmpi_faults_seconds(9, &begin, &end) == 0);
    assert_true(xmpi_faults_read().cpu > 0);
}

/* Pages that the kernel has at hand are no I/O, unless others have them read. */
static void pages_that_others_read_are_faults(void **state)
{
    (void)state;
    enum { PAGES = 64 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int others = 0; others < 2; others++) {
        char *pages =
            mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(pages != MAP_FAILED);
        madvise(pages, PAGES * page, MADV_NOHUGEPAGE);
        xmpi_faults_read_by_others(others);
        assert_true(xmpi_faults_are_read_by_others() == others);
        int64_t before = xmpi_faults_read().faults;
        for (int i = 0; i < PAGES; i++)
            pages[(size_t)i * page] = 1;
        int64_t faults = xmpi_faults_read().faults - before;
        munmap(pages, PAGES * page);
        assert_true(others ? faults >= PAGES : faults < PAGES);
    }
    xmpi_faults_read_by_others(false);
}

/* --- pipelines ----------------------------------------------------------------------------------
 */

/* All members of all intervals have seen so many TILES in each iteration, one way; gives how many
 * intervals there were. */
static int check_tiles(const char *path, int tiles)
{
    int n = 0;
    char *text = read_file(path, NULL), *rest = text;
    const cJSON *member;
    assert_non_null(text);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        cJSON *event = cJSON_Parse(line);
        const cJSON *kind = cJSON_GetObjectItem(event, "event");
        if (kind != NULL && strcmp(kind->valuestring, "interval") == 0) {
            int iterations = cJSON_GetObjectItem(event, "iterations")->valueint;
            cJSON_ArrayForEach(member, cJSON_GetObjectItem(event, "members"))
            {
                const cJSON *seen = cJSON_GetObjectItem(member, "tiles");
                assert_int_equal(cJSON_GetArrayItem(seen, 0)->valueint, tiles * iterations);
                assert_int_equal(cJSON_GetArrayItem(seen, 1)->valueint, 0);
            }
            n++;
        }
        cJSON_Delete(event);
    }
    free(text);
    return n;
}

/* However the members wait. */
static void tiles_of_pipelines_are_counted(void **state)
{
    enum { TILES = 7 };
    char path[4096], plain[256] = "";
    (void)state;
    snprintf(path, sizeof path, "%s/tiles", dir);
    static const char *const settings[] = {"XMPI_POLICY=off", "XMPI_POLICY=balance XMPI_WAIT=spin",
                                           "XMPI_POLICY=balance XMPI_WAIT=sleep"};
    for (int i = 0; i < 3; i++) {
        command_t result = command_shell(dir, SECONDS,
                                         "%s XMPI_INTERVAL=4 XMPI_TRACE=tiles "
                                         "'%s'/bin/mpiexec -n 3 ./pipeline 3000 %d 20",
                                         settings[i], build_dir(), TILES);
        if (result.status != 0)
            fail_msg("status %d: %s", result.status, result.err);
        if (i == 0)
            snprintf(plain, sizeof plain, "%s", result.out);
        assert_string_equal(result.out, plain);
        if (i > 0)
            assert_true(check_tiles(path, TILES) >= 4);
        command_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_are_monitored_by_hand),
        cmocka_unit_test(what_moves_data_of_files_is_io),
        cmocka_unit_test(what_is_waited_for_in_a_ring_is_io),
        cmocka_unit_test(faults_take_what_is_waited_for),
        cmocka_unit_test(tiles_of_pipelines_are_counted),
        cmocka_unit_test(pages_that_others_read_are_faults),
    };
    return cmocka_run_group_tests(tests, build, clean);
}

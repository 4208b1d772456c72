/* SPDX-License-Identifier: BSD-3-Clause
 * Room for a copy of the data: when a checkpoint is due it is there, so that the program, which
 * stands still for the copy, does not wait for memory. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/data/copy.h"
#include "act/checkpoint/saving.h"

enum { ROWS = 16, ROW_BYTES = 2 << 20 };

static void *slot;
static xmpi_array_t array = {.name = "u",
                             .scheme = XMPI_GEN_DISTRIBUTED,
                             .rows = ROWS,
                             .row_length = ROW_BYTES / 8,
                             .row_bytes = ROW_BYTES,
                             .slot = &slot};
static xmpi_registry_t registry = {.arrays = 1, .array = &array, .domain = ROWS};
static const xmpi_block_t all = {.count = ROWS, .displ = 0};
static const char folder[] = "/nowhere"; /* what is written does not matter here */

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* Page faults of a copy. */
static long copy(xmpi_saving_t *saving)
{
    const xmpi_part_file_t part = {.parts = 1};
    long before = faults();
    saving->copies = true;
    assert_int_equal(xmpi_saving_begin(saving, &registry, all, &part, folder), XMPI_OK);
    long after = faults();
    assert_memory_equal(saving->copy, slot, ROWS * ROW_BYTES);
    return after - before;
}

static int make(void **state)
{
    (void)state;
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); /* each page is a fault */
    slot = malloc(ROWS * ROW_BYTES);
    memset(slot, 7, ROWS * ROW_BYTES);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    free(slot);
    return 0;
}

static void a_copy_finds_its_room(void **state)
{
    (void)state;
    static xmpi_saving_t without, with;
    long pages = ROWS * ROW_BYTES / sysconf(_SC_PAGESIZE);
    assert_in_range(copy(&without), pages, 2 * pages);
    xmpi_saving_free(&without);
    with.copies = true;
    xmpi_saving_prepare(&with, &registry, all);
    while (xmpi_saving_is_busy(&with)) /* none is due before */
        usleep(1000);
    assert_in_range(copy(&with), 0, pages / 16);
    assert_in_range(copy(&with), 0, pages / 16);
    xmpi_saving_free(&with);
}

/* Who cannot wait until the room is there gets the rest by copying. */
static void who_does_not_wait_has_a_copy(void **state)
{
    (void)state;
    static xmpi_saving_t saving = {.copies = true};
    xmpi_saving_prepare(&saving, &registry, all);
    copy(&saving);
    xmpi_saving_wait(&saving);
    xmpi_saving_free(&saving);
}

/* Wherever it begins and ends, and nothing beside it. */
static void what_goes_past_the_caches_is_the_same(void **state)
{
    enum { MOST = 10000, ROOM = MOST + 256 };
    static char from[ROOM], to[ROOM], wanted[ROOM];
    static const size_t sizes[] = {0, 1, 63, 64, 4095, 4096, 4097, 4160, 8191, MOST};
    (void)state;
    for (int i = 0; i < ROOM; i++)
        from[i] = (char)(i * 31 + i / 256);
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        for (size_t at = 0; at < 130; at++) {
            size_t other = (at * 7) % 65;
            memset(to, 1, sizeof to);
            memset(wanted, 1, sizeof wanted);
            memcpy(wanted + at, from + other, sizes[n]);
            xmpi_copy_past(to + at, from + other, sizes[n]);
            assert_memory_equal(to, wanted, sizeof to);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_past_the_caches_is_the_same),
        cmocka_unit_test(a_copy_finds_its_room),
        cmocka_unit_test(who_does_not_wait_has_a_copy),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of what redistribution is made of: pages, the piece map, and the limit of memory. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/machine/memory.h"
#include "act/moving/storage/pages.h"
#include "act/data/piece_map.h"
#include "decide/layout/transfer.h"
#include "support/command.h"

/* Pages can move only from one mapping; a second move finds several. */
static void moved_bytes_are_the_same_wherever_they_lie(void **state)
{
    (void)state;
    const size_t size = (size_t)40 << 20, room = size + (1 << 16);
    static const size_t to_at[] = {0, 4096, 100, 36864}, from_at[] = {0, 8192, 164, 1};
    char *from = malloc(room), *to, *previous = malloc(room);
    for (size_t i = 0; i < room; i++)
        previous[i] = from[i] = (char)(i * 31 + i / 4096);
    for (size_t k = 0; k < 4; k++) {
        to = malloc(room);
        xmpi_pages_move(to + to_at[k], from + from_at[k], size);
        assert_memory_equal(to + to_at[k], previous + from_at[k], size);
        free(from);
        free(previous);
        from = to;
        memset(from, 1, to_at[k]); /* what was not moved */
        memset(from + to_at[k] + size, 2, room - to_at[k] - size);
        previous = malloc(room);
        memcpy(previous, from, room);
    }
    free(from);
    free(previous);
}

/* Pages of what is not needed any more arrive elsewhere, at most as many as there are, and leave
 * what is beside them as it is. */
static void pages_are_used_again(void **state)
{
    (void)state;
    const size_t size = (size_t)20 << 20;
    xmpi_pages_pool_t pool = {0};
    char *from = malloc(size), *to = calloc(1, 2 * size);
    memset(from, 7, size);
    memset(to, 5, 100);
    memset(to + size - 100, 6, size);
    xmpi_pages_give(&pool, from + 1000, size / 2);
    xmpi_pages_give(&pool, from + 1000 + size / 2, size / 4);
    assert_int_equal(pool.ranges, 2);
    xmpi_pages_take(&pool, to + 100, size - 200);
    assert_int_equal(pool.ranges, 0);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(to[i], 5);
        assert_int_equal(to[size - 100 + i], 6);
        assert_int_equal(from[i], 7);
    }
    assert_int_equal(to[size / 4], 7);
    memset(from, 1, size); /* still memory, with other pages */
    memset(to, 2, 2 * size);
    xmpi_pages_give(&pool, from, size);
    xmpi_pages_drop(&pool);
    assert_int_equal(pool.ranges, 0);
    assert_int_equal(from[size / 2], 0);
    free(from);
    free(to);
}

static void extents_do_not_overflow(void **state)
{
    (void)state;
    const int64_t far = (int64_t)1 << 40;
    xmpi_array_t array = {.rows = far, .row_bytes = 1 << 20, .row_stride = 1 << 21};
    xmpi_storage_t storage = {.rows = {far, 0}};
    xmpi_extent_t extent = xmpi_extent_of(&array, &storage, far - 3, 3);
    assert_true(extent.offset == (far - 3) << 21);
    assert_int_equal(extent.strips, 3);
    assert_true(xmpi_storage_bytes(&array, &storage) == far << 21);
    xmpi_piece_t piece = {0, 5, INT64_MAX / 2}, last = xmpi_transfer_part(piece, 4095, 4096);
    assert_true(last.first + last.rows == piece.first + piece.rows);
    assert_true(last.rows > 0 && last.rows <= piece.rows / 4096 + 1);
}

static void the_limit_comes_from_the_cgroup(void **state)
{
    char path[512], *dir = scratch_make();
    (void)state;
    assert_true(xmpi_memory_left(dir) == INT64_MAX);
    snprintf(path, sizeof path, "%s/memory.max", dir);
    write_file(path, "max\n");
    assert_true(xmpi_memory_left(dir) == INT64_MAX);
    write_file(path, "1000\n");
    assert_int_equal(xmpi_memory_left(dir), 1000);
    snprintf(path, sizeof path, "%s/memory.current", dir);
    write_file(path, "800\n");
    assert_int_equal(xmpi_memory_left(dir), 200);
    snprintf(path, sizeof path, "%s/memory.stat", dir);
    write_file(path, "anon 500\ninactive_file 300\n");
    assert_int_equal(xmpi_memory_left(dir), 500);
    assert_true(xmpi_memory_limit(INT64_MAX, 0, 1000000) >= 64 << 20);
    assert_int_equal(xmpi_memory_limit(INT64_MAX, 1 << 20, 1), 1 << 20);
    /* What is always there is not looked for. */
    assert_int_equal(xmpi_memory_limit(64 << 20, 0, 1), 64 << 20);
    scratch_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moved_bytes_are_the_same_wherever_they_lie),
        cmocka_unit_test(pages_are_used_again),
        cmocka_unit_test(extents_do_not_overflow),
        cmocka_unit_test(the_limit_comes_from_the_cgroup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

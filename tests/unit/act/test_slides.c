/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of storage in which every row has a place of its own. XMPI_TEST_SEED gives another seed. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "act/moving/storage/slide_calls.h"
#include "act/moving/storage/slides.h"
#include "support/simulated_world.h"

static const int64_t mib = (int64_t)1 << 20;

/* Sanitizers have all memory to themselves. */
static void skip_with_sanitizers(void)
{
    const char *flags = getenv("SANITIZE_FLAGS");
    if (flags != NULL && flags[0] != '\0')
        skip();
    assert_true(xmpi_slide_calls_are_ours());
}

static char *make(int64_t front, int64_t bytes, int64_t behind)
{
    char *block = xmpi_slide_make(front, bytes, behind, NULL);
    assert_non_null(block);
    assert_true(xmpi_slide_has(block));
    return block;
}

/* The compiler, which knows malloc and free, does not learn from where on a block was one. */
static char *hidden(char *at)
{
    char *volatile same = at;
    return same;
}

/* Whether the system would let AT be read. */
static bool is_there(char *at)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    bool there = write(ends[1], at, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return there;
}

static void a_block_lies_as_it_is_told_to(void **state)
{
    (void)state;
    skip_with_sanitizers();
    for (uintptr_t like = 16; like < (uintptr_t)1 << 30; like = like * 3 + 16) {
        char *block = xmpi_slide_make(5 * mib, 3 * mib, mib, (const void *)like);
        char *volatile was = block;
        assert_non_null(block);
        assert_int_equal(((uintptr_t)block - like) % (uintptr_t)(2 * mib), 0);
        memset(block, 1, (size_t)(3 * mib));
        free(block);
        assert_false(xmpi_slide_has(was));
        assert_false(is_there(was));
    }
}

static void a_block_moves_where_it_has_address_space(void **state)
{
    char *block = make(8 * mib, 4 * mib, 8 * mib);
    (void)state;
    skip_with_sanitizers();
    assert_true(xmpi_slide_reaches(block, -8 * mib, 12 * mib));
    assert_false(xmpi_slide_reaches(block, -13 * mib, 0));
    assert_false(xmpi_slide_reaches(block, 0, 17 * mib));
    assert_false(xmpi_slide_reaches(block + 1, 0, 1));
    block[4 * mib - 1] = 7;
    assert_true(xmpi_slide_open(block, -5 * mib, 0));
    block[-5 * mib] = 3;
    xmpi_slide_settle(block, -5 * mib, 4 * mib, 0);
    assert_false(xmpi_slide_has(block));
    assert_true(xmpi_slide_has(block - 5 * mib));
    assert_in_range(malloc_usable_size(block - 5 * mib), 9 * mib, 9 * mib + 4096);
    assert_int_equal(block[-5 * mib] + block[4 * mib - 1], 10);
    free(hidden(block - 5 * mib));
}

/* First of what was given up just now; what is beyond it is no memory any more. */
static void some_room_stays_beside_a_block(void **state)
{
    char *block = make(0, 12 * mib, 0);
    (void)state;
    skip_with_sanitizers();
    memset(block, 5, (size_t)(12 * mib));
    xmpi_slide_settle(block, 4 * mib, 8 * mib, 5 * mib);
    assert_true(is_there(block));
    assert_true(is_there(block + 9 * mib - 1));
    assert_false(is_there(block + 9 * mib + 8192));
    xmpi_slide_settle(block + 4 * mib, 0, 4 * mib, mib);
    assert_false(is_there(block));
    assert_true(is_there(block + 9 * mib - 1));
    xmpi_slide_settle(block + 4 * mib, mib, 4 * mib, 0);
    assert_false(is_there(block + 4 * mib));
    assert_false(is_there(block + 8 * mib + 8192));
    assert_int_equal(block[5 * mib], 5);
    free(hidden(block + 5 * mib));
}

/* As the program does with what it got from malloc. */
static void a_block_changes_its_size_like_any_other(void **state)
{
    (void)state;
    skip_with_sanitizers();
    for (int i = 0; i < 3; i++) {
        char *block = make(mib, 2 * mib, mib), *volatile was = block;
        memset(block, 9, (size_t)(2 * mib));
        size_t size = (size_t)(i == 0 ? 4 * mib : mib);
        char *other = i == 2 ? reallocarray(block, size / 16, 16) : realloc(block, size);
        assert_non_null(other);
        assert_false(xmpi_slide_has(other));
        assert_false(is_there(was));
        assert_int_equal(other[0] + other[(i == 0 ? 2 * mib : mib) - 1], 18);
        free(other);
    }
    char *volatile block = make(mib, 2 * mib, mib);
    volatile size_t too_many = SIZE_MAX / 8;
    assert_null(reallocarray(block, too_many, 16));
    assert_int_equal(errno, ENOMEM);
    assert_null(realloc(block, too_many * 4));
    assert_true(xmpi_slide_has(block));
    assert_null(realloc(block, 0));
    assert_false(is_there(block));
}

static void other_memory_comes_back_as_ever(void **state)
{
    (void)state;
    skip_with_sanitizers();
    char *slide = make(mib, mib, mib), *block = malloc(100);
    assert_true(malloc_usable_size(block) >= 100 && malloc_usable_size(block) < 200);
    assert_int_equal(malloc_usable_size(NULL), 0);
    block = realloc(block, 1000);
    block = reallocarray(block, 100, 100);
    free(block);
    free(NULL);
    block = realloc(NULL, 10);
    free(block);
    free(slide);
}

static void there_are_only_so_many(void **state)
{
    char *block[200];
    int n = 0;
    (void)state;
    skip_with_sanitizers();
    while (n < 200 && (block[n] = xmpi_slide_make(0, mib, 0, NULL)) != NULL)
        n++;
    assert_int_equal(n, 64);
    while (n > 0)
        free(block[--n]);
    free(make(0, mib, 0));
    assert_null(xmpi_slide_make(-1, mib, 0, NULL));
    assert_null(xmpi_slide_make(0, 0, 0, NULL));
    assert_null(xmpi_slide_make(INT64_MAX, mib, INT64_MAX, NULL));
}

/* --- blocks of members ------------------------------------------------------------------------ */

enum { MEMBERS = 3, ROWS = 48, CHAINS = 8, CHANGES = 12 };

static uint64_t dice;

static int throw(int sides)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice >> 33) % (uint64_t)sides);
}

static void divide(xmpi_block_t *block)
{
    int cut = throw(ROWS + 1), other = throw(4) == 0 ? cut : throw(ROWS + 1);
    int low = cut < other ? cut : other, high = cut < other ? other : cut;
    block[0] = (xmpi_block_t){low, 0};
    block[1] = (xmpi_block_t){high - low, low};
    block[2] = (xmpi_block_t){ROWS - high, high};
}

/* Rows of up to 4 elements, more in some places than in others. */
static void add_sparse(world_t *world)
{
    xmpi_array_t sparse = {.name = "sparse", .rows = ROWS, .shape = XMPI_SHAPE_OFFSETS};
    sparse.offsets = world->arrays;
    sparse.offset_bytes = throw(2) ? 4 : 8;
    sparse.row_bytes = sparse.offset_bytes;
    sparse.origin = throw(2);
    sparse.global = throw(2);
    sparse.halo = throw(4) == 0;
    sparse.constant = throw(2);
    world->array[world->arrays++] = sparse;
    sparse.shape = XMPI_SHAPE_ENTRIES;
    sparse.row_bytes = 50000 + throw(3) * 7000;
    world->array[world->arrays++] = sparse;
}

static void describe(world_t *world, uint64_t seed)
{
    dice = seed * 2654435761u + 12345;
    memset(world, 0, sizeof *world);
    world->seed = seed;
    world->rows = ROWS;
    world->arrays = 2;
    for (int i = 0; i < 2; i++) {
        world->array[i] = (xmpi_array_t){.name = "data", .rows = ROWS};
        world->array[i].row_bytes = 60000 + throw(3) * 5536 + (throw(2) ? 0 : 24);
        world->array[i].halo = throw(3) == 0 ? 1 + throw(2) : 0;
        world->array[i].row_stride = throw(4) == 0 ? world->array[i].row_bytes + 40 : 0;
        world->array[i].constant = i == 1 && throw(2);
    }
    add_sparse(world);
    world->change = (xmpi_change_t){.olds = MEMBERS,
                                    .transit = MEMBERS,
                                    .new_rank = world->new_rank,
                                    .old_block = world->old_block,
                                    .new_block = world->new_block};
    for (int p = 0; p < MEMBERS; p++)
        world->new_rank[p] = p;
    divide(world->old_block);
    world_make_processes(world);
}

/* How many blocks of the world do not go to other storage. */
static int sliding(const world_t *world)
{
    int n = 0;
    for (int p = 0; p < MEMBERS; p++)
        for (int i = 0; i < world->arrays; i++)
            n += world->process[p].local[0].move[i].keeping == XMPI_STORAGE_SLID;
    return n;
}

static int slid;

/* Called off, at once, or while the program uses constant arrays. */
static void change(world_t *world)
{
    if (throw(4) == 0) {
        assert_int_equal(world_ready(world, 0, XMPI_ARRAYS_ALL), XMPI_OK);
        world_cancel(world, 0);
        world->moved = 0;
    }
    if (throw(2) == 0) {
        assert_int_equal(world_ready(world, 0, XMPI_ARRAYS_ALL), XMPI_OK);
        slid += sliding(world);
        world_move(world, 0, 1 + throw(3));
        world_commit(world, 0);
        return;
    }
    assert_int_equal(world_ready(world, 0, XMPI_ARRAYS_CONSTANT), XMPI_OK);
    world_move_in_background(world, 0);
    assert_int_equal(world_ready(world, 1, XMPI_ARRAYS_OTHER), XMPI_OK);
    world_move(world, 1, 1);
    world_commit(world, 1);
    world_commit(world, 0);
}

/* As malloc promises. */
static void check_alignment(const world_t *world)
{
    for (int p = 0; p < MEMBERS; p++)
        for (int i = 0; i < world->arrays; i++)
            assert_int_equal((uintptr_t)world->process[p].slot[i] % _Alignof(max_align_t), 0);
}

static void rows_are_right_after_any_number_of_changes(void **state)
{
    uint64_t seed = world_first_seed();
    world_t world;
    (void)state;
    skip_with_sanitizers();
    for (int chain = 0; chain < CHAINS; chain++) {
        describe(&world, seed + (uint64_t)chain);
        for (int i = 0; i < CHANGES; i++) {
            divide(world.new_block);
            world.moved = 0;
            int64_t least = world_least_bytes(&world);
            change(&world);
            world_check(&world, true);
            check_alignment(&world);
            assert_int_equal(world.moved, least);
            memcpy(world.old_block, world.new_block, sizeof world.old_block);
        }
        world_free(&world);
    }
    assert_true(slid >= CHAINS * CHANGES / 4);
}

static void to(world_t *world, int64_t first, int64_t second)
{
    world->new_block[0] = (xmpi_block_t){first, 0};
    world->new_block[1] = (xmpi_block_t){second, first};
    world->new_block[2] = (xmpi_block_t){ROWS - first - second, first + second};
}

static void move(world_t *world, int64_t first, int64_t second)
{
    to(world, first, second);
    assert_int_equal(world_ready(world, 0, XMPI_ARRAYS_ALL), XMPI_OK);
    world_move(world, 0, 1);
    world_commit(world, 0);
    world_check(world, true);
    memcpy(world->old_block, world->new_block, sizeof world->old_block);
}

/* Of 3 MB each at first, in a slide from the first change on. */
static void make_sliding(world_t *world)
{
    describe(world, 1);
    world_free(world);
    world->arrays = 2;
    world->array[0] = world->array[1] =
        (xmpi_array_t){.name = "data", .rows = ROWS, .row_bytes = 160008};
    to(world, 16, 16);
    memcpy(world->old_block, world->new_block, sizeof world->old_block);
    memset(world->process, 0, sizeof world->process);
    world_make_processes(world);
    move(world, 20, 14);
}

static void rows_that_stay_are_not_copied(void **state)
{
    world_t world;
    (void)state;
    skip_with_sanitizers();
    make_sliding(&world);
    char *last = world.process[2].slot[0], *middle = world.process[1].slot[1];
    assert_true(xmpi_slide_has(last) && xmpi_slide_has(middle));
    move(&world, 14, 12);
    assert_ptr_equal(world.process[2].slot[0], last - 8 * 160008);
    assert_ptr_equal(world.process[1].slot[1], middle - 6 * 160008);
    move(&world, 22, 14);
    assert_ptr_equal(world.process[2].slot[0], last + 2 * 160008);
    assert_ptr_equal(world.process[1].slot[1], middle + 2 * 160008);
    world_free(&world);
}

/* Where the system gives no more to those who slide the change is called off, and done later. */
static void nothing_is_lost_where_memory_runs_out(void **state)
{
    struct rlimit before, none;
    world_t world;
    (void)state;
    skip_with_sanitizers();
    make_sliding(&world);
    move(&world, 40, 4);
    to(&world, 4, 4);
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    none = (struct rlimit){4096, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &none), 0);
    xmpi_status_t status = world_ready(&world, 0, XMPI_ARRAYS_ALL);
    bool slides = status != XMPI_OK && sliding(&world) > 0;
    world_cancel(&world, 0);
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
    assert_int_equal(status, XMPI_ERR_MEMORY);
    assert_true(slides);
    world_check(&world, false);
    move(&world, 4, 4);
    world_free(&world);
}

/* A program without address space goes on with copies. */
static void there_may_be_no_address_space(void **state)
{
    struct rlimit before, little;
    (void)state;
    skip_with_sanitizers();
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    little = (struct rlimit){(rlim_t)1 << 30, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
    assert_null(xmpi_slide_make(mib << 12, mib, mib << 12, NULL));
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_lies_as_it_is_told_to),
        cmocka_unit_test(a_block_moves_where_it_has_address_space),
        cmocka_unit_test(some_room_stays_beside_a_block),
        cmocka_unit_test(a_block_changes_its_size_like_any_other),
        cmocka_unit_test(other_memory_comes_back_as_ever),
        cmocka_unit_test(there_are_only_so_many),
        cmocka_unit_test(rows_are_right_after_any_number_of_changes),
        cmocka_unit_test(rows_that_stay_are_not_copied),
        cmocka_unit_test(nothing_is_lost_where_memory_runs_out),
        cmocka_unit_test(there_may_be_no_address_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

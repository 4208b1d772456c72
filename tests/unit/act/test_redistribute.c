/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of redistribution without MPI: members are simulated, and every byte of random structures
 * is checked after random changes of layout. XMPI_TEST_SEED gives another seed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "support/simulated_world.h"

enum { CASES = 10000 };

static void every_element_arrives_and_only_the_least_moves(void **state)
{
    uint64_t seed = world_first_seed();
    world_t world;
    (void)state;
    print_message("# %d layouts from seed %llu on\n", CASES, (unsigned long long)seed);
    for (int i = 0; i < CASES; i++) {
        world_make(&world, seed + (uint64_t)i);
        world_check(&world, false);
        assert_int_equal(world_ready(&world, 0, XMPI_ARRAYS_ALL), XMPI_OK);
        world_move(&world, 0, 1 + i % 4 * (i % 3));
        world_commit(&world, 0);
        world_check(&world, true);
        if (world.moved != world_least_bytes(&world))
            fail_msg("seed %llu: %lld bytes moved, %lld would do", (unsigned long long)world.seed,
                     (long long)world.moved, (long long)world_least_bytes(&world));
        world_free(&world);
    }
}

/* Constant arrays move while the program still uses all of them; then the others. */
static void constant_arrays_move_while_they_are_used(void **state)
{
    uint64_t seed = world_first_seed();
    world_t world;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        world_make(&world, seed + (uint64_t)i);
        assert_int_equal(world_ready(&world, 0, XMPI_ARRAYS_CONSTANT), XMPI_OK);
        world_check(&world, false);
        world_move_in_background(&world, 0);
        world_check(&world, false);
        assert_int_equal(world_ready(&world, 1, XMPI_ARRAYS_OTHER), XMPI_OK);
        if (i % 5 == 0) { /* it may still be called off */
            world_check(&world, false);
            world_cancel(&world, 1);
            world_cancel(&world, 0);
            world_check(&world, false);
        } else {
            world_move(&world, 1, 1 + i % 3);
            world_commit(&world, 1);
            world_commit(&world, 0);
            world_check(&world, true);
            assert_int_equal(world.moved, world_least_bytes(&world));
        }
        world_free(&world);
    }
}

/* Allocations that are still granted; the hook of the registry has no argument for it. */
static int granted;

static void *allocate_some(size_t size)
{
    return granted-- > 0 ? malloc(size) : NULL;
}

static void nothing_is_lost_where_memory_runs_out(void **state)
{
    uint64_t seed = world_first_seed();
    int failed = 0;
    world_t world;
    (void)state;
    for (int i = 0; i < CASES / 4; i++) {
        world_make(&world, seed + (uint64_t)i);
        process_t *poor = &world.process[i % world.change.transit];
        poor->registry.allocate = allocate_some;
        granted = i % 4;
        if (world_ready(&world, 0, XMPI_ARRAYS_ALL) == XMPI_OK) {
            world_move(&world, 0, 1);
            world_commit(&world, 0);
            world_check(&world, true);
        } else {
            failed++;
            assert_non_null(strstr(poor->local[0].error.text, "no memory for"));
            world_cancel(&world, 0);
            world_check(&world, false);
            for (int p = 0; p < world.change.transit; p++)
                assert_memory_equal(world.process[p].slot, world.process[p].was,
                                    sizeof world.process[p].slot);
        }
        world_free(&world);
    }
    assert_true(failed > CASES / 40);
}

/* Two members, of which the first one's block ends or begins elsewhere. */
static void two_members(world_t *world, xmpi_block_t before, xmpi_block_t after, int64_t rows)
{
    memset(world, 0, sizeof *world);
    world->rows = rows;
    world->arrays = 1;
    world->array[0] = (xmpi_array_t){.name = "data", .rows = rows, .row_bytes = 1};
    world->old_block[0] = before;
    world->new_block[0] = after;
    world->old_block[1] = (xmpi_block_t){rows - before.count, before.displ == 0 ? before.count : 0};
    world->new_block[1] = (xmpi_block_t){rows - after.count, after.displ == 0 ? after.count : 0};
    world->new_rank[1] = 1;
    world->change = (xmpi_change_t){.olds = 2,
                                    .transit = 2,
                                    .new_rank = world->new_rank,
                                    .old_block = world->old_block,
                                    .new_block = world->new_block};
}

static xmpi_keeping_t keeping_for(int64_t row_bytes, xmpi_block_t before, xmpi_block_t after)
{
    world_t world;
    two_members(&world, before, after, 100);
    world.array[0].row_bytes = row_bytes;
    world_make_processes(&world);
    assert_int_equal(world_ready(&world, 0, XMPI_ARRAYS_ALL), XMPI_OK);
    xmpi_keeping_t keeping = world.process[0].local[0].move[0].keeping;
    world_move(&world, 0, 1);
    world_commit(&world, 0);
    world_check(&world, true);
    world_free(&world);
    return keeping;
}

/* What has to grow, and is little, is copied to other storage, as all know before they agree. */
static void blocks_that_change_at_their_end_stay_in_place(void **state)
{
    const xmpi_block_t half = {50, 0}, less = {20, 0}, more = {90, 0};
    const xmpi_block_t behind = {50, 50}, shifted = {40, 60};
    (void)state;
    for (int64_t bytes = 1; bytes <= 1 << 16; bytes <<= 16) {
        assert_int_equal(keeping_for(bytes, half, half), XMPI_STORAGE_STAYS);
        assert_int_equal(keeping_for(bytes, half, less), XMPI_STORAGE_RESIZED);
        assert_int_equal(keeping_for(bytes, half, more),
                         bytes == 1 ? XMPI_STORAGE_FRESH : XMPI_STORAGE_RESIZED);
        assert_int_equal(keeping_for(bytes, behind, shifted), XMPI_STORAGE_FRESH);
    }
}

/* The first member's block becomes BEFORE, AFTER and BEFORE rows of 1 << SHIFT bytes long, where it
 * gets no memory the second time. What its storage holds in between. */
static size_t sway(int shift, int64_t before, int64_t after, xmpi_status_t back)
{
    world_t world;
    two_members(&world, (xmpi_block_t){before, 0}, (xmpi_block_t){after, 0}, 100);
    world.array[0].row_bytes = (int64_t)1 << shift;
    world_make_processes(&world);
    process_t *first = &world.process[0];
    assert_int_equal(world_ready(&world, 0, XMPI_ARRAYS_ALL), XMPI_OK);
    world_move(&world, 0, 1);
    world_commit(&world, 0);
    world_check(&world, true);
    size_t held = malloc_usable_size(first->slot[0]);
    for (int p = 0; p < 2; p++) {
        xmpi_block_t block = world.old_block[p];
        world.old_block[p] = world.new_block[p];
        world.new_block[p] = block;
    }
    first->registry.allocate = allocate_some;
    granted = 0;
    assert_int_equal(world_ready(&world, 0, XMPI_ARRAYS_ALL), back);
    if (back == XMPI_OK) {
        world_move(&world, 0, 1);
        world_commit(&world, 0);
        world_check(&world, true);
    } else {
        world_cancel(&world, 0);
    }
    world_free(&world);
    return held >> shift;
}

static void a_block_that_sways_keeps_some_room(void **state)
{
    (void)state;
    assert_in_range(sway(16, 60, 50, XMPI_OK), 60, 61);
    assert_in_range(sway(16, 60, 40, XMPI_ERR_MEMORY), 40, 41);
    assert_in_range(sway(10, 60, 1, XMPI_OK), 60, 61); /* all of it, where that is little */
}

/* An array of fixed size stays where it is, and nothing moves where it has not the room. */
static void arrays_of_fixed_size_stay_where_they_are(void **state)
{
    world_t world;
    (void)state;
    for (int room = 60; room >= 59; room--) {
        two_members(&world, (xmpi_block_t){50, 0}, (xmpi_block_t){40, 0}, 100);
        world.array[0].row_bytes = 1 << 12;
        world.array[0].fixed = (int64_t)room << 12;
        world_make_processes(&world);
        xmpi_status_t status = world_ready(&world, 0, XMPI_ARRAYS_ALL);
        assert_int_equal(status, room == 60 ? XMPI_OK : XMPI_ERR_MEMORY);
        if (status == XMPI_OK) {
            world_move(&world, 0, 1);
            world_commit(&world, 0);
        } else {
            assert_string_equal(world.process[1].local[0].error.text,
                                "the array data has room for 59 rows, but would get 60");
            world_cancel(&world, 0);
        }
        for (int p = 0; p < 2; p++) {
            assert_ptr_equal(world.process[p].slot[0], world.process[p].was[0]);
            assert_ptr_equal(xmpi_array_pointer(&world.process[p].registry.array[0]),
                             world.process[p].was[0]);
        }
        world_check(&world, status == XMPI_OK);
        world_free(&world);
    }
}

/* Large enough for pages to move, and what is kept is also in the halo of the other. */
static void rows_that_stay_are_still_sent(void **state)
{
    world_t world;
    (void)state;
    two_members(&world, (xmpi_block_t){50, 50}, (xmpi_block_t){40, 60}, 100);
    world.array[0].row_bytes = 1 << 16;
    world.array[0].halo = 3;
    world_make_processes(&world);
    assert_int_equal(world_ready(&world, 0, XMPI_ARRAYS_ALL), XMPI_OK);
    world_move(&world, 0, 1);
    world_commit(&world, 0);
    world_check(&world, true);
    assert_int_equal(world.moved, world_least_bytes(&world));
    world_free(&world);
}

/* Storage of COUNT own rows with their ghost rows, row I of which is row DISPL - HALO + I. */
static void fill_with_ghosts(char *storage, xmpi_block_t block, int64_t halo)
{
    for (int64_t i = 0; i < block.count + 2 * halo; i++)
        storage[i] = world_value(0, block.displ + i, 0);
}

/* Ghost rows beyond the ends of the domain go with whoever has the ends. */
static void move_with_ghosts(xmpi_block_t before, xmpi_block_t after, int64_t halo)
{
    world_t world;
    two_members(&world, before, after, 100);
    world.array[0].halo = halo;
    world.array[0].ghosts = true;
    for (int p = 0; p < 2; p++) {
        process_t *process = &world.process[p];
        process->registry.arrays = 1;
        process->registry.array = malloc(sizeof(xmpi_array_t));
        process->registry.array[0] = world.array[0];
        process->registry.array[0].slot = &process->slot[0];
        process->slot[0] = malloc((size_t)(world.old_block[p].count + 2 * halo));
        assert_non_null(process->slot[0]);
        fill_with_ghosts(process->slot[0], world.old_block[p], halo);
    }
    assert_int_equal(world_ready(&world, 0, XMPI_ARRAYS_ALL), XMPI_OK);
    world_move(&world, 0, 1);
    world_commit(&world, 0);
    for (int p = 0; p < 2; p++) {
        char wanted[128];
        fill_with_ghosts(wanted, world.new_block[p], halo);
        assert_memory_equal(world.process[p].slot[0], wanted,
                            (size_t)(world.new_block[p].count + 2 * halo));
    }
    world_free(&world);
}

static void ghost_rows_beyond_the_domain_are_kept(void **state)
{
    (void)state;
    move_with_ghosts((xmpi_block_t){50, 0}, (xmpi_block_t){20, 0}, 1);
    move_with_ghosts((xmpi_block_t){50, 0}, (xmpi_block_t){97, 0}, 2);
    move_with_ghosts((xmpi_block_t){50, 50}, (xmpi_block_t){60, 40}, 3);
    move_with_ghosts((xmpi_block_t){50, 0}, (xmpi_block_t){100, 0}, 1);
    move_with_ghosts((xmpi_block_t){0, 0}, (xmpi_block_t){30, 0}, 1);
}

/* What is kept, and large, changes its place at the switch only, and then without a copy. */
static void kept_pages_stay_until_the_switch(void **state)
{
    world_t world;
    (void)state;
    two_members(&world, (xmpi_block_t){50, 50}, (xmpi_block_t){40, 60}, 100);
    world.array[0].row_bytes = 1 << 16;
    world.array[0].constant = true;
    world_make_processes(&world);
    assert_int_equal(world_ready(&world, 0, XMPI_ARRAYS_CONSTANT), XMPI_OK);
    world_move_in_background(&world, 0);
    world_check(&world, false);
    world_commit(&world, 0);
    world_check(&world, true);
    assert_int_equal(world.moved, world_least_bytes(&world));
    world_free(&world);
}

/* A block of more than 2^31 elements, of which only the pages that change are ever touched. */
static void blocks_may_have_more_than_2_to_the_31_elements(void **state)
{
    (void)state;
    const int64_t many = 3000000000, page = 4096;
    world_t world;
    two_members(&world, (xmpi_block_t){many, 0}, (xmpi_block_t){many - page, 0}, many + page);
    for (int p = 0; p < 2; p++) {
        process_t *process = &world.process[p];
        process->registry.arrays = 1;
        process->registry.array = malloc(sizeof(xmpi_array_t));
        process->registry.array[0] = world.array[0];
        process->registry.array[0].slot = &process->slot[0];
        process->slot[0] = malloc((size_t)world.old_block[p].count);
        assert_non_null(process->slot[0]);
    }
    for (int64_t row = many - page; row < many; row++)
        ((char *)world.process[0].slot[0])[row] = world_value(0, row, 0);
    for (int64_t row = many; row < many + page; row++)
        ((char *)world.process[1].slot[0])[row - many] = world_value(0, row, 0);
    assert_int_equal(world_ready(&world, 0, XMPI_ARRAYS_ALL), XMPI_OK);
    world_move(&world, 0, 2);
    world_commit(&world, 0);
    assert_int_equal(world.moved, page);
    for (int64_t row = many - page; row < many + page; row++)
        assert_int_equal(((char *)world.process[1].slot[0])[row - (many - page)],
                         world_value(0, row, 0));
    world_free(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_arrives_and_only_the_least_moves),
        cmocka_unit_test(constant_arrays_move_while_they_are_used),
        cmocka_unit_test(nothing_is_lost_where_memory_runs_out),
        cmocka_unit_test(blocks_that_change_at_their_end_stay_in_place),
        cmocka_unit_test(a_block_that_sways_keeps_some_room),
        cmocka_unit_test(arrays_of_fixed_size_stay_where_they_are),
        cmocka_unit_test(rows_that_stay_are_still_sent),
        cmocka_unit_test(ghost_rows_beyond_the_domain_are_kept),
        cmocka_unit_test(kept_pages_stay_until_the_switch),
        cmocka_unit_test(blocks_may_have_more_than_2_to_the_31_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of redistribution without MPI: members are simulated, and every byte of random structures
 * is checked after random changes of layout. XMPI_TEST_SEED gives another seed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/redistribute_local.h"

enum { MOST = 7, ARRAYS_MAX = 12, ROWS_MAX = 60, CASES = 10000, LINES_MAX = 4 };

/* --- random numbers --------------------------------------------------------------------------- */

typedef struct {
    uint64_t state;
} dice_t;

static int throw(dice_t * dice, int sides)
{
    dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice->state >> 33) % (uint64_t)sides);
}

static uint64_t first_seed(void)
{
    const char *seed = getenv("XMPI_TEST_SEED");
    return seed != NULL ? strtoull(seed, NULL, 10) : 1;
}

/* --- a world of simulated members ------------------------------------------------------------- */

typedef struct {
    xmpi_registry_t registry;
    void *slot[ARRAYS_MAX], *was[ARRAYS_MAX];
    xmpi_local_t local;
} process_t;

typedef struct {
    uint64_t seed;
    int64_t rows;
    int arrays;
    xmpi_array_t array[ARRAYS_MAX]; /* without slots */
    xmpi_change_t change;
    int new_rank[MOST];
    xmpi_block_t old_block[MOST], new_block[MOST];
    process_t process[MOST];
    int64_t moved, messages;
} world_t;

/* Contiguous blocks, of the processes that TAKES_PART has, in a random order of their ranks. */
static void random_blocks(dice_t *dice, int n, const bool *takes_part, int64_t rows,
                          xmpi_block_t *block)
{
    int order[MOST], parts = 0;
    int64_t left = rows, at = 0;
    for (int i = 0; i < n; i++) {
        block[i] = (xmpi_block_t){0, 0};
        if (takes_part[i])
            order[parts++] = i;
    }
    for (int i = parts - 1; i > 0 && throw(dice, 3) == 0; i--) {
        int other = throw(dice, i + 1), swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
    for (int i = 0; i < parts; i++) {
        int64_t count = i + 1 == parts ? left : throw(dice, (int)(2 * left / (parts - i)) + 1);
        count = count < left ? count : left;
        block[order[i]] = (xmpi_block_t){count, at};
        at += count;
        left -= count;
    }
}

static void random_change(world_t *world, dice_t *dice)
{
    int n = 1 + throw(dice, MOST), olds = 1 + throw(dice, n);
    bool before[MOST] = {false}, after[MOST] = {false};
    int stays = throw(dice, n);
    world->rows = throw(dice, 6) == 0 ? throw(dice, 4) : throw(dice, ROWS_MAX);
    for (int i = 0; i < n; i++) {
        before[i] = i < olds;
        after[i] = i >= olds || i == stays || throw(dice, 3) > 0;
        world->new_rank[i] = after[i] ? i : -1; /* only its sign matters here */
    }
    random_blocks(dice, n, before, world->rows, world->old_block);
    random_blocks(dice, n, after, world->rows, world->new_block);
    if (throw(dice, 4) == 0 && olds == n) /* hardly any change */
        for (int i = 0; i < n; i++)
            if (world->new_rank[i] >= 0 && throw(dice, 2))
                memcpy(world->new_block, world->old_block, sizeof world->old_block);
    world->change = (xmpi_change_t){.olds = olds,
                                    .joiners = n - olds,
                                    .transit = n,
                                    .new_rank = world->new_rank,
                                    .old_block = world->old_block,
                                    .new_block = world->new_block};
    for (int i = 0; i < n; i++) /* the copy above may have given rows to one that leaves */
        if (world->new_rank[i] < 0 && world->new_block[i].count > 0)
            world->new_rank[i] = i;
}

static xmpi_array_t random_rows(const world_t *world, dice_t *dice)
{
    xmpi_array_t array = {.scheme = throw(dice, 3), .rows = world->rows};
    array.row_bytes = throw(dice, 100) == 0 ? 9000 : throw(dice, 20); /* pages may be given back */
    if (array.scheme == XMPI_GEN_DISTRIBUTED && throw(dice, 2))
        array.halo = throw(dice, 4);
    if (throw(dice, 3) == 0)
        array.row_stride = array.row_bytes + 1 + throw(dice, 5);
    return array;
}

static xmpi_array_t random_columns(const world_t *world, dice_t *dice)
{
    xmpi_array_t array = {.scheme = throw(dice, 3), .rows = world->rows};
    array.shape = XMPI_SHAPE_COLUMNS;
    array.lines = throw(dice, LINES_MAX + 1);
    array.element_bytes = 1 + throw(dice, 9);
    array.row_bytes = array.lines * array.element_bytes;
    if (array.scheme == XMPI_GEN_DISTRIBUTED && throw(dice, 2))
        array.halo = throw(dice, 4);
    if (throw(dice, 2))
        array.line_stride = (world->rows + throw(dice, 5)) * array.element_bytes;
    return array;
}

static void add_sparse(world_t *world, dice_t *dice)
{
    int first = world->arrays, bytes = throw(dice, 2) ? 4 : 8;
    xmpi_array_t array = {.scheme = throw(dice, 3), .rows = world->rows};
    if (array.scheme == XMPI_GEN_DISTRIBUTED && throw(dice, 2))
        array.halo = throw(dice, 4);
    array.origin = throw(dice, 2);
    array.global = throw(dice, 2);
    array.offsets = first;
    array.offset_bytes = bytes;
    array.shape = XMPI_SHAPE_OFFSETS;
    array.row_bytes = bytes;
    world->array[world->arrays++] = array;
    array.shape = XMPI_SHAPE_ENTRIES;
    for (int i = 0; i < 2; i++) {
        array.row_bytes = 1 + throw(dice, 16);
        world->array[world->arrays++] = array;
    }
}

static void random_arrays(world_t *world, dice_t *dice)
{
    int n = 1 + throw(dice, 4);
    for (int i = 0; i < n; i++) {
        int kind = throw(dice, 3);
        if (kind == 0)
            world->array[world->arrays++] = random_rows(world, dice);
        else if (kind == 1)
            world->array[world->arrays++] = random_columns(world, dice);
        else
            add_sparse(world, dice);
    }
    for (int i = 0; i < world->arrays; i++)
        world->array[i].name = "data";
}

/* --- what is where, computed apart from the piece map ----------------------------------------- */

static int64_t length_of(int offsets, int64_t row)
{
    return (row * 7 + offsets * 3) % 5 * ((row + offsets) % 3 > 0);
}

static char value_of(int array, int64_t row, int64_t byte)
{
    return (char)(array * 31 + row * 17 + byte * 5 + 1);
}

/* Bytes that a row has. */
static int64_t bytes_of(const world_t *world, int i, int64_t row)
{
    const xmpi_array_t *array = &world->array[i];
    return array->shape == XMPI_SHAPE_ENTRIES ? length_of(array->offsets, row) * array->row_bytes
                                              : array->row_bytes;
}

static xmpi_block_t rows_stored(const world_t *world, int i, int process, bool after)
{
    const xmpi_array_t *array = &world->array[i];
    xmpi_block_t block = after ? world->new_block[process] : world->old_block[process];
    if (after ? world->new_rank[process] < 0 : process >= world->change.olds)
        return (xmpi_block_t){0, 0};
    if (array->scheme != XMPI_GEN_DISTRIBUTED)
        return (xmpi_block_t){world->rows, 0};
    if (block.count == 0)
        return block;
    int64_t end = block.displ + block.count + array->halo, first = block.displ - array->halo;
    end = end > world->rows ? world->rows : end;
    first = first < 0 ? 0 : first;
    return (xmpi_block_t){end - first, first};
}

static bool owns_before(const world_t *world, int i, int process, int64_t row)
{
    xmpi_block_t block = world->old_block[process];
    if (process >= world->change.olds)
        return false;
    return world->array[i].scheme == XMPI_GEN_REPLICATED ||
           (row >= block.displ && row < block.displ + block.count);
}

/* Who looks at storage, and when. */
typedef struct {
    const world_t *world;
    int process;
    bool after;
} view_t;

/* Copies of rows that a process does not own may be out of date before, their lengths too. */
static int64_t entries_in(view_t view, int offsets, int64_t first, int64_t end)
{
    int64_t n = 0;
    for (int64_t row = first; row < end; row++)
        n += view.after || owns_before(view.world, offsets, view.process, row)
                 ? length_of(offsets, row)
                 : 1;
    return n;
}

static char *place_of(view_t view, int i, char *base, xmpi_block_t stored, int64_t row,
                      int64_t byte)
{
    const world_t *world = view.world;
    const xmpi_array_t *array = &world->array[i];
    int64_t at = row - stored.displ;
    int64_t stride = array->row_stride > 0 ? array->row_stride : array->row_bytes;
    if (array->shape == XMPI_SHAPE_ENTRIES)
        return base + entries_in(view, array->offsets, stored.displ, row) * array->row_bytes + byte;
    if (array->shape != XMPI_SHAPE_COLUMNS)
        return base + at * stride + byte;
    stride = array->line_stride > 0 ? array->line_stride : stored.count * array->element_bytes;
    return base + byte / array->element_bytes * stride + at * array->element_bytes +
           byte % array->element_bytes;
}

static int64_t pointer_of(view_t view, int i, xmpi_block_t stored, int64_t row)
{
    const xmpi_array_t *array = &view.world->array[i];
    return array->origin + entries_in(view, i, stored.displ, row) +
           (array->global ? entries_in((view_t){view.world, view.process, true}, i, 0, stored.displ)
                          : 0);
}

static size_t room_for(view_t view, int i, xmpi_block_t stored)
{
    const xmpi_array_t *array = &view.world->array[i];
    int64_t stride = array->row_stride > 0 ? array->row_stride : array->row_bytes;
    int64_t bytes = stored.count * stride;
    if (array->shape == XMPI_SHAPE_OFFSETS)
        bytes += array->row_bytes;
    if (array->shape == XMPI_SHAPE_ENTRIES)
        bytes = entries_in(view, array->offsets, stored.displ, stored.displ + stored.count) *
                array->row_bytes;
    if (array->shape == XMPI_SHAPE_COLUMNS)
        bytes = array->lines *
                (array->line_stride > 0 ? array->line_stride : stored.count * array->element_bytes);
    return (size_t)bytes + 1;
}

/* Owned rows have their values, all else is rubbish. */
static void *make_storage(const world_t *world, int i, int process)
{
    const xmpi_array_t *array = &world->array[i];
    view_t view = {world, process, false};
    xmpi_block_t stored = rows_stored(world, i, process, false);
    char *base = malloc(room_for(view, i, stored));
    memset(base, 0x5a, room_for(view, i, stored));
    if (array->shape == XMPI_SHAPE_OFFSETS) {
        for (int64_t row = stored.displ; row <= stored.displ + stored.count; row++)
            xmpi_offset_set(base, array->offset_bytes, row - stored.displ,
                            pointer_of(view, i, stored, row));
        return base;
    }
    for (int64_t row = stored.displ; row < stored.displ + stored.count; row++)
        for (int64_t byte = 0; byte < bytes_of(world, i, row); byte++)
            if (owns_before(world, i, process, row))
                *place_of(view, i, base, stored, row, byte) = value_of(i, row, byte);
    return base;
}

static bool is_right(const world_t *world, int i, int process, bool after)
{
    const xmpi_array_t *array = &world->array[i];
    xmpi_block_t stored = rows_stored(world, i, process, after);
    view_t view = {world, process, after};
    char *base = world->process[process].slot[i];
    int64_t pointers =
        array->shape == XMPI_SHAPE_OFFSETS && stored.count > 0 ? stored.count + 1 : 0;
    for (int64_t k = 0; k < pointers; k++)
        if (xmpi_offset_get(base, array->offset_bytes, k) !=
            pointer_of(view, i, stored, stored.displ + k))
            return false;
    if (array->shape == XMPI_SHAPE_OFFSETS)
        return true;
    for (int64_t row = stored.displ; row < stored.displ + stored.count; row++)
        for (int64_t byte = 0; byte < bytes_of(world, i, row); byte++)
            if ((after || owns_before(world, i, process, row)) &&
                *place_of(view, i, base, stored, row, byte) != value_of(i, row, byte))
                return false;
    return true;
}

/* Bytes of rows that somebody needs and does not own. */
static int64_t least_bytes(const world_t *world)
{
    int64_t bytes = 0;
    for (int process = 0; process < world->change.transit; process++)
        for (int i = 0; i < world->arrays; i++) {
            xmpi_block_t stored = rows_stored(world, i, process, true);
            for (int64_t row = stored.displ; row < stored.displ + stored.count; row++)
                if (!owns_before(world, i, process, row))
                    bytes += bytes_of(world, i, row);
        }
    return bytes;
}

static void make_processes(world_t *world)
{
    for (int p = 0; p < world->change.transit; p++) {
        process_t *process = &world->process[p];
        process->registry.arrays = world->arrays;
        process->registry.array = malloc((size_t)world->arrays * sizeof(xmpi_array_t));
        memcpy(process->registry.array, world->array, (size_t)world->arrays * sizeof(xmpi_array_t));
        for (int i = 0; i < world->arrays; i++) {
            process->slot[i] = process->was[i] = make_storage(world, i, p);
            process->registry.array[i].slot = &process->slot[i];
        }
    }
}

static void world_make(world_t *world, uint64_t seed)
{
    dice_t dice = {seed * 2654435761u + 12345};
    memset(world, 0, sizeof *world);
    world->seed = seed;
    for (int i = 0; i < 4; i++)
        throw(&dice, 2);
    random_change(world, &dice);
    random_arrays(world, &dice);
    make_processes(world);
}

static void world_free(world_t *world)
{
    for (int p = 0; p < world->change.transit; p++) {
        for (int i = 0; i < world->arrays; i++)
            free(world->process[p].slot[i]);
        xmpi_registry_free(&world->process[p].registry);
    }
}

/* --- a redistribution of all of them ---------------------------------------------------------- */

static const xmpi_message_t *find_send(const world_t *world, const int *n, int from, int to,
                                       int array)
{
    for (int k = 0; k < n[from]; k++) {
        const xmpi_message_t *message = &world->process[from].local.message[k];
        if (message->sending && message->peer == to && message->array == array)
            return message;
    }
    fail_msg("seed %llu: process %d waits for array %d of %d for ever",
             (unsigned long long)world->seed, to, array, from);
    return NULL;
}

/* What stays is copied while messages are under way: before or after, it must not matter. */
static void keep(world_t *world, xmpi_stage_t stage, int part, int parts, bool now)
{
    for (int p = 0; now && p < world->change.transit; p++)
        xmpi_local_keep(&world->process[p].local, stage, part, parts);
}

static void exchange(world_t *world, xmpi_stage_t stage, int part, int parts)
{
    int n[MOST], open = 0;
    keep(world, stage, part, parts, world->seed % 2 == 0);
    for (int p = 0; p < world->change.transit; p++)
        n[p] = xmpi_local_messages(&world->process[p].local, stage, part, parts);
    for (int p = 0; p < world->change.transit; p++)
        for (int k = 0; k < n[p]; k++) {
            const xmpi_message_t *to = &world->process[p].local.message[k];
            open += to->sending ? 1 : -1;
            if (to->sending)
                continue;
            const xmpi_message_t *from = find_send(world, n, to->peer, p, to->array);
            assert_int_equal(from->extent.width, to->extent.width);
            assert_int_equal(from->extent.strips, to->extent.strips);
            xmpi_extent_copy(to->base, &to->extent, from->base, &from->extent);
            world->moved += xmpi_extent_bytes(&to->extent);
            world->messages++;
        }
    assert_int_equal(open, 0);
    keep(world, stage, part, parts, world->seed % 2 != 0);
}

static void shift(world_t *world)
{
    for (int i = 0; i < world->arrays; i++) {
        int64_t entries[MOST];
        if (!xmpi_local_needs_shift(&world->array[i]))
            continue;
        for (int p = 0; p < world->change.transit; p++)
            entries[p] = xmpi_local_own_entries(&world->process[p].local, i);
        for (int p = 0; p < world->change.transit; p++)
            xmpi_local_shift(&world->process[p].local, i, entries);
    }
}

static xmpi_status_t get_ready(world_t *world)
{
    xmpi_status_t status = XMPI_OK, one;
    for (int p = 0; p < world->change.transit; p++) {
        process_t *process = &world->process[p];
        one = xmpi_local_open(&process->registry, &world->change, p, &process->local);
        status = one != XMPI_OK ? one : status;
    }
    if (status != XMPI_OK)
        return status;
    exchange(world, XMPI_STAGE_LENGTHS, 0, 1);
    for (int p = 0; p < world->change.transit; p++) {
        one = xmpi_local_lengths_done(&world->process[p].local);
        status = one != XMPI_OK ? one : status;
    }
    return status;
}

static void carry_out(world_t *world, int parts)
{
    shift(world);
    for (int p = 0; p < world->change.transit; p++)
        xmpi_local_settle(&world->process[p].local);
    for (int part = 0; part < parts; part++) {
        exchange(world, XMPI_STAGE_DATA, part, parts);
        for (int p = 0; p < world->change.transit && parts > 1; p++)
            xmpi_local_release(&world->process[p].local, part, parts);
    }
    for (int p = 0; p < world->change.transit; p++)
        xmpi_local_commit(&world->process[p].local);
}

static void must_be_right(const world_t *world, bool after)
{
    for (int p = 0; p < world->change.transit; p++)
        for (int i = 0; i < world->arrays; i++)
            if (!is_right(world, i, p, after))
                fail_msg("seed %llu: array %d (shape %d, scheme %d) is wrong on process %d",
                         (unsigned long long)world->seed, i, (int)world->array[i].shape,
                         world->array[i].scheme, p);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void every_element_arrives_and_only_the_least_moves(void **state)
{
    uint64_t seed = first_seed();
    world_t world;
    (void)state;
    print_message("# %d layouts from seed %llu on\n", CASES, (unsigned long long)seed);
    for (int i = 0; i < CASES; i++) {
        world_make(&world, seed + (uint64_t)i);
        must_be_right(&world, false);
        assert_int_equal(get_ready(&world), XMPI_OK);
        carry_out(&world, 1 + i % 4 * (i % 3));
        must_be_right(&world, true);
        if (world.moved != least_bytes(&world))
            fail_msg("seed %llu: %lld bytes moved, %lld would do", (unsigned long long)world.seed,
                     (long long)world.moved, (long long)least_bytes(&world));
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
    uint64_t seed = first_seed();
    int failed = 0;
    world_t world;
    (void)state;
    for (int i = 0; i < CASES / 4; i++) {
        world_make(&world, seed + (uint64_t)i);
        process_t *poor = &world.process[i % world.change.transit];
        poor->registry.allocate = allocate_some;
        granted = i % 4;
        if (get_ready(&world) == XMPI_OK) {
            carry_out(&world, 1);
            must_be_right(&world, true);
        } else {
            failed++;
            assert_non_null(strstr(poor->local.error.text, "no memory for"));
            for (int p = 0; p < world.change.transit; p++)
                xmpi_local_cancel(&world.process[p].local);
            must_be_right(&world, false);
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

static xmpi_keeping_t keeping_for(xmpi_block_t before, xmpi_block_t after)
{
    world_t world;
    two_members(&world, before, after, 100);
    make_processes(&world);
    assert_int_equal(get_ready(&world), XMPI_OK);
    xmpi_keeping_t keeping = world.process[0].local.move[0].keeping;
    carry_out(&world, 1);
    must_be_right(&world, true);
    world_free(&world);
    return keeping;
}

static void blocks_that_change_at_their_end_stay_in_place(void **state)
{
    (void)state;
    assert_int_equal(keeping_for((xmpi_block_t){50, 0}, (xmpi_block_t){50, 0}), XMPI_STORAGE_STAYS);
    assert_int_equal(keeping_for((xmpi_block_t){50, 0}, (xmpi_block_t){20, 0}),
                     XMPI_STORAGE_RESIZED);
    assert_int_equal(keeping_for((xmpi_block_t){50, 0}, (xmpi_block_t){90, 0}),
                     XMPI_STORAGE_RESIZED);
    assert_int_equal(keeping_for((xmpi_block_t){50, 50}, (xmpi_block_t){40, 60}),
                     XMPI_STORAGE_FRESH);
}

/* Large enough for pages to move, and what is kept is also in the halo of the other. */
static void rows_that_stay_are_still_sent(void **state)
{
    world_t world;
    (void)state;
    two_members(&world, (xmpi_block_t){50, 50}, (xmpi_block_t){40, 60}, 100);
    world.array[0].row_bytes = 1 << 16;
    world.array[0].halo = 3;
    make_processes(&world);
    assert_int_equal(get_ready(&world), XMPI_OK);
    carry_out(&world, 1);
    must_be_right(&world, true);
    assert_int_equal(world.moved, least_bytes(&world));
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
        ((char *)world.process[0].slot[0])[row] = value_of(0, row, 0);
    for (int64_t row = many; row < many + page; row++)
        ((char *)world.process[1].slot[0])[row - many] = value_of(0, row, 0);
    assert_int_equal(get_ready(&world), XMPI_OK);
    carry_out(&world, 2);
    assert_int_equal(world.moved, page);
    for (int64_t row = many - page; row < many + page; row++)
        assert_int_equal(((char *)world.process[1].slot[0])[row - (many - page)],
                         value_of(0, row, 0));
    world_free(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_arrives_and_only_the_least_moves),
        cmocka_unit_test(nothing_is_lost_where_memory_runs_out),
        cmocka_unit_test(blocks_that_change_at_their_end_stay_in_place),
        cmocka_unit_test(rows_that_stay_are_still_sent),
        cmocka_unit_test(blocks_may_have_more_than_2_to_the_31_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

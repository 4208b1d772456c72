/* SPDX-License-Identifier: BSD-3-Clause
 * A world of simulated members for tests of redistribution. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "act/data/offsets.h"
#include "act/moving/redistribute_pages.h"
#include "support/simulated_world.h"

enum { ROWS_MAX = 60, LINES_MAX = 4 };

/* --- random numbers --------------------------------------------------------------------------- */

typedef struct {
    uint64_t state;
} dice_t;

static int throw(dice_t * dice, int sides)
{
    dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice->state >> 33) % (uint64_t)sides);
}

uint64_t world_first_seed(void)
{
    const char *seed = getenv("XMPI_TEST_SEED");
    return seed != NULL ? strtoull(seed, NULL, 10) : 1;
}

/* --- a world of simulated members ------------------------------------------------------------- */

/* Contiguous blocks, of the processes that TAKES_PART has, in a random order of their ranks. */
static void random_blocks(dice_t *dice, int n, const bool *takes_part, int64_t rows,
                          xmpi_block_t *block)
{
    int order[WORLD_MOST], parts = 0;
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
    int n = 1 + throw(dice, WORLD_MOST), olds = 1 + throw(dice, n);
    bool before[WORLD_MOST] = {false}, after[WORLD_MOST] = {false};
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
    else if (throw(dice, 4) == 0) /* of fixed size, with room for all rows */
        array.fixed = (world->rows + 2 * array.halo) * array.row_bytes + 1;
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
    for (int i = 0; i < world->arrays; i++) {
        world->array[i].name = "data";
        world->array[i].constant = i % 7 < (int)(world->seed % 8);
    }
}

/* --- what is where, computed apart from the piece map ----------------------------------------- */

static int64_t length_of(int offsets, int64_t row)
{
    return (row * 7 + offsets * 3) % 5 * ((row + offsets) % 3 > 0);
}

char world_value(int array, int64_t row, int64_t byte)
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
    size_t room = room_for(view, i, stored), fixed = (size_t)array->fixed;
    char *base = malloc(room > fixed ? room : fixed);
    memset(base, 0x5a, room > fixed ? room : fixed);
    if (array->shape == XMPI_SHAPE_OFFSETS) {
        for (int64_t row = stored.displ; row <= stored.displ + stored.count; row++)
            xmpi_offset_set(base, array->offset_bytes, row - stored.displ,
                            pointer_of(view, i, stored, row));
        return base;
    }
    for (int64_t row = stored.displ; row < stored.displ + stored.count; row++)
        for (int64_t byte = 0; byte < bytes_of(world, i, row); byte++)
            if (owns_before(world, i, process, row))
                *place_of(view, i, base, stored, row, byte) = world_value(i, row, byte);
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
                *place_of(view, i, base, stored, row, byte) != world_value(i, row, byte))
                return false;
    return true;
}

/* Bytes of rows that somebody needs and does not own. */
int64_t world_least_bytes(const world_t *world)
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

void world_make_processes(world_t *world)
{
    for (int p = 0; p < world->change.transit; p++) {
        process_t *process = &world->process[p];
        process->registry.arrays = world->arrays;
        process->registry.array = malloc((size_t)world->arrays * sizeof(xmpi_array_t));
        memcpy(process->registry.array, world->array, (size_t)world->arrays * sizeof(xmpi_array_t));
        for (int i = 0; i < world->arrays; i++) {
            bool fixed = world->array[i].fixed > 0;
            process->slot[i] = process->was[i] = make_storage(world, i, p);
            process->registry.array[i].slot = fixed ? process->slot[i] : (void *)&process->slot[i];
        }
    }
}

void world_make(world_t *world, uint64_t seed)
{
    dice_t dice = {seed * 2654435761u + 12345};
    memset(world, 0, sizeof *world);
    world->seed = seed;
    for (int i = 0; i < 4; i++)
        throw(&dice, 2);
    random_change(world, &dice);
    random_arrays(world, &dice);
    world_make_processes(world);
}

void world_free(world_t *world)
{
    for (int p = 0; p < world->change.transit; p++) {
        for (int i = 0; i < world->arrays; i++)
            free(world->process[p].slot[i]);
        xmpi_registry_free(&world->process[p].registry);
    }
}

/* --- a redistribution of all of them ---------------------------------------------------------- */

static const xmpi_message_t *find_send(const world_t *world, int k, const int *n, int from, int to,
                                       int array)
{
    for (int i = 0; i < n[from]; i++) {
        const xmpi_message_t *message = &world->process[from].local[k].message[i];
        if (message->sending && message->peer == to && message->array == array)
            return message;
    }
    fail_msg("seed %llu: process %d waits for array %d of %d for ever",
             (unsigned long long)world->seed, to, array, from);
    return NULL;
}

/* What stays is copied while messages are under way: before or after, it must not matter. */
static void keep(world_t *world, int k, xmpi_stage_t stage, int part, int parts, xmpi_keep_t what)
{
    for (int p = 0; p < world->change.transit; p++)
        xmpi_local_keep(&world->process[p].local[k], stage, part, parts, what);
}

static void carry(world_t *world, int k, const int *n, int p, const xmpi_message_t *to)
{
    const xmpi_message_t *from = find_send(world, k, n, to->peer, p, to->array);
    assert_int_equal(from->extent.width, to->extent.width);
    assert_int_equal(from->extent.strips, to->extent.strips);
    xmpi_extent_copy(to->base, &to->extent, from->base, &from->extent);
    world->moved += xmpi_extent_bytes(&to->extent);
    world->messages++;
}

static void exchange(world_t *world, int k, xmpi_stage_t stage, int part, int parts,
                     xmpi_keep_t what)
{
    int n[WORLD_MOST], open = 0;
    if (world->seed % 2 == 0)
        keep(world, k, stage, part, parts, what);
    for (int p = 0; p < world->change.transit; p++)
        n[p] = xmpi_local_messages(&world->process[p].local[k], stage, part, parts);
    for (int p = 0; p < world->change.transit; p++)
        for (int i = 0; i < n[p]; i++) {
            const xmpi_message_t *message = &world->process[p].local[k].message[i];
            open += message->sending ? 1 : -1;
            if (!message->sending)
                carry(world, k, n, p, message);
        }
    assert_int_equal(open, 0);
    if (world->seed % 2 != 0)
        keep(world, k, stage, part, parts, what);
}

static void shift(world_t *world, int k)
{
    for (int i = 0; i < world->arrays; i++) {
        int64_t entries[WORLD_MOST];
        if (!xmpi_local_needs_shift(&world->process[0].local[k], i))
            continue;
        for (int p = 0; p < world->change.transit; p++)
            entries[p] = xmpi_local_own_entries(&world->process[p].local[k], i);
        for (int p = 0; p < world->change.transit; p++)
            xmpi_local_shift(&world->process[p].local[k], i, entries);
    }
}

xmpi_status_t world_ready(world_t *world, int k, xmpi_arrays_t arrays)
{
    xmpi_status_t status = XMPI_OK, one;
    for (int p = 0; p < world->change.transit; p++) {
        process_t *process = &world->process[p];
        one = xmpi_local_open(&process->registry, &world->change, p, arrays, &process->local[k]);
        status = one != XMPI_OK ? one : status;
    }
    if (status != XMPI_OK)
        return status;
    exchange(world, k, XMPI_STAGE_LENGTHS, 0, 1, XMPI_KEEP_ALL);
    for (int p = 0; p < world->change.transit; p++) {
        one = xmpi_local_lengths_done(&world->process[p].local[k]);
        status = one != XMPI_OK ? one : status;
    }
    return status;
}

void world_move(world_t *world, int k, int parts)
{
    shift(world, k);
    for (int p = 0; p < world->change.transit; p++)
        xmpi_local_settle(&world->process[p].local[k]);
    xmpi_pages_pool_t pool[WORLD_MOST] = {{0}};
    for (int part = 0; part < parts; part++) {
        for (int p = 0; p < world->change.transit; p++) {
            xmpi_local_reuse(&world->process[p].local[k], part, parts, &pool[p]);
            xmpi_pages_drop(&pool[p]);
        }
        exchange(world, k, XMPI_STAGE_DATA, part, parts, XMPI_KEEP_ALL);
        for (int p = 0; p < world->change.transit && parts > 1; p++)
            xmpi_local_release(&world->process[p].local[k], part, parts, &pool[p]);
    }
}

void world_move_in_background(world_t *world, int k)
{
    shift(world, k);
    exchange(world, k, XMPI_STAGE_DATA, 0, 1, XMPI_KEEP_COPIES);
}

void world_commit(world_t *world, int k)
{
    for (int p = 0; p < world->change.transit; p++) {
        xmpi_local_t *local = &world->process[p].local[k];
        if (local->arrays == XMPI_ARRAYS_CONSTANT)
            xmpi_local_keep(local, XMPI_STAGE_DATA, 0, 1, XMPI_KEEP_PAGES);
        xmpi_local_commit(local);
    }
}

void world_cancel(world_t *world, int k)
{
    for (int p = 0; p < world->change.transit; p++)
        xmpi_local_cancel(&world->process[p].local[k]);
}

void world_check(const world_t *world, bool after)
{
    for (int p = 0; p < world->change.transit; p++)
        for (int i = 0; i < world->arrays; i++)
            if (!is_right(world, i, p, after))
                fail_msg("seed %llu: array %d (shape %d, scheme %d) is wrong on process %d",
                         (unsigned long long)world->seed, i, (int)world->array[i].shape,
                         world->array[i].scheme, p);
}

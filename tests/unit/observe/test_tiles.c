/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of tiles: which messages make a pipeline, and which do not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "act/world/world.h"
#include "observe/tiles.h"

enum { TILES = 8, BEFORE = -1, BEHIND = 1 };

static xmpi_tiling_t tiling;
static double computed;

static void begin(int rank, int size)
{
    xmpi_world.rank = rank;
    xmpi_world.size = size;
    xmpi_world.comm = MPI_COMM_WORLD;
    computed = 0;
    xmpi_tiles_start(&tiling);
}

static void receive(int step)
{
    xmpi_tiles_enter(&tiling, computed);
    xmpi_tiles_received(&tiling, xmpi_world.rank + step, MPI_COMM_WORLD);
}

static void send(int step)
{
    xmpi_tiles_enter(&tiling, computed);
    xmpi_tiles_sent(&tiling, xmpi_world.rank + step, MPI_COMM_WORLD);
}

static void meet(void)
{
    xmpi_tiles_enter(&tiling, computed);
}

static void expect(int way, int64_t number, double seconds)
{
    assert_int_equal(tiling.tiles[way].number, number);
    assert_true(tiling.tiles[way].seconds == seconds);
    assert_int_equal(tiling.tiles[1 - way].number, 0);
}

/* Three members; two seconds for each tile, and half a second before and behind them. */
static void every_place_of_a_pipeline_sees_its_tiles(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++)
        for (int rank = 0; rank < 3; rank++) {
            int place = way == 0 ? rank : 2 - rank, ahead = way == 0 ? BEHIND : BEFORE;
            begin(rank, 3);
            meet();
            for (int tile = 0; tile < TILES; tile++) {
                if (place > 0)
                    receive(-ahead);
                computed += 2;
                if (place < 2)
                    send(ahead);
            }
            meet();
            computed += 0.5;
            meet();
            expect(way, TILES, 2 * TILES);
        }
}

/* What goes back begins where what came ends: the first tile there is one of those. */
static void two_ways_are_told_apart(void **state)
{
    (void)state;
    begin(1, 2);
    for (int tile = 0; tile < TILES; tile++) {
        receive(BEFORE);
        computed += 2;
    }
    for (int tile = 0; tile < TILES; tile++) {
        send(BEFORE);
        computed += 1;
    }
    meet();
    assert_int_equal(tiling.tiles[XMPI_TILES_UP].number, TILES);
    assert_int_equal(tiling.tiles[XMPI_TILES_DOWN].number, TILES - 1);
}

/* Ghost rows: all send, then all receive; the first member of a way has none of its tiles. */
static void neighbours_that_exchange_are_no_pipeline(void **state)
{
    (void)state;
    for (int rank = 0; rank < 3; rank += 2) {
        begin(rank, 3);
        for (int iteration = 0; iteration < TILES; iteration++) {
            for (int step = BEFORE; step <= BEHIND; step += 2)
                if (rank + step >= 0 && rank + step < 3)
                    send(step);
            for (int step = BEFORE; step <= BEHIND; step += 2)
                if (rank + step >= 0 && rank + step < 3)
                    receive(step);
            computed += 2;
        }
        assert_true(tiling.tiles[rank == 0 ? XMPI_TILES_UP : XMPI_TILES_DOWN].number <= 1);
    }
}

static void other_messages_are_no_tiles(void **state)
{
    (void)state;
    begin(1, 8);
    receive(BEFORE);
    meet();
    computed += 2;
    send(BEHIND); /* something is between */
    receive(3);
    computed += 2;
    send(BEHIND); /* from someone else */
    receive(BEFORE);
    computed += 2;
    send(3);
    xmpi_tiles_enter(&tiling, computed);
    xmpi_tiles_received(&tiling, 0, MPI_COMM_SELF);
    computed += 2;
    send(BEHIND);
    expect(XMPI_TILES_UP, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_of_a_pipeline_sees_its_tiles),
        cmocka_unit_test(two_ways_are_told_apart),
        cmocka_unit_test(neighbours_that_exchange_are_no_pipeline),
        cmocka_unit_test(other_messages_are_no_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

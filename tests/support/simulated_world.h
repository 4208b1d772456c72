/* SPDX-License-Identifier: BSD-3-Clause
 * A world of simulated members for tests of redistribution: random structures and layouts, and
 * messages that are carried between the members without MPI. Every seed gives another world. */
#ifndef XMPI_TESTS_SIMULATED_WORLD_H
#define XMPI_TESTS_SIMULATED_WORLD_H

#include "act/moving/storage/redistribute_local.h"

enum { WORLD_MOST = 7, WORLD_ARRAYS = 12 };

typedef struct {
    xmpi_registry_t registry;
    void *slot[WORLD_ARRAYS], *was[WORLD_ARRAYS];
    xmpi_local_t local[2]; /* of two redistributions side by side */
} process_t;

typedef struct {
    uint64_t seed;
    int64_t rows;
    int arrays;
    xmpi_array_t array[WORLD_ARRAYS]; /* without slots */
    xmpi_change_t change;
    int new_rank[WORLD_MOST];
    xmpi_block_t old_block[WORLD_MOST], new_block[WORLD_MOST];
    process_t process[WORLD_MOST];
    int64_t moved, messages; /* of all redistributions */
} world_t;

/* The seed that XMPI_TEST_SEED gives, or 1. */
uint64_t world_first_seed(void);

void world_make(world_t *world, uint64_t seed);
void world_free(world_t *world);

/* Storage of all processes, where the world was described by hand: owned rows have their values. */
void world_make_processes(world_t *world);

/* The value of a byte of a row of an array. */
char world_value(int array, int64_t row, int64_t byte);

/* Redistribution K of 2 of these arrays, up to where it could still be called off. */
xmpi_status_t world_ready(world_t *world, int k, xmpi_arrays_t arrays);

/* Moves the data in PARTS rounds. In the background only what leaves the old storage as it is. */
void world_move(world_t *world, int k, int parts);
void world_move_in_background(world_t *world, int k);

void world_commit(world_t *world, int k);
void world_cancel(world_t *world, int k);

/* Fails the test unless every element of every member is right, before or after. */
void world_check(const world_t *world, bool after);

/* Bytes of rows that somebody needs and does not own. */
int64_t world_least_bytes(const world_t *world);

#endif

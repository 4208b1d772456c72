/* SPDX-License-Identifier: BSD-3-Clause
 * What the programs that measure moves share: a matrix that is divided over the members, and moves
 * as the runtime does them, with layouts made by hand. Linked with libxmpi.a. */
#ifndef XMPI_BENCH_MOVING_H
#define XMPI_BENCH_MOVING_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/moving/redistribute.h"

enum { MEMBERS_MAX = 16, COLUMNS = 4096, CHUNK = 1 << 30 };

typedef struct {
    int rank, size;
    int64_t rows;
    double *matrix;                  /* the member's rows */
    xmpi_block_t block[MEMBERS_MAX]; /* of all members, now */
    int ranks[MEMBERS_MAX];
    xmpi_registry_t registry;
    xmpi_change_t change;
} state_t;

static inline void must(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "move: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static inline size_t bytes_of(int64_t rows)
{
    return (size_t)rows * COLUMNS * sizeof(double);
}

/* --- layouts -----------------------------------------------------------------------------------
 */

/* Equal blocks in rank order, but the boundaries between them SHIFT rows further. */
static inline void equal_blocks(const state_t *state, int64_t shift, xmpi_block_t *block)
{
    int64_t start = 0;
    for (int i = 0; i < state->size; i++) {
        int64_t end = state->rows * (i + 1) / state->size + (i + 1 < state->size ? shift : 0);
        block[i] = (xmpi_block_t){.count = end - start, .displ = start};
        start = end;
    }
}

/* Each member gets the block of the one behind it. */
static inline void next_blocks(const state_t *state, xmpi_block_t *block)
{
    for (int i = 0; i < state->size; i++)
        block[i] = state->block[(i + 1) % state->size];
}

/* The change to the blocks NEXT, which stay until it is done. */
static inline const xmpi_change_t *change_to(state_t *state, xmpi_block_t *next)
{
    for (int i = 0; i < state->size; i++)
        state->ranks[i] = i;
    state->change = (xmpi_change_t){.olds = state->size,
                                    .transit = state->size,
                                    .process = state->ranks,
                                    .new_rank = state->ranks,
                                    .old_block = state->block,
                                    .new_block = next};
    return &state->change;
}

/* --- the matrix --------------------------------------------------------------------------------
 */

static inline void fill(state_t *state)
{
    xmpi_block_t mine = state->block[state->rank];
    state->matrix = malloc(bytes_of(mine.count) + 1);
    must(state->matrix != NULL, "there is no memory for the matrix");
    for (int64_t i = 0; i < mine.count; i++)
        for (int64_t j = 0; j < COLUMNS; j++)
            state->matrix[i * COLUMNS + j] = (double)(mine.displ + i);
}

/* A move that is not right is no measurement. */
static inline void check(const state_t *state)
{
    xmpi_block_t mine = state->block[state->rank];
    for (int64_t i = 0; i < mine.count; i++) {
        const double *row = state->matrix + i * COLUMNS;
        must(row[0] == (double)(mine.displ + i) && row[COLUMNS - 1] == row[0],
             "a row is not where it belongs");
    }
}

static inline xmpi_array_t *describe(state_t *state)
{
    xmpi_array_t *array = xmpi_registry_array(&state->registry, "matrix");
    array->scheme = XMPI_SCHEME_DISTRIBUTED;
    array->rows = state->rows;
    array->row_length = COLUMNS;
    array->row_bytes = (int64_t)bytes_of(1);
    array->slot = (void *)&state->matrix;
    return array;
}

/* --- measuring ---------------------------------------------------------------------------------
 */

static inline double begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

/* Seconds until the last member is here. */
static inline void end(const state_t *state, const char *what, double start)
{
    double mine = MPI_Wtime() - start, last;
    MPI_Reduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (state->rank == 0)
        printf("%s %.9f\n", what, last);
}

/* All must be able to before anything moves, as in the executor. */
static inline void agree(int good, const char *what)
{
    int all;
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    must(all, what);
}

/* Moves everything that is registered to the blocks NEXT. */
static inline void redistribute(state_t *state, const char *what, xmpi_block_t *next)
{
    xmpi_redistribution_t r;
    const xmpi_change_t *change = change_to(state, next);
    double start = begin();
    agree(xmpi_redistribute_prepare(&state->registry, change, state->rank, XMPI_ARRAYS_ALL, &r) ==
              XMPI_OK,
          "a redistribution cannot be prepared");
    must(xmpi_redistribute_move(&state->registry, change, MPI_COMM_WORLD, state->rank, &r) ==
             XMPI_OK,
         "a redistribution failed");
    xmpi_redistribute_commit(&state->registry, change, state->rank, &r);
    end(state, what, start);
    memcpy(state->block, next, sizeof state->block);
}

#endif

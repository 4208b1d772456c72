/* SPDX-License-Identifier: BSD-3-Clause
 * The redistribution of a dense matrix as the runtime does it, and the same messages by bare MPI.
 * Linked with libxmpi.a, as it calls the runtime's own functions with layouts made by hand.
 *
 * Usage: move MEGABYTES ROUNDS STRATEGY, a value of XMPI_MOVE. Prints lines of what was done and
 * its seconds, from a barrier to the last process: "full" is a redistribution in which every row
 * moves to the next member, "bare" its messages alone, into memory that has been used before,
 * "fresh" the same into memory from malloc as a redistribution needs it, and "shift10" is a
 * rebalance in which a tenth of the rows change owner, between neighbours. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/redistribute.h"

enum { MEMBERS_MAX = 16, COLUMNS = 4096, CHUNK = 1 << 30 };

typedef struct {
    int rank, size;
    int64_t rows;
    double *matrix;                  /* the member's rows */
    xmpi_block_t block[MEMBERS_MAX]; /* of all members, now */
    xmpi_registry_t registry;
} state_t;

static void must(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "move: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static size_t bytes_of(int64_t rows)
{
    return (size_t)rows * COLUMNS * sizeof(double);
}

/* --- layouts -----------------------------------------------------------------------------------
 */

/* Equal blocks in rank order, but the boundaries between them SHIFT rows further. */
static void equal_blocks(const state_t *state, int64_t shift, xmpi_block_t *block)
{
    int64_t start = 0;
    for (int i = 0; i < state->size; i++) {
        int64_t end = state->rows * (i + 1) / state->size + (i + 1 < state->size ? shift : 0);
        block[i] = (xmpi_block_t){.count = end - start, .displ = start};
        start = end;
    }
}

/* Each member gets the block of the one behind it. */
static void next_blocks(const state_t *state, xmpi_block_t *block)
{
    for (int i = 0; i < state->size; i++)
        block[i] = state->block[(i + 1) % state->size];
}

/* --- the matrix --------------------------------------------------------------------------------
 */

static void fill(state_t *state)
{
    xmpi_block_t mine = state->block[state->rank];
    state->matrix = malloc(bytes_of(mine.count) + 1);
    must(state->matrix != NULL, "there is no memory for the matrix");
    for (int64_t i = 0; i < mine.count; i++)
        for (int64_t j = 0; j < COLUMNS; j++)
            state->matrix[i * COLUMNS + j] = (double)(mine.displ + i);
}

/* A move that is not right is no measurement. */
static void check(const state_t *state)
{
    xmpi_block_t mine = state->block[state->rank];
    for (int64_t i = 0; i < mine.count; i++) {
        const double *row = state->matrix + i * COLUMNS;
        must(row[0] == (double)(mine.displ + i) && row[COLUMNS - 1] == row[0],
             "a row is not where it belongs");
    }
}

static void describe(state_t *state)
{
    xmpi_array_t *array = xmpi_registry_array(&state->registry, "matrix");
    array->scheme = XMPI_GEN_DISTRIBUTED;
    array->rows = state->rows;
    array->row_length = COLUMNS;
    array->row_bytes = (int64_t)bytes_of(1);
    array->slot = (void *)&state->matrix;
}

/* --- what is measured ----------------------------------------------------------------------------
 */

static double begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static void end(const state_t *state, const char *what, double start)
{
    double mine = MPI_Wtime() - start, last;
    MPI_Reduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (state->rank == 0)
        printf("%s %.9f\n", what, last);
}

/* The members agree on it before anything moves, as in the executor. */
static void redistribute(state_t *state, const char *what, xmpi_block_t *next)
{
    int ranks[MEMBERS_MAX], good, all;
    for (int i = 0; i < state->size; i++)
        ranks[i] = i;
    xmpi_change_t change = {.olds = state->size,
                            .transit = state->size,
                            .process = ranks,
                            .new_rank = ranks,
                            .old_block = state->block,
                            .new_block = next};
    xmpi_redistribution_t r;
    double start = begin();
    good = xmpi_redistribute_prepare(&state->registry, &change, state->rank, XMPI_ARRAYS_ALL, &r) ==
           XMPI_OK;
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    must(all, "a redistribution cannot be prepared");
    xmpi_redistribute_move(&state->registry, &change, MPI_COMM_WORLD, state->rank, &r);
    xmpi_redistribute_commit(&state->registry, &change, state->rank, &r);
    end(state, what, start);
    memcpy(state->block, next, sizeof state->block);
    check(state);
}

static int post(double *at, size_t bytes, int peer, int sending, MPI_Request *request)
{
    int n = 0;
    for (char *from = (char *)at; bytes > 0; n++) {
        int size = (int)(bytes < CHUNK ? bytes : CHUNK);
        if (sending)
            MPI_Isend(from, size, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &request[n]);
        else
            MPI_Irecv(from, size, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &request[n]);
        from += size;
        bytes -= (size_t)size;
    }
    return n;
}

/* The messages of the full exchange: this member's block goes to the one before it. */
static void exchange(const state_t *state, double *received)
{
    int before = (state->rank + state->size - 1) % state->size;
    int behind = (state->rank + 1) % state->size;
    MPI_Request request[MEMBERS_MAX];
    int n = post(received, bytes_of(state->block[behind].count), behind, 0, request);
    n += post(state->matrix, bytes_of(state->block[state->rank].count), before, 1, &request[n]);
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

static void exchange_bare(const state_t *state, double *received)
{
    double start = begin();
    exchange(state, received);
    end(state, "bare", start);
}

static void exchange_fresh(const state_t *state)
{
    double start = begin();
    double *received = malloc(bytes_of(state->rows / state->size + 1));
    must(received != NULL, "there is no memory to receive into");
    exchange(state, received);
    free(received);
    end(state, "fresh", start);
}

/* Alternating, and at the end of a round the blocks are equal and in rank order again. */
static void measure_round(state_t *state, double *received)
{
    xmpi_block_t next[MEMBERS_MAX];
    for (int i = 0; i < state->size; i++) {
        exchange_bare(state, received);
        exchange_fresh(state);
        next_blocks(state, next);
        redistribute(state, "full", next);
    }
    for (int i = 1; i >= 0; i--) {
        equal_blocks(state, i * state->rows / 10 / (state->size - 1), next);
        redistribute(state, "shift10", next);
    }
}

static xmpi_move_strategy_t strategy_of(const char *name)
{
    static const char *const names[] = {"auto", "p2p", "alltoallv", "rma"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return (xmpi_move_strategy_t)i;
    must(0, "there is no such strategy");
    return XMPI_MOVE_AUTO;
}

int main(int argc, char **argv)
{
    state_t state = {.rank = 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &state.size);
    must(argc == 4 && state.size > 1 && state.size <= MEMBERS_MAX,
         "usage: move MEGABYTES ROUNDS STRATEGY");
    state.rows = (int64_t)((size_t)atoi(argv[1]) * 1000000 / bytes_of(1));
    must(bytes_of(state.rows) / CHUNK < MEMBERS_MAX / 2, "this is too large");
    equal_blocks(&state, 0, state.block);
    fill(&state);
    describe(&state);
    state.registry.strategy = strategy_of(argv[3]);
    size_t room = bytes_of(state.rows / state.size + 1);
    double *received = malloc(room);
    must(received != NULL, "there is no memory to receive into");
    memset(received, 1, room);
    for (int i = 0; i < atoi(argv[2]); i++)
        measure_round(&state, received);
    free(received);
    free(state.matrix);
    xmpi_registry_free(&state.registry);
    MPI_Finalize();
    return 0;
}

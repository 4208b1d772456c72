/* SPDX-License-Identifier: BSD-3-Clause
 * The redistribution of many small vectors, of which every row moves to the next member: messages
 * of a pair go as one. Bare MPI sends each vector by itself, into memory that has been used before.
 *
 * Usage: move_small VECTORS ROWS TIMES. Prints lines "full SECONDS" and "bare SECONDS". */
#include "moving.h"

enum { VECTORS_MAX = 100 };

static double *vector[VECTORS_MAX], *received[VECTORS_MAX];
static char name[VECTORS_MAX][16];

static void make(state_t *state, int n)
{
    xmpi_block_t mine = state->block[state->rank];
    for (int i = 0; i < n; i++) {
        vector[i] = malloc((size_t)(mine.count + 1) * sizeof(double));
        received[i] = calloc((size_t)state->rows, sizeof(double));
        must(vector[i] != NULL && received[i] != NULL, "there is no memory for vectors");
        for (int64_t row = 0; row < mine.count; row++)
            vector[i][row] = (double)(i * state->rows + mine.displ + row);
        snprintf(name[i], sizeof name[i], "vector %d", i);
        xmpi_array_t *array = xmpi_registry_array(&state->registry, name[i]);
        array->rows = state->rows;
        array->row_length = 1;
        array->row_bytes = sizeof(double);
        array->slot = (void *)&vector[i];
    }
}

static void check_vectors(const state_t *state, int n)
{
    xmpi_block_t mine = state->block[state->rank];
    for (int i = 0; i < n; i++)
        for (int64_t row = 0; row < mine.count; row++)
            must(vector[i][row] == (double)(i * state->rows + mine.displ + row),
                 "an element is not where it belongs");
}

static void exchange_bare(const state_t *state, int n)
{
    int before = (state->rank + state->size - 1) % state->size;
    int behind = (state->rank + 1) % state->size;
    MPI_Request request[2 * VECTORS_MAX];
    double start = begin();
    agree(1, "");
    agree(1, "");
    for (int i = 0; i < n; i++) {
        MPI_Irecv(received[i], (int)state->block[behind].count, MPI_DOUBLE, behind, i,
                  MPI_COMM_WORLD, &request[i]);
        MPI_Isend(vector[i], (int)state->block[state->rank].count, MPI_DOUBLE, before, i,
                  MPI_COMM_WORLD, &request[n + i]);
    }
    MPI_Waitall(2 * n, request, MPI_STATUSES_IGNORE);
    end(state, "bare", start);
}

int main(int argc, char **argv)
{
    state_t state = {.rank = 0};
    xmpi_block_t next[MEMBERS_MAX];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &state.size);
    must(argc == 4 && atoi(argv[1]) <= VECTORS_MAX && state.size <= MEMBERS_MAX,
         "usage: move_small VECTORS ROWS TIMES");
    int n = atoi(argv[1]);
    state.rows = atol(argv[2]);
    equal_blocks(&state, 0, state.block);
    make(&state, n);
    for (int i = 0; i < atoi(argv[3]); i++) {
        exchange_bare(&state, n);
        next_blocks(&state, next);
        redistribute(&state, "full", next);
        check_vectors(&state, n);
    }
    MPI_Finalize();
    return 0;
}

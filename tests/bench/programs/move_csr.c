/* SPDX-License-Identifier: BSD-3-Clause
 * The redistribution of a sparse matrix in which every row moves to the next member, with its row
 * pointers (that count from the begin of the matrix), indices and nonzeros; and the same messages
 * by bare MPI, into memory that has been used before.
 *
 * Usage: move_csr NONZEROS ROUNDS. Prints lines "full SECONDS" and "bare SECONDS". */
#include "moving.h"

enum { MEAN = 10 }; /* nonzeros of a row */

typedef struct {
    int64_t *ia;
    int *ja;
    double *a;
} sparse_t;

/* 5 to 15, MEAN on average of every 11 rows. */
static int64_t length(int64_t row)
{
    return MEAN - 5 + row % 11;
}

static int64_t entries_before(int64_t row)
{
    int64_t rest = row % 11;
    return row / 11 * 11 * MEAN + (MEAN - 5) * rest + rest * (rest - 1) / 2;
}

static int64_t entries_of(xmpi_block_t block)
{
    return entries_before(block.displ + block.count) - entries_before(block.displ);
}

static void *room(int64_t n, size_t bytes)
{
    void *memory = malloc((size_t)n * bytes);
    must(memory != NULL, "there is no memory for the matrix");
    memset(memory, 1, (size_t)n * bytes);
    return memory;
}

static sparse_t allocate(xmpi_block_t block)
{
    int64_t n = entries_of(block) + 1;
    return (sparse_t){room(block.count + 1, sizeof(int64_t)), room(n, sizeof(int)),
                      room(n, sizeof(double))};
}

static void fill_sparse(sparse_t *m, xmpi_block_t block)
{
    for (int64_t i = 0; i <= block.count; i++)
        m->ia[i] = 1 + entries_before(block.displ + i);
    for (int64_t i = 0, at = 0; i < block.count; i++)
        for (int64_t k = 0; k < length(block.displ + i); k++, at++) {
            m->ja[at] = (int)k;
            m->a[at] = (double)(block.displ + i);
        }
}

static void check_sparse(const sparse_t *m, xmpi_block_t block)
{
    for (int64_t i = 0, at = 0; i < block.count; i++) {
        must(m->ia[i] == 1 + entries_before(block.displ + i), "a row pointer is wrong");
        for (int64_t k = 0; k < length(block.displ + i); k++, at++)
            must(m->ja[at] == k && m->a[at] == (double)(block.displ + i), "a nonzero is wrong");
    }
}

static void describe_sparse(state_t *state, sparse_t *m)
{
    const char *const name[] = {"ia", "ja", "a"};
    void *const slot[] = {&m->ia, &m->ja, &m->a};
    const int64_t bytes[] = {sizeof *m->ia, sizeof *m->ja, sizeof *m->a};
    for (int i = 0; i < 3; i++) {
        xmpi_array_t *array = xmpi_registry_array(&state->registry, name[i]);
        array->rows = state->rows;
        array->row_length = 1;
        array->row_bytes = bytes[i];
        array->shape = i == 0 ? XMPI_SHAPE_OFFSETS : XMPI_SHAPE_ENTRIES;
        array->origin = 1;
        array->global = true;
        array->offset_bytes = sizeof *m->ia;
        array->slot = slot[i];
    }
}

/* My block goes to the one before me. */
static void exchange_bare(const state_t *state, const sparse_t *m, const sparse_t *received)
{
    int before = (state->rank + state->size - 1) % state->size;
    int behind = (state->rank + 1) % state->size;
    xmpi_block_t mine = state->block[state->rank], other = state->block[behind];
    MPI_Request request[6];
    double start = begin();
    MPI_Irecv(received->ia, (int)other.count, MPI_INT64_T, behind, 0, MPI_COMM_WORLD, request);
    MPI_Irecv(received->ja, (int)entries_of(other), MPI_INT, behind, 1, MPI_COMM_WORLD,
              request + 1);
    MPI_Irecv(received->a, (int)entries_of(other), MPI_DOUBLE, behind, 2, MPI_COMM_WORLD,
              request + 2);
    MPI_Isend(m->ia, (int)mine.count, MPI_INT64_T, before, 0, MPI_COMM_WORLD, request + 3);
    MPI_Isend(m->ja, (int)entries_of(mine), MPI_INT, before, 1, MPI_COMM_WORLD, request + 4);
    MPI_Isend(m->a, (int)entries_of(mine), MPI_DOUBLE, before, 2, MPI_COMM_WORLD, request + 5);
    MPI_Waitall(6, request, MPI_STATUSES_IGNORE);
    end(state, "bare", start);
}

int main(int argc, char **argv)
{
    state_t state = {.rank = 0};
    xmpi_block_t next[MEMBERS_MAX];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &state.size);
    must(argc == 3 && state.size <= MEMBERS_MAX, "usage: move_csr NONZEROS ROUNDS");
    state.rows = atol(argv[1]) / MEAN;
    equal_blocks(&state, 0, state.block);
    sparse_t m = allocate(state.block[state.rank]);
    fill_sparse(&m, state.block[state.rank]);
    describe_sparse(&state, &m);
    xmpi_block_t most = {state.rows / state.size + 12, 0};
    sparse_t received = allocate(most);
    for (int i = 0; i < atoi(argv[2]); i++) {
        exchange_bare(&state, &m, &received);
        next_blocks(&state, next);
        redistribute(&state, "full", next);
        check_sparse(&m, state.block[state.rank]);
    }
    MPI_Finalize();
    return 0;
}

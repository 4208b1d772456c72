/* SPDX-License-Identifier: BSD-3-Clause
 * The redistribution of a dense matrix as the runtime does it, and the same messages by bare MPI.
 * Linked with libxmpi.a, as it calls the runtime's own functions with layouts made by hand.
 *
 * Usage: move MEGABYTES ROUNDS STRATEGY, a value of XMPI_MOVE. Prints lines of what was done and
 * its seconds, from a barrier to the last process: "full" is a redistribution in which every row
 * moves to the next member, "bare" its messages alone, into memory that has been used before,
 * "fresh" the same into memory from malloc as a redistribution needs it, and "shift10" is a
 * rebalance in which a tenth of the rows change owner, between neighbours; "peak" are the MiB of
 * measure_peak. */
#include "moving.h"

/* --- memory ------------------------------------------------------------------------------------
 */

/* A line of /proc/self/status, in MiB. */
static double memory_of(const char *name)
{
    char line[256];
    double kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");
    must(file != NULL, "there is no /proc/self/status");
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            kilobytes = atof(line + strlen(name));
    fclose(file);
    return kilobytes / 1024;
}

/* The peak is that from now on. */
static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    must(file != NULL && fputs("5", file) >= 0 && fclose(file) == 0, "the peak cannot be reset");
}

/* MiB that a full exchange needed at its peak beside what there was and the new block, of the
 * member that needed most. */
static void measure_peak(state_t *state)
{
    xmpi_block_t next[MEMBERS_MAX];
    next_blocks(state, next);
    forget_peak();
    double before = memory_of("VmRSS:");
    redistribute(state, "full", next);
    double more = memory_of("VmHWM:") - before, most;
    more -= (double)bytes_of(next[state->rank].count) / (1 << 20);
    MPI_Reduce(&more, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (state->rank == 0)
        printf("peak %.3f\n", most);
}

/* --- what is measured ---------------------------------------------------------------------------
 */

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

enum { SHIFTS = 10 };

/* Alternating, and at the end of a round the blocks are equal and in rank order again. */
static void measure_round(state_t *state, double *received)
{
    xmpi_block_t next[MEMBERS_MAX];
    for (int i = 0; i < state->size; i++) {
        exchange_bare(state, received);
        exchange_fresh(state);
        measure_peak(state);
        check(state);
    }
    for (int i = SHIFTS - 1; i >= 0; i--) {
        equal_blocks(state, i % 2 * state->rows / 10 / (state->size - 1), next);
        redistribute(state, "shift10", next);
        check(state);
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

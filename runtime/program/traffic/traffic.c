/* SPDX-License-Identifier: BSD-3-Clause
 * Gathering who sends how much to whom. */
#include "program/traffic/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "act/world/world.h"
#include "base/collective.h"
#include "observe/peers/peers.h"

/* So many entries are gathered together, but some from each: what a leader has room for (96 MiB).
 */
enum { ENTRIES_MAX = 1 << 22, LEAST_EACH = 64 };

/* What a member announces. Plain data. */
typedef struct {
    int64_t entries, rest;
} row_t;

static int by_bytes(const void *a, const void *b)
{
    int64_t x = ((const xmpi_talk_t *)a)->bytes, y = ((const xmpi_talk_t *)b)->bytes;
    return (x < y) - (x > y);
}

/* This process's own row, of the peers that it sends most to: a copy, malloc. */
static xmpi_talk_t *own_row(int size, row_t *row)
{
    const xmpi_talk_t *talk;
    int64_t most = ENTRIES_MAX / size > LEAST_EACH ? ENTRIES_MAX / size : LEAST_EACH;
    row->entries = xmpi_peers_row(&talk, &row->rest);
    xmpi_talk_t *mine = malloc(((size_t)row->entries + 1) * sizeof *mine);
    for (int64_t i = 0; i < row->entries && mine == NULL; i++)
        row->rest += talk[i].bytes;
    if (mine == NULL)
        row->entries = 0;
    if (row->entries > 0)
        memcpy(mine, talk, (size_t)row->entries * sizeof *mine);
    if (row->entries > most) {
        qsort(mine, (size_t)row->entries, sizeof *mine, by_bytes);
        for (; row->entries > most; row->entries--)
            row->rest += mine[row->entries - 1].bytes;
    }
    return mine;
}

/* What the first one needs to receive all rows; malloc. */
typedef struct {
    row_t *row;
    int *count, *displ;
    int32_t *entries;
    int64_t *rest;
    xmpi_talk_t *talk;
} table_t;

static bool allocate(table_t *table, int size)
{
    size_t n = (size_t)size;
    *table = (table_t){.row = calloc(n, sizeof *table->row),
                       .count = calloc(n, sizeof *table->count),
                       .displ = calloc(n, sizeof *table->displ),
                       .entries = calloc(n, sizeof *table->entries),
                       .rest = calloc(n, sizeof *table->rest)};
    return table->row != NULL && table->count != NULL && table->displ != NULL &&
           table->entries != NULL && table->rest != NULL;
}

/* Once it is known how long the rows are. */
static bool make_room(table_t *table, int size)
{
    int64_t entries = 0;
    for (int i = 0; i < size; i++) {
        table->displ[i] = (int)entries;
        table->count[i] = table->entries[i] = (int)table->row[i].entries;
        table->rest[i] = table->row[i].rest;
        entries += table->row[i].entries;
    }
    table->talk = malloc(((size_t)entries + 1) * sizeof *table->talk);
    return table->talk != NULL;
}

static void release(table_t *table)
{
    free(table->row);
    free(table->count);
    free(table->displ);
    free(table->entries);
    free(table->rest);
    free(table->talk);
}

/* All hear whether the first one has room for what they have. */
static bool agree(MPI_Comm comm, bool has_room)
{
    int agreed = has_room;
    PMPI_Bcast(&agreed, 1, MPI_INT, 0, comm);
    return agreed != 0;
}

static void send_rows(MPI_Comm comm, const row_t *row, const xmpi_talk_t *mine, table_t *table)
{
    MPI_Datatype entry;
    PMPI_Type_contiguous(sizeof *mine, MPI_BYTE, &entry);
    PMPI_Type_commit(&entry);
    PMPI_Gatherv(mine, (int)row->entries, entry, table->talk, table->count, table->displ, entry, 0,
                 comm);
    PMPI_Type_free(&entry);
}

xmpi_status_t xmpi_traffic_gather_over(MPI_Comm comm, xmpi_traffic_t *traffic)
{
    int rank, size;
    row_t row;
    table_t table = {0};
    xmpi_status_t status = XMPI_OK;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    *traffic = (xmpi_traffic_t){0};
    xmpi_talk_t *mine = own_row(size, &row);
    if (agree(comm, rank != 0 || allocate(&table, size))) {
        PMPI_Gather(&row, sizeof row, MPI_BYTE, table.row, sizeof row, MPI_BYTE, 0, comm);
        if (agree(comm, rank != 0 || make_room(&table, size)))
            send_rows(comm, &row, mine, &table);
    }
    if (rank == 0)
        status = table.talk == NULL ? XMPI_ERR_MEMORY
                                    : xmpi_traffic_make(traffic, size, table.entries, table.talk,
                                                        table.rest, NULL);
    release(&table);
    free(mine);
    return status;
}

xmpi_status_t xmpi_traffic_gather(const xmpi_context_t *context, xmpi_traffic_t *traffic)
{
    xmpi_status_t status = xmpi_traffic_gather_over(xmpi_world.comm, traffic);
    traffic->iterations = context->progress.iteration - context->progress.talked_from;
    return status;
}

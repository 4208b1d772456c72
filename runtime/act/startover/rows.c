/* SPDX-License-Identifier: BSD-3-Clause
 * Moving the rows of the state. */
#include "act/startover/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/moving/storage/pages.h"
#include "base/collective.h"
#include "base/misuse.h"

/* --- who has what -------------------------------------------------------------------------------
 */

/* What one process tells of an array; ROWS is 0 where it tells nothing. Plain data. */
typedef struct {
    int64_t rows, row_bytes;
    int64_t before, behind; /* rows beyond the own ones */
    int64_t first, last;    /* of those, so many are there around the domain */
    xmpi_block_t own;
} told_t;

static void *get_memory(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);
    if (memory == NULL)
        xmpi_misuse("no memory for a list of rows");
    return memory;
}

/* (Where each row may be anywhere, those around the domain may be nowhere. A full array has none.)
 */
static told_t tell(const xmpi_state_rows_t *array)
{
    int64_t first = array->before < array->at ? array->before : array->at, last = first;
    if (array->shape == XMPI_GEN_POINTERS)
        first = last = 0;
    if (array->around) {
        first = array->before;
        last = array->behind;
    }
    return (told_t){.rows = array->rows,
                    .row_bytes = array->row_bytes,
                    .before = array->before,
                    .behind = array->behind,
                    .first = first,
                    .last = last,
                    .own = array->own};
}

/* What all tell of ARRAYS; malloc. */
static told_t *gather(const xmpi_state_told_t *state, int arrays, int processes, MPI_Comm comm)
{
    told_t *mine = get_memory((size_t)arrays, sizeof *mine);
    told_t *all = get_memory((size_t)arrays * (size_t)processes, sizeof *all);
    for (int i = 0; state != NULL && i < arrays; i++)
        mine[i] = tell(&state->array[i]);
    int bytes = arrays * (int)sizeof *mine;
    PMPI_Allgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm);
    free(mine);
    return all;
}

/* The number of arrays that all tell of who tell anything; -1: they differ. */
static int count_arrays(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                        MPI_Comm comm)
{
    int one = before != NULL ? before->arrays : now->arrays;
    int other = now != NULL ? now->arrays : one;
    int mine[2] = {one < other ? one : other, -(one > other ? one : other)}, all[2];
    PMPI_Allreduce(mine, all, 2, MPI_INT, MPI_MIN, comm);
    return all[0] == -all[1] ? all[0] : -1;
}

static int by_displ(const void *a, const void *b)
{
    const xmpi_block_t *one = a, *other = b;
    return one->displ < other->displ ? -1 : one->displ > other->displ;
}

/* Whether the rows of array A each have one owner among those that TOLD; else WHY. */
static bool are_whole(const told_t *told, int a, int arrays, int processes, int64_t rows,
                      const char *name, char *why, size_t size)
{
    xmpi_block_t *block = get_memory((size_t)processes, sizeof *block);
    int n = 0;
    int64_t next = 0;
    for (int p = 0; p < processes; p++)
        if (told[p * arrays + a].own.count > 0)
            block[n++] = told[p * arrays + a].own;
    qsort(block, (size_t)n, sizeof *block, by_displ);
    int i = 0;
    for (; i < n && block[i].displ == next; i++)
        next += block[i].count;
    bool whole = i == n && next == rows;
    if (!whole)
        snprintf(why, size, "row %" PRId64 " of %s belongs to %s", next, name,
                 i < n && block[i].displ < next ? "two members" : "no member");
    if (!whole && i < n && block[i].displ < next)
        snprintf(why, size, "row %" PRId64 " of %s belongs to two members", block[i].displ, name);
    free(block);
    return whole;
}

/* Whether all that tell of array A tell the same of its rows: ROWS and BYTES. */
static bool are_alike(const told_t *told, int a, int arrays, int processes, const char *name,
                      int64_t *rows, int64_t *bytes, char *why, size_t size)
{
    for (int p = 0; p < processes; p++) {
        const told_t *one = &told[p * arrays + a];
        if (one->rows == 0)
            continue;
        if (*rows == 0) {
            *rows = one->rows;
            *bytes = one->row_bytes;
        }
        if (one->rows != *rows || one->row_bytes != *bytes) {
            snprintf(why, size,
                     "%s has %" PRId64 " rows of %" PRId64 " bytes, and %" PRId64 " of %" PRId64
                     " elsewhere",
                     name, *rows, *bytes, one->rows, one->row_bytes);
            return false;
        }
    }
    return true;
}

/* Rows around the domain: in front of its first one, and behind its last one. */
typedef struct {
    int64_t first, last;
} edges_t;

/* How many rows of array A lie around the domain: those of whoever has the first one, or more. */
static void add_edges(const told_t *told, int a, int arrays, int processes, edges_t *edges)
{
    for (int p = 0; p < processes; p++) {
        const told_t *one = &told[p * arrays + a];
        if (one->own.count == 0 || one->own.displ > 0)
            continue;
        if (edges->first < one->first)
            edges->first = one->first;
        if (edges->last < one->last)
            edges->last = one->last;
    }
}

/* The own rows, and with those at the ends of the domain the rows beyond. */
static xmpi_block_t with_edges(const told_t *one, edges_t edges)
{
    int64_t from = one->own.displ, to = from + one->own.count;
    if (one->own.count > 0 && to == one->rows)
        to += edges.last;
    if (one->own.count > 0 && from == 0)
        from -= edges.first;
    return (xmpi_block_t){.displ = from, .count = to - from};
}

/* The own rows, and those around them, as far as there are any. */
static xmpi_block_t with_halo(const told_t *one, edges_t edges)
{
    bool any = one->own.count > 0;
    int64_t from = one->own.displ - (any ? one->before : 0);
    int64_t to = one->own.displ + one->own.count + (any ? one->behind : 0);
    if (any && from < -edges.first)
        from = -edges.first;
    if (any && to > one->rows + edges.last)
        to = one->rows + edges.last;
    return (xmpi_block_t){.displ = from, .count = to - from};
}

void xmpi_rows_here(const xmpi_state_told_t *state, MPI_Comm comm, xmpi_block_t *here)
{
    int processes, arrays = state->arrays;
    PMPI_Comm_size(comm, &processes);
    told_t *told = gather(state, arrays, processes, comm);
    for (int a = 0; a < arrays; a++) {
        const told_t mine = tell(&state->array[a]);
        edges_t edges = {0, 0};
        add_edges(told, a, arrays, processes, &edges);
        here[a] = with_halo(&mine, edges);
    }
    free(told);
}

static void note_blocks(const told_t *old, const told_t *new, xmpi_rows_map_t *map)
{
    int arrays = map->arrays, processes = map->processes;
    size_t n = (size_t)arrays * (size_t)processes;
    map->before = get_memory(n, sizeof *map->before);
    map->owned = get_memory(n, sizeof *map->owned);
    map->after = get_memory(n, sizeof *map->after);
    for (int a = 0; a < arrays; a++) {
        edges_t edges = {0, 0};
        add_edges(old, a, arrays, processes, &edges);
        add_edges(new, a, arrays, processes, &edges);
        for (int i = a; i < arrays * processes; i += arrays) {
            map->before[i] = with_edges(&old[i], edges);
            map->owned[i] = new[i].own;
            map->after[i] = with_halo(&new[i], edges);
        }
    }
}

bool xmpi_rows_compare(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                       MPI_Comm transit, xmpi_rows_map_t *map, char *why, size_t size)
{
    const xmpi_state_told_t *any = now != NULL ? now : before;
    memset(map, 0, sizeof *map);
    PMPI_Comm_size(transit, &map->processes);
    map->arrays = count_arrays(before, now, transit);
    if (map->arrays < 0) {
        snprintf(why, size, "the state of the loop is another one");
        return false;
    }
    int arrays = map->arrays, processes = map->processes;
    told_t *old = gather(before, arrays, processes, transit);
    told_t *new = gather(now, arrays, processes, transit);
    bool fits = true;
    map->rows = get_memory((size_t)arrays, sizeof *map->rows);
    for (int a = 0; a < arrays && fits; a++) {
        int64_t bytes = 0;
        const char *name = any->array[a].name;
        fits = are_alike(old, a, arrays, processes, name, &map->rows[a], &bytes, why, size) &&
               are_alike(new, a, arrays, processes, name, &map->rows[a], &bytes, why, size) &&
               are_whole(old, a, arrays, processes, map->rows[a], name, why, size) &&
               are_whole(new, a, arrays, processes, map->rows[a], name, why, size);
    }
    note_blocks(old, new, map);
    free(old);
    free(new);
    return fits;
}

bool xmpi_rows_are_whole(const xmpi_state_told_t *state, MPI_Comm comm, char *why, size_t size)
{
    xmpi_rows_map_t map;
    bool whole = xmpi_rows_compare(state, state, comm, &map, why, size);
    xmpi_rows_map_free(&map);
    return whole;
}

void xmpi_rows_map_free(xmpi_rows_map_t *map)
{
    free(map->before);
    free(map->owned);
    free(map->after);
    free(map->rows);
    map->before = map->owned = map->after = NULL;
    map->rows = NULL;
}

/* --- moving -------------------------------------------------------------------------------------
 */

static xmpi_block_t common(xmpi_block_t one, xmpi_block_t other)
{
    int64_t from = one.displ > other.displ ? one.displ : other.displ;
    int64_t one_end = one.displ + one.count, other_end = other.displ + other.count;
    int64_t to = one_end < other_end ? one_end : other_end;
    return (xmpi_block_t){.count = to > from ? to - from : 0, .displ = from};
}

/* Rows in one place. Where they are in several, memory beside (malloc) stands for it. */
typedef struct {
    const xmpi_state_rows_t *rows;
    xmpi_block_t block;
    char *beside;
} scattered_t;

typedef struct {
    xmpi_message_t *message;
    int n;
    scattered_t *scattered;
} list_t;

static void copy_rows(const scattered_t *piece, const xmpi_aside_t *aside, bool out)
{
    int64_t bytes = piece->rows->row_bytes;
    for (int64_t i = 0; i < piece->block.count; i++) {
        char *row = xmpi_state_row(piece->rows, piece->block.displ + i, aside);
        memcpy(out ? piece->beside + i * bytes : row, out ? row : piece->beside + i * bytes,
               (size_t)bytes);
    }
}

static void add(list_t *list, const xmpi_state_rows_t *rows, int array, xmpi_block_t block,
                int peer, bool sending, const xmpi_aside_t *aside)
{
    int64_t bytes = block.count * rows->row_bytes;
    char *base = xmpi_state_row(rows, block.displ, aside);
    if (xmpi_state_run(rows, block.displ, block.count, aside) < block.count) {
        scattered_t piece = {rows, block, get_memory((size_t)bytes, 1)};
        base = piece.beside;
        if (sending)
            copy_rows(&piece, aside, true);
        list->scattered[list->n] = piece;
    }
    list->message[list->n++] = (xmpi_message_t){.sending = sending,
                                                .peer = peer,
                                                .array = array,
                                                .base = base,
                                                .extent = {0, bytes, bytes, 1}};
}

/* Receives of an array come before its sends, on all. */
static void list_messages(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                          const xmpi_aside_t *aside, const xmpi_rows_map_t *map, int me,
                          list_t *list)
{
    int arrays = map->arrays;
    for (int a = 0; a < arrays; a++) {
        for (int p = 0; p < map->processes && now != NULL; p++) {
            xmpi_block_t block = common(map->before[p * arrays + a], map->after[me * arrays + a]);
            if (block.count > 0 && p != me)
                add(list, &now->array[a], a, block, p, false, NULL);
        }
        for (int p = 0; p < map->processes && before != NULL; p++) {
            xmpi_block_t block = common(map->before[me * arrays + a], map->after[p * arrays + a]);
            if (block.count > 0 && p != me)
                add(list, &before->array[a], a, block, p, true, aside);
        }
    }
}

/* Rows that stay here. Nobody reads them elsewhere: unless they are to be KEPT their pages may go
 * with them. */
static void keep(const xmpi_state_rows_t *from, const xmpi_state_rows_t *to, xmpi_block_t block,
                 const xmpi_aside_t *aside, bool kept)
{
    for (int64_t row = block.displ, end = row + block.count; row < end;) {
        int64_t there = xmpi_state_run(from, row, end - row, aside);
        int64_t here = xmpi_state_run(to, row, end - row, NULL);
        int64_t run = there < here ? there : here;
        size_t bytes = (size_t)(run * from->row_bytes);
        char *there_at = xmpi_state_row(from, row, aside), *here_at = xmpi_state_row(to, row, NULL);
        if (kept)
            memcpy(here_at, there_at, bytes);
        else
            xmpi_pages_move(here_at, there_at, bytes);
        row += run;
    }
}

void xmpi_rows_move(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                    const xmpi_aside_t *aside, bool kept, xmpi_move_strategy_t strategy,
                    MPI_Comm transit, int me, xmpi_rows_map_t *map)
{
    size_t most = 2 * (size_t)map->arrays * (size_t)map->processes;
    list_t list = {.message = get_memory(most, sizeof *list.message),
                   .scattered = get_memory(most, sizeof *list.scattered)};
    xmpi_exchange_t exchange;
    list_messages(before, now, aside, map, me, &list);
    xmpi_exchange_open(strategy, map->processes, &exchange);
    if (xmpi_exchange_room(&exchange, list.message, list.n) != XMPI_OK)
        xmpi_misuse("no memory to move the rows of the loop");
    xmpi_exchange_begin(&exchange, list.message, list.n, transit);
    xmpi_exchange_take(&exchange);
    xmpi_exchange_end(&exchange);
    map->bytes = exchange.received_bytes;
    map->messages = exchange.received_messages;
    xmpi_exchange_close(&exchange);
    for (int a = 0; a < map->arrays && before != NULL && now != NULL; a++)
        keep(&before->array[a], &now->array[a],
             common(map->before[me * map->arrays + a], map->after[me * map->arrays + a]), aside,
             kept);
    for (int i = 0; i < list.n; i++) {
        if (list.scattered[i].beside != NULL && !list.message[i].sending)
            copy_rows(&list.scattered[i], NULL, false);
        free(list.scattered[i].beside);
    }
    free(list.scattered);
    free(list.message);
}

/* --- copies -------------------------------------------------------------------------------------
 */

int64_t xmpi_rows_bytes(const xmpi_state_told_t *state)
{
    int64_t bytes = 0;
    for (int a = 0; a < state->arrays; a++) {
        const told_t one = tell(&state->array[a]);
        bytes += (one.own.count + one.first + one.last) * one.row_bytes;
    }
    return bytes;
}

/* An array of COPY for the rows BLOCK of ARRAY, where EDGES lie around the domain. */
static xmpi_status_t add_copy(const xmpi_state_rows_t *array, xmpi_block_t block, edges_t edges,
                              xmpi_state_told_t *copy)
{
    xmpi_state_rows_t *one = &copy->array[copy->arrays];
    *one = *array;
    one->shape = XMPI_GEN_FLAT;
    one->at = array->own.displ - block.displ;
    one->before = edges.first;
    one->behind = edges.last;
    one->around = true;
    one->base = calloc((size_t)block.count + 1, (size_t)array->row_bytes);
    copy->arrays += one->base != NULL;
    return one->base != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
}

xmpi_status_t xmpi_rows_room(const xmpi_state_told_t *state, xmpi_state_told_t *room)
{
    xmpi_status_t status = XMPI_OK;
    room->arrays = 0;
    for (int a = 0; a < state->arrays && status == XMPI_OK; a++)
        status = add_copy(&state->array[a], state->array[a].own, (edges_t){0, 0}, room);
    return status;
}

xmpi_status_t xmpi_rows_copy(const xmpi_state_told_t *state, MPI_Comm comm, xmpi_state_told_t *copy)
{
    int processes, arrays = state->arrays;
    xmpi_status_t status = XMPI_OK;
    PMPI_Comm_size(comm, &processes);
    told_t *told = gather(state, arrays, processes, comm);
    copy->arrays = 0;
    for (int a = 0; a < arrays && status == XMPI_OK; a++) {
        const xmpi_state_rows_t *array = &state->array[a];
        const told_t mine = {.rows = array->rows, .own = array->own};
        edges_t edges = {0, 0};
        add_edges(told, a, arrays, processes, &edges);
        xmpi_block_t block = with_edges(&mine, edges);
        status = add_copy(array, block, edges, copy);
        for (int64_t i = 0; i < block.count && status == XMPI_OK; i++)
            memcpy((char *)(uintptr_t)copy->array[a].base + i * array->row_bytes,
                   xmpi_state_row(array, block.displ + i, NULL), (size_t)array->row_bytes);
    }
    free(told);
    return status;
}

void xmpi_rows_release(xmpi_state_told_t *copy)
{
    for (int a = 0; a < copy->arrays; a++)
        free((void *)(uintptr_t)copy->array[a].base);
    copy->arrays = 0;
}

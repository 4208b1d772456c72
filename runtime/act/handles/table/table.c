/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of our handles. */
#include "act/handles/table/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/misuse.h"

_Static_assert(sizeof(MPI_Comm) == sizeof(int) && sizeof(MPI_Request) == sizeof(int),
               "the handles of this MPI are no integers");

xmpi_handles_t xmpi_handles = {.lock = PTHREAD_MUTEX_INITIALIZER, .world = MPI_COMM_WORLD};

const int xmpi_handle_nulls[XMPI_HANDLE_KINDS] = {
    [XMPI_HANDLE_COMM] = MPI_COMM_NULL,
    [XMPI_HANDLE_GROUP] = MPI_GROUP_NULL,
    [XMPI_HANDLE_TYPE] = MPI_DATATYPE_NULL,
    [XMPI_HANDLE_OP] = MPI_OP_NULL,
    [XMPI_HANDLE_ERRHANDLER] = MPI_ERRHANDLER_NULL,
    [XMPI_HANDLE_INFO] = MPI_INFO_NULL,
    [XMPI_HANDLE_KEYVAL] = MPI_KEYVAL_INVALID,
    [XMPI_HANDLE_REQUEST] = MPI_REQUEST_NULL,
};

static void lock(void)
{
    if (xmpi_handles.several)
        pthread_mutex_lock(&xmpi_handles.lock);
}

static void unlock(void)
{
    if (xmpi_handles.several)
        pthread_mutex_unlock(&xmpi_handles.lock);
}

static xmpi_handle_t *at(const xmpi_handle_table_t *table, uint32_t number)
{
    return &table->chunk[number / XMPI_HANDLES_CHUNK][number % XMPI_HANDLES_CHUNK];
}

/* So that NUMBER has a place. */
static void make_room(xmpi_handle_table_t *table, uint32_t number)
{
    uint32_t chunk = number / XMPI_HANDLES_CHUNK;
    if (chunk >= XMPI_HANDLES_CHUNKS)
        xmpi_misuse("the program has more than a million objects of MPI of one kind at a time");
    if (table->chunk == NULL)
        table->chunk = calloc(XMPI_HANDLES_CHUNKS, sizeof(xmpi_handle_t *));
    if (table->chunk != NULL && table->chunk[chunk] == NULL)
        table->chunk[chunk] = calloc(XMPI_HANDLES_CHUNK, sizeof(xmpi_handle_t));
    if (table->chunk == NULL || table->chunk[chunk] == NULL)
        xmpi_misuse("no memory for handles of the program");
}

static void put_free(xmpi_handle_kind_t kind, uint32_t number)
{
    xmpi_handle_table_t *table = &xmpi_handles.table[kind];
    xmpi_handle_t *entry = at(table, number);
    entry->real = xmpi_handle_nulls[kind] + (int)number;
    entry->refs = entry->ahead = 0;
    entry->made = NULL;
    entry->next_free = table->first_free;
    table->first_free = number;
}

/* The last number is known to readers once there is something behind it. */
static uint32_t take_free(xmpi_handle_table_t *table)
{
    uint32_t number = table->first_free;
    if (number != 0) {
        table->first_free = at(table, number)->next_free;
        return number;
    }
    make_room(table, table->n + 1);
    return table->n + 1;
}

int xmpi_handle_add(xmpi_handle_kind_t kind, int real, const char *call, const void *place)
{
    xmpi_handle_table_t *table = &xmpi_handles.table[kind];
    lock();
    uint32_t number = take_free(table);
    *at(table, number) = (xmpi_handle_t){
        .real = real, .refs = 1, .serial = ++xmpi_handles.serial, .call = call, .place = place};
    if (number > table->n)
        __atomic_store_n(&table->n, number, __ATOMIC_RELEASE);
    if (kind == XMPI_HANDLE_COMM) /* the number may have been another's */
        xmpi_handles_forget_sends();
    unlock();
    return xmpi_handle_nulls[kind] + (int)number;
}

xmpi_handle_t *xmpi_handle_claim(xmpi_handle_kind_t kind, int handle, const xmpi_handle_t *copy)
{
    xmpi_handle_table_t *table = &xmpi_handles.table[kind];
    uint32_t number = (uint32_t)(handle - xmpi_handle_nulls[kind]);
    make_room(table, number);
    for (uint32_t i = table->n + 1; i <= number; i++)
        make_room(table, i);
    if (number > table->n)
        table->n = number;
    *at(table, number) = *copy;
    at(table, number)->real = handle;
    at(table, number)->ahead = 0;
    return at(table, number);
}

void xmpi_handles_claimed(void)
{
    for (xmpi_handle_kind_t kind = 0; kind < XMPI_HANDLE_KINDS; kind++) {
        xmpi_handle_table_t *table = &xmpi_handles.table[kind];
        table->first_free = 0;
        for (uint32_t number = table->n; number > 0; number--)
            if (at(table, number)->refs == 0)
                put_free(kind, number);
    }
}

xmpi_handle_t *xmpi_handle_next(xmpi_handle_kind_t kind, uint32_t *number)
{
    const xmpi_handle_table_t *table = &xmpi_handles.table[kind];
    while (++*number <= table->n)
        if (at(table, *number)->refs > 0)
            return at(table, *number);
    return NULL;
}

void xmpi_handle_free(xmpi_handle_kind_t kind, int handle, xmpi_handle_t *entry)
{
    if (entry->made != NULL)
        free(entry->made);
    lock();
    put_free(kind, (uint32_t)(handle - xmpi_handle_nulls[kind]));
    unlock();
}

bool xmpi_handle_drop(xmpi_handle_kind_t kind, int handle)
{
    xmpi_handle_t *entry = xmpi_handle_at(kind, handle);
    if (entry == NULL || --entry->refs > 0)
        return false;
    xmpi_handle_free(kind, handle, entry);
    return true;
}

int xmpi_handle_ours(xmpi_handle_kind_t kind, int real)
{
    static __thread struct {
        int real, ours;
    } last[XMPI_HANDLE_KINDS];
    uint32_t number = 0;
    if (kind == XMPI_HANDLE_COMM && real == xmpi_handles.world)
        return MPI_COMM_WORLD;
    if (!xmpi_handle_is_made(kind, real))
        return real;
    xmpi_handle_t *entry = xmpi_handle_at(kind, last[kind].ours);
    if (last[kind].real == real && entry != NULL && entry->real == real)
        return last[kind].ours;
    while ((entry = xmpi_handle_next(kind, &number)) != NULL)
        if (entry->real == real) {
            last[kind].real = real;
            last[kind].ours = xmpi_handle_nulls[kind] + (int)number;
            return last[kind].ours;
        }
    return real;
}

void xmpi_handles_forget_sends(void)
{
    memset(xmpi_handles.sends.recent, 0, sizeof xmpi_handles.sends.recent);
}

void xmpi_handles_empty(void)
{
    for (xmpi_handle_kind_t kind = 0; kind < XMPI_HANDLE_KINDS; kind++) {
        xmpi_handle_table_t *table = &xmpi_handles.table[kind];
        for (uint32_t number = 1; number <= table->n; number++)
            free(at(table, number)->made);
        for (uint32_t i = 0; table->chunk != NULL && i < XMPI_HANDLES_CHUNKS; i++)
            free(table->chunk[i]);
        free(table->chunk);
        *table = (xmpi_handle_table_t){0};
    }
    free(xmpi_handles.pin);
    xmpi_handles.pin = NULL;
    xmpi_handles.pins = xmpi_handles.pin_room = 0;
}

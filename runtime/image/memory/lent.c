/* SPDX-License-Identifier: BSD-3-Clause
 * Lent memory: a table by addresses. Behind its place comes what has found that taken. */
#include "image/memory/lent.h"

#include <stdlib.h>
#include <string.h>

#include "image/memory/lock.h"
#include "image/memory/native.h"

void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *piece, size_t size);
void __real_free(void *piece);

typedef struct {
    uintptr_t piece;  /* 0: none, and none behind it; GONE: none any more */
    uintptr_t caller; /* where it was allocated */
} lent_t;

enum { GONE = 1, LEAST_ROOM = 1024 };

XMPI_NATIVE static struct {
    int lock;
    bool missed;       /* there was no memory to note something */
    lent_t *entry;     /* of the C library's heap */
    size_t room;       /* a power of 2 */
    size_t used, lent; /* entries that are not 0; and those that are there */
} noted;

static size_t place_of(uintptr_t piece)
{
    return (size_t)(piece * 0x9e3779b97f4a7c15ull >> 20) & (noted.room - 1);
}

static void put(lent_t lent)
{
    size_t i = place_of(lent.piece);
    while (noted.entry[i].piece > GONE)
        i = (i + 1) & (noted.room - 1);
    noted.used += noted.entry[i].piece == 0;
    noted.entry[i] = lent;
    __atomic_fetch_add(&noted.lent, 1, __ATOMIC_RELAXED);
}

/* At least half of the table stays empty. */
static bool make_room(void)
{
    lent_t *before = noted.entry;
    size_t places = noted.room, room = LEAST_ROOM;
    if (2 * (noted.used + 1) <= noted.room)
        return true;
    while (room < 4 * (noted.lent + 1))
        room *= 2;
    lent_t *entry = __real_calloc(room, sizeof *entry);
    if (entry == NULL)
        return false;
    noted.entry = entry;
    noted.room = room;
    noted.used = 0;
    __atomic_store_n(&noted.lent, 0, __ATOMIC_RELAXED);
    for (size_t i = 0; i < places; i++)
        if (before[i].piece > GONE)
            put(before[i]);
    __real_free(before);
    return true;
}

void *xmpi_lent_note(void *piece, uintptr_t caller)
{
    if (piece == NULL)
        return piece;
    xmpi_lock(&noted.lock);
    if (make_room())
        put((lent_t){(uintptr_t)piece, caller});
    else
        noted.missed = true;
    xmpi_unlock(&noted.lock);
    return piece;
}

/* Where it was allocated; 0: it was not noted. */
static uintptr_t take(const void *piece)
{
    uintptr_t caller = 0;
    if (piece == NULL || __atomic_load_n(&noted.lent, __ATOMIC_RELAXED) == 0)
        return 0;
    xmpi_lock(&noted.lock);
    size_t i = noted.room > 0 ? place_of((uintptr_t)piece) : 0;
    while (noted.room > 0 && noted.entry[i].piece != 0 && noted.entry[i].piece != (uintptr_t)piece)
        i = (i + 1) & (noted.room - 1);
    if (noted.room > 0 && noted.entry[i].piece != 0) {
        caller = noted.entry[i].caller;
        noted.entry[i].piece = GONE;
        __atomic_fetch_sub(&noted.lent, 1, __ATOMIC_RELAXED);
    }
    xmpi_unlock(&noted.lock);
    return caller;
}

void xmpi_lent_free(void *piece)
{
    take(piece);
    __real_free(piece);
}

/* (Noted no more before it may be given to another thread.) */
void *xmpi_lent_realloc(void *piece, size_t size)
{
    uintptr_t caller = take(piece);
    void *made = __real_realloc(piece, size);
    if (caller != 0)
        xmpi_lent_note(made == NULL && size != 0 ? piece : made, caller);
    return made;
}

bool xmpi_lent_any(uintptr_t *caller)
{
    *caller = 0;
    xmpi_lock(&noted.lock);
    for (size_t i = 0; i < noted.room && *caller == 0; i++)
        if (noted.entry[i].piece > GONE)
            *caller = noted.entry[i].caller;
    bool any = noted.lent > 0 || noted.missed;
    xmpi_unlock(&noted.lock);
    return any;
}

void xmpi_lent_forget(void)
{
    xmpi_lock(&noted.lock);
    if (noted.used > 0)
        memset(noted.entry, 0, noted.room * sizeof *noted.entry);
    noted.used = noted.lent = 0;
    noted.missed = false;
    xmpi_unlock(&noted.lock);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Spare storage. */
#define _GNU_SOURCE
#include "act/moving/storage/spare.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "act/moving/storage/slides.h"
#include "base/process/nice.h"

/* Less is kept by malloc itself; what is larger it gives back to the system, as a rule. */
enum { BLOCKS = 16, MOVES = 4, LEAST = 128 << 10, MOST = 64 << 20 };

typedef struct {
    void *block; /* NULL: none */
    size_t bytes;
    int age; /* in moves */
} spare_t;

static spare_t spare[BLOCKS];

static size_t kept_bytes(void)
{
    size_t bytes = 0;
    for (int i = 0; i < BLOCKS; i++)
        bytes += spare[i].bytes;
    return bytes;
}

static void drop(spare_t *one)
{
    free(one->block);
    *one = (spare_t){NULL, 0, 0};
}

void *xmpi_spare_take(size_t bytes)
{
    spare_t *best = NULL;
    for (int i = 0; i < BLOCKS; i++)
        if (spare[i].block != NULL && spare[i].bytes >= bytes &&
            spare[i].bytes - bytes <= bytes / 4 && (best == NULL || spare[i].bytes < best->bytes))
            best = &spare[i];
    if (best == NULL)
        return NULL;
    void *block = best->block;
    *best = (spare_t){NULL, 0, 0};
    return block;
}

static spare_t *free_place(void)
{
    for (int i = 0; i < BLOCKS; i++)
        if (spare[i].block == NULL)
            return &spare[i];
    return NULL;
}

static spare_t *oldest(void)
{
    spare_t *found = NULL;
    for (int i = 0; i < BLOCKS; i++)
        if (spare[i].block != NULL && (found == NULL || spare[i].age > found->age))
            found = &spare[i];
    return found;
}

/* A slide has its room already, and is where its rows lie. */
void xmpi_spare_give(void *block)
{
    size_t bytes = block != NULL ? malloc_usable_size(block) : 0;
    if (bytes < LEAST || bytes > MOST || xmpi_slide_has(block)) {
        free(block);
        return;
    }
    while (kept_bytes() + bytes > MOST || free_place() == NULL)
        drop(oldest());
    *free_place() = (spare_t){block, bytes, 0};
}

static void *free_block(void *block)
{
    xmpi_be_nice();
    free(block);
    return NULL;
}

/* Signals are for the program's own threads. Nobody waits for this one. */
static bool free_aside(void *block)
{
    pthread_t thread;
    pthread_attr_t detached;
    sigset_t all, before;
    if (pthread_attr_init(&detached) != 0)
        return false;
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&thread, &detached, free_block, block) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&detached);
    return begun;
}

/* The kernel takes 80 ms for a GiB of small pages. */
void xmpi_spare_give_aside(void *block)
{
    size_t bytes = block != NULL ? malloc_usable_size(block) : 0;
    if (bytes <= MOST || !free_aside(block))
        xmpi_spare_give(block);
}

void xmpi_spare_age(void)
{
    for (int i = 0; i < BLOCKS; i++)
        if (spare[i].block != NULL && ++spare[i].age > MOVES)
            drop(&spare[i]);
}

void xmpi_spare_free(void)
{
    for (int i = 0; i < BLOCKS; i++)
        drop(&spare[i]);
}

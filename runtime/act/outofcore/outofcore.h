/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays that are out of core: the blocks of this process that are on files (paged.h), the memory
 * that they share, and the thread that reads ahead and writes behind while the program computes. */
#ifndef XMPI_ACT_OUTOFCORE_OUTOFCORE_H
#define XMPI_ACT_OUTOFCORE_OUTOFCORE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "act/outofcore/paged.h"
#include "base/status.h"

/* Less is not worth a file. */
enum { XMPI_OUTOFCORE_LEAST = 128 << 10, XMPI_OUTOFCORE_PATH = 4096, XMPI_OUTOFCORE_THREADS = 6 };

/* Of a process; all zeros: nothing is out of core, and nothing can be. */
typedef struct xmpi_outofcore {
    char folder[XMPI_OUTOFCORE_PATH]; /* for the files; empty: none */
    int64_t memory;                   /* bytes that all blocks together may take in memory */
    atomic_bool waits;                /* nothing is read ahead */
    pthread_mutex_t lock;             /* of what follows */
    xmpi_paged_t **block;             /* malloc, each */
    int blocks;
    bool open, ends;
    int wanted;  /* how many wait for nobody to be at work */
    int at_work; /* how many read or write, without the lock */
    pthread_cond_t to_read, to_write, at_rest;
    pthread_t thread[XMPI_OUTOFCORE_THREADS];
    atomic_int failed; /* a number of errno: the disk has not taken what the program has written */
} xmpi_outofcore_t;

/* Files are made in FOLDER, and MEMORY bytes are shared by all blocks from now on. */
void xmpi_outofcore_set(xmpi_outofcore_t *all, const char *folder, int64_t memory);

/* Whether the threads read ahead, as they do at first; else the kernel alone does. */
void xmpi_outofcore_read_ahead(xmpi_outofcore_t *all, bool ahead);

/* Puts BLOCK, which malloc gave, on a file; what it holds stays, and the program may use and free
 * it as before. XMPI_ERR_INPUT, XMPI_ERR_MEMORY: it is as it was. */
xmpi_status_t xmpi_outofcore_put(xmpi_outofcore_t *all, void *block, xmpi_error_t *error);

/* Whether BLOCK is on a file. ALL may be NULL. */
bool xmpi_outofcore_has(xmpi_outofcore_t *all, void *block);

/* How many blocks are, and their bytes; ALL may be NULL. */
int xmpi_outofcore_blocks(xmpi_outofcore_t *all, int64_t *bytes);

/* How often the program has gone through what of BLOCK does not stay in memory, since this was
 * asked last; 0 where all of it stays, or it is on no file. ALL may be NULL. */
double xmpi_outofcore_passes(xmpi_outofcore_t *all, const void *block);

/* BLOCK is going to be freed, and what it holds is lost. Nothing happens where it is on no file.
 * ALL may be NULL. */
void xmpi_outofcore_forget(xmpi_outofcore_t *all, void *block);

/* What the disk did not take, where it failed: XMPI_ERR_INPUT, and data are lost. */
xmpi_status_t xmpi_outofcore_state(xmpi_outofcore_t *all, xmpi_error_t *error);

/* Ends the threads. Blocks stay what they are, on files, until they are freed. */
void xmpi_outofcore_close(xmpi_outofcore_t *all);

#endif

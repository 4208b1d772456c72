/* SPDX-License-Identifier: BSD-3-Clause
 * A block from malloc whose pages are those of a file: the program reads and writes it as before,
 * and the memory that it takes is as small as is wanted. */
#ifndef XMPI_ACT_OUTOFCORE_PAGED_H
#define XMPI_ACT_OUTOFCORE_PAGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/outofcore/sweep.h"
#include "base/status.h"

typedef struct {
    char *block;  /* what malloc gave */
    char *at;     /* the whole pages in it, which are the file's */
    size_t bytes; /* of these */
    size_t chunk; /* bytes that come and go together; chunks begin at multiples of it in memory */
    int fd;
    xmpi_sweep_t sweep;
    double next_look, look_seconds; /* at all chunks: when, and what the last one took */
    double checked;                 /* when it was last seen to be there still */
} xmpi_paged_t;

/* Puts BLOCK, of SIZE bytes, which stay what they are, on a file in FOLDER, in chunks that suit
 * MEMORY bytes. Pages that the program has not written yet are not read. XMPI_ERR_INPUT,
 * XMPI_ERR_MEMORY: nothing has changed. The program may free the block at any time. */
xmpi_status_t xmpi_paged_open(xmpi_paged_t *paged, void *block, size_t size, const char *folder,
                              int64_t memory, xmpi_error_t *error);

/* Forgets the block, which stays what it is. */
void xmpi_paged_close(xmpi_paged_t *paged);

/* Whether the block that SIZE bytes at its address belong to now can be this one. The program may
 * have freed it, and malloc have given its place to another. */
bool xmpi_paged_is_of(const xmpi_paged_t *paged, size_t size);

/* Before the block, of SIZE bytes, is freed: what it holds is lost, and whatever malloc does with
 * its place has nothing to do with a disk any more. */
void xmpi_paged_empty(const xmpi_paged_t *paged, size_t size);

/* MEMORY is what may be in memory from now on. */
void xmpi_paged_room(xmpi_paged_t *paged, int64_t memory);

/* Follows the program at the time NOW, in seconds: reads ahead, writes behind, lets go; PAGEMAP is
 * /proc/self/pagemap. Whether the program has used anything. What goes wrong is put into FAILED, a
 * number of errno, else it stays. */
bool xmpi_paged_follow(xmpi_paged_t *paged, int pagemap, double now, int *failed);

/* Whether writing in the background has failed, a number of errno; 0: not. */
int xmpi_paged_written(const xmpi_paged_t *paged);

/* Whether the program still has the block: it is mapped as it was. */
bool xmpi_paged_is_there(const xmpi_paged_t *paged);

#endif

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

/* It is to leave memory; the program has written into it when it was there last; it is leaving. */
enum { XMPI_CHUNK_LEAVES = 1, XMPI_CHUNK_WRITTEN = 2, XMPI_CHUNK_LEAVING = 4 };

/* Chunks that leave memory, in a row, and what is seen of them then. */
enum { XMPI_LEAVE_TOGETHER = 4 };
typedef struct {
    int64_t first, chunks;
    bool backward, written[XMPI_LEAVE_TOGETHER];
} xmpi_leave_t;

/* A piece to be read ahead: where it begins behind the first page. The program comes from the
 * chunk's end; it comes to this piece first; it is going to write into it. */
typedef struct {
    size_t from, bytes;
    bool backward, first, changes;
} xmpi_coming_t;

typedef struct {
    char *block;  /* what malloc gave */
    char *at;     /* the whole pages in it, which are the file's */
    size_t bytes; /* of these */
    size_t chunk; /* bytes that come and go together; chunks begin at multiples of it in memory,
                     and in the file */
    char *alias;  /* the file once more, where it is read ahead of the program; NULL: nowhere */
    size_t piece; /* bytes that are read in one call */
    int fd;
    xmpi_sweep_t sweep;
    unsigned char *flags;  /* of each chunk, as above; malloc */
    int64_t leaving, left; /* how many are to leave memory, and where the last one has left */
    int64_t reading; /* the chunk of which pieces are read, and how many bytes of it have been given
                        out; -1: none */
    size_t given;
    double next[2]; /* when all chunks are looked at, by their first and last pages, and wholly */
    double checked; /* when it was last seen to be there still */
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

/* Follows the program at the time NOW, in seconds: says what is to be read ahead, and to leave;
 * PAGEMAP is /proc/self/pagemap. Whether the program has used anything. */
bool xmpi_paged_follow(xmpi_paged_t *paged, int pagemap, double now);

/* What is to be read ahead next, a piece of a chunk; whether there is any. Any number may be read
 * at a time, while nothing else of PAGED may change but its sweep and flags. */
bool xmpi_paged_to_read(xmpi_paged_t *paged, xmpi_coming_t *ahead);
void xmpi_paged_read(const xmpi_paged_t *paged, const xmpi_coming_t *ahead);

/* What is to leave memory next; whether anything is. It is written and let go then, while nothing
 * else of PAGED may change but its sweep and flags, and at last what was seen is taken note of.
 * What goes wrong is put into FAILED, a number of errno, else it stays. */
bool xmpi_paged_to_leave(xmpi_paged_t *paged, xmpi_leave_t *leave);
void xmpi_paged_leave(const xmpi_paged_t *paged, xmpi_leave_t *leave, int *failed);
void xmpi_paged_has_left(xmpi_paged_t *paged, const xmpi_leave_t *leave);

/* The kernel reads ahead by itself as well, more than is wanted: what of that nobody uses leaves.
 */
void xmpi_paged_drop(const xmpi_paged_t *paged);

/* Whether writing in the background has failed, a number of errno; 0: not. */
int xmpi_paged_written(const xmpi_paged_t *paged);

/* Whether the program still has the block: it is mapped as it was. */
bool xmpi_paged_is_there(const xmpi_paged_t *paged);

#endif

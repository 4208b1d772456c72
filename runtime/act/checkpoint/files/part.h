/* SPDX-License-Identifier: BSD-3-Clause
 * A part of a checkpoint: what one member had of the loop's data at a point, in a file
 * (docs/checkpoint.md). Rows are told by their numbers in the domain, so that they can be given to
 * any number of members. No MPI. */
#ifndef XMPI_ACT_CHECKPOINT_FILES_PART_H
#define XMPI_ACT_CHECKPOINT_FILES_PART_H

#include "act/checkpoint/files/brief.h"
#include "act/data/piece_map.h"
#include "act/data/registry.h"
#include "base/data/pack.h"
#include "base/status.h"

/* An array in a part. */
typedef struct {
    xmpi_array_t like; /* how it lies in the file; its own_name is the name */
    xmpi_block_t rows; /* that are here */
    bool constant;     /* the program's start makes it: the digest is all that is here */
    bool compared;     /* that digest says something */
    int64_t at, bytes; /* in the data of the part */
    uint64_t digest;   /* of these bytes; of a constant one the sum of those of its rows */
} xmpi_saved_array_t;

typedef struct {
    char loop[XMPI_CHECKPOINT_LOOP_MAX]; /* as all have its name */
    int64_t number;                      /* of the loops that the program has begun */
    int64_t set, iteration, domain;
    int64_t pass;  /* the how manieth time that the loop was entered, inside another one; from the
                    * second on the start does not make what it only reads: all is here */
    int64_t bound; /* iterations that the loop was to make in all; 0: not known */
    bool image;    /* it is a process as it was (act/image/saved.h), and its arrays are no rows */
    int part, parts;
    xmpi_block_t block;
    int arrays;
    xmpi_saved_array_t *array;     /* malloc */
    int64_t lives_at, lives_bytes; /* live values, and as the loop began; in part 0 only */
    uint64_t lives_digest;
    int64_t bytes; /* of data */
    int64_t begin; /* where they begin in the file */
} xmpi_part_file_t;

/* What the owner of BLOCK has of REGISTRY, but for digests; LIVES bytes of live values. The rest of
 * PART is as it was. XMPI_ERR_MEMORY. To be freed. */
xmpi_status_t xmpi_part_describe(const xmpi_registry_t *registry, xmpi_block_t block, int64_t lives,
                                 xmpi_part_file_t *part);

/* Bytes somewhere in memory, and MORE times as many, each STRIDE behind the last. */
typedef struct {
    const char *from;
    int64_t bytes;
    int64_t more, stride;
} xmpi_stretch_t;

/* Where the values lie in the program: STRETCH[i] are those of array i. */
void xmpi_part_stretches(const xmpi_registry_t *registry, const xmpi_part_file_t *part,
                         xmpi_stretch_t *stretch);

/* Copies the values into DATA, of part->bytes. */
void xmpi_part_copy(const xmpi_registry_t *registry, const xmpi_pack_t *lives,
                    const xmpi_part_file_t *part, char *data);

/* Where they lie in REGISTRY, the digests of constant arrays; of all others, those of DATA. */
void xmpi_part_digest_constants(const xmpi_registry_t *registry, xmpi_part_file_t *part);
void xmpi_part_digest_data(const char *data, xmpi_part_file_t *part);

/* Whether the part's arrays are those of REGISTRY: WHY not. */
bool xmpi_part_fits(const xmpi_registry_t *registry, const xmpi_part_file_t *part,
                    xmpi_error_t *why);

/* Of the rows in DATA those that the owner of BLOCK stores become its own, also around its block,
 * and live values where they are here and the loop had changed them, or the start has not made
 * them. The part fits. */
void xmpi_part_restore(const xmpi_registry_t *registry, xmpi_block_t block,
                       const xmpi_part_file_t *part, const char *data);

/* Whether sparse rows of BLOCK are as long here as in DATA, and where the start does not make the
 * arrays there is memory for them: WHY not. */
bool xmpi_part_has_room(const xmpi_registry_t *registry, xmpi_block_t block,
                        const xmpi_part_file_t *part, const char *data, xmpi_error_t *why);

void xmpi_part_free(xmpi_part_file_t *part);

#endif

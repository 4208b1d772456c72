/* SPDX-License-Identifier: BSD-3-Clause
 * A second set of values of all that the loop changes: what the registry knows, less the arrays
 * that the loop only reads. Before a change it can take part in it: then it has the new layout,
 * too. */
#ifndef XMPI_ACT_CHECK_COPY_H
#define XMPI_ACT_CHECK_COPY_H

#include "base/data/pack.h"
#include "act/data/piece_map.h"
#include "act/data/registry.h"

typedef struct {
    bool made;
    int arrays;   /* of the registry */
    void **array; /* storage like that of each array; NULL: constant, or nothing is stored here */
    xmpi_pack_t lives; /* as by xmpi_registry_put_lives; of a joiner those that it is to have */
    bool *alike; /* live variables of the registry that were the same on all members; NULL: all */
    int first;   /* while it is attached: index of the first array of its own */
    struct xmpi_outofcore *outofcore; /* that storage may be on disk; of the registry */
    double scale;                     /* largest floating value that there was before */
} xmpi_copy_t;

/* Bytes of storage that a copy takes on the member that owns BLOCK. */
int64_t xmpi_copy_bytes(const xmpi_registry_t *registry, xmpi_block_t block);

/* Copies the present values of the member that owns BLOCK. XMPI_ERR_MEMORY: there is no copy. */
xmpi_status_t xmpi_copy_make(const xmpi_registry_t *registry, xmpi_block_t block,
                             xmpi_copy_t *copy);

/* Puts the values of the copy back; where an array has another size by now the storage of the copy
 * becomes its own. */
void xmpi_copy_restore(const xmpi_registry_t *registry, xmpi_block_t block, xmpi_copy_t *copy);

/* The values of the copy become the present ones and those its own; where an array has another size
 * by now its storage as well. XMPI_ERR_INPUT, and nothing has changed, when there are other arrays
 * by now; XMPI_ERR_MEMORY likewise. */
xmpi_status_t xmpi_copy_exchange(const xmpi_registry_t *registry, xmpi_block_t block,
                                 xmpi_copy_t *copy);

/* Adds the copy to the arrays of REGISTRY, so that it moves with them, and takes it out again. A
 * joiner's copy, all zeros before, has no storage yet. XMPI_ERR_MEMORY: nothing was added. */
xmpi_status_t xmpi_copy_attach(xmpi_registry_t *registry, xmpi_copy_t *copy);
void xmpi_copy_detach(xmpi_registry_t *registry, xmpi_copy_t *copy);

/* What joiners are to have of the live values, and taking it: those that are alike on all. */
void xmpi_copy_put_lives(xmpi_pack_t *pack, const xmpi_registry_t *registry,
                         const xmpi_copy_t *copy);
void xmpi_copy_get_lives(xmpi_pack_t *pack, xmpi_copy_t *copy);

/* The copy of a live variable; NULL: there is none. */
const void *xmpi_copy_live(const xmpi_copy_t *copy, const xmpi_live_t *live);

/* What the owner of BLOCK stores of array I: at BASE, where OFFSETS are the row pointers. */
xmpi_storage_t xmpi_copy_storage(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                                 void *base, const void *offsets);

/* The same of the program's own array and of its copy. */
xmpi_storage_t xmpi_copy_own(const xmpi_registry_t *registry, int i, xmpi_block_t block);
xmpi_storage_t xmpi_copy_other(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                               const xmpi_copy_t *copy);

void xmpi_copy_free(xmpi_copy_t *copy);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Writing in the background: at a point a member's data are copied, while the program stands still,
 * and a thread writes the copy while it goes on. The thread makes no MPI call. Of a whole process a
 * copy of it does that (act/checkpoint/snapshot.h). */
#ifndef XMPI_ACT_CHECKPOINT_SAVING_H
#define XMPI_ACT_CHECKPOINT_SAVING_H

#include <pthread.h>
#include <stdatomic.h>

#include "act/checkpoint/file.h"
#include "act/checkpoint/snapshot.h"

/* Of one process; all zeros: nothing was saved. */
typedef struct {
    char *copy;                        /* mmap, kept from one checkpoint to the next */
    size_t room;                       /* of it */
    bool file;                         /* it is on one */
    xmpi_part_file_t part;             /* that is written */
    xmpi_snapshot_t snapshot;          /* that writes it, instead of the thread */
    char folder[XMPI_CHECKPOINT_PATH]; /* of the sets */
    const xmpi_registry_t *registry;   /* for what is constant */
    uint64_t *constant;                /* digests of constant arrays, while blocks stay; malloc */
    int constants;
    bool digested; /* they are known */
    bool threaded;
    bool writes; /* the thread was started for that, and not to get room */
    pthread_t thread;
    atomic_bool looked;  /* the thread does not look at the program's data any more */
    atomic_bool written; /* it has ended */
    atomic_bool enough;  /* no more room is to be got ready */
    xmpi_status_t status;
    xmpi_error_t error;
    double seconds; /* that writing took */
} xmpi_saving_t;

/* Gets room for a copy of what the owner of BLOCK has, in the background. */
void xmpi_saving_prepare(xmpi_saving_t *saving, const xmpi_registry_t *registry,
                         xmpi_block_t block);

/* Copies what the owner of BLOCK has; PART says which part of what it is. XMPI_ERR_MEMORY: there is
 * no room. Nothing is being written. */
xmpi_status_t xmpi_saving_copy(xmpi_saving_t *saving, const xmpi_registry_t *registry,
                               xmpi_block_t block, const xmpi_part_file_t *part);

/* Begins to write the copy into the set's FOLDER. */
void xmpi_saving_write(xmpi_saving_t *saving, const char *folder);

/* Begins to write PART, which is taken over, with the arrays DATA as they are now. Nothing is being
 * written. */
void xmpi_saving_snapshot(xmpi_saving_t *saving, const char *folder, const xmpi_part_file_t *part,
                          const xmpi_stretch_t *const *data);

/* Whether it is being written, or its room is not there yet: one that is taken now would wait. */
bool xmpi_saving_is_busy(const xmpi_saving_t *saving);

/* Seconds that writing the last one took, as far as that is known. */
double xmpi_saving_seconds(const xmpi_saving_t *saving);

/* Waits until it is written: with what success. */
xmpi_status_t xmpi_saving_wait(xmpi_saving_t *saving);

/* Blocks change, or the data go: waits until the thread does not look at them any more. */
void xmpi_saving_let_go(xmpi_saving_t *saving);

void xmpi_saving_free(xmpi_saving_t *saving);

#endif

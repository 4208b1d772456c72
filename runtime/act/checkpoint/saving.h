/* SPDX-License-Identifier: BSD-3-Clause
 * Writing in the background, while the program goes on: by a copy of the process
 * (act/checkpoint/snapshot.h), or of the data, which is made while the program stands still and
 * which a thread writes. The thread makes no MPI call. A copy of the process is made sooner, and
 * costs a page fault for each page that the program writes to meanwhile, which takes several times
 * as long as to copy the page with all others. So the first is made of the process, and tells which
 * is cheaper. */
#ifndef XMPI_ACT_CHECKPOINT_SAVING_H
#define XMPI_ACT_CHECKPOINT_SAVING_H

#include <pthread.h>
#include <stdatomic.h>

#include "act/checkpoint/files/file.h"
#include "act/checkpoint/snapshot.h"
#include "act/checkpoint/pruning.h"

/* Of one process; all zeros: nothing was saved. */
typedef struct {
    char *copy;                        /* mmap, kept from one checkpoint to the next */
    size_t room;                       /* of it */
    bool file;                         /* it is on one */
    xmpi_part_file_t part;             /* that is written */
    xmpi_snapshot_t snapshot;          /* that writes it, instead of the thread */
    xmpi_pruning_t pruning;            /* at the leader: what is not needed any more */
    char folder[XMPI_CHECKPOINT_PATH]; /* of the sets */
    const xmpi_registry_t *registry;   /* for what is constant */
    uint64_t *constant;                /* digests of constant arrays, while blocks stay; mmap, as a
                                        * copy of the process finds them, too */
    int constants;
    bool digested; /* they are known */
    bool digests;  /* the copy of the process finds them now, and blocks have stayed */
    bool copies;   /* a copy of the process cannot be made, or does not have all: data are copied */
    bool rewrites; /* the program writes to most of it soon: data are copied where there is room */
    bool threaded;
    bool writes; /* the thread was started for that, and not to get room */
    pthread_t thread;
    atomic_bool looked;  /* the thread does not look at the program's data any more */
    atomic_bool written; /* it has ended */
    atomic_bool enough;  /* no more room is to be got ready */
    xmpi_status_t status;
    xmpi_error_t error;
    double seconds; /* that writing took */
    double copying; /* that copying the data took */
} xmpi_saving_t;

/* Gets room for a copy of what the owner of BLOCK has, in the background, where one will be made.
 */
void xmpi_saving_prepare(xmpi_saving_t *saving, const xmpi_registry_t *registry,
                         xmpi_block_t block);

/* Begins to write what the owner of BLOCK has now into the set's FOLDER; PART says which part of
 * what it is. XMPI_ERR_MEMORY: there is no room. Nothing is being written. */
xmpi_status_t xmpi_saving_begin(xmpi_saving_t *saving, const xmpi_registry_t *registry,
                                xmpi_block_t block, const xmpi_part_file_t *part,
                                const char *folder);

/* Instead: PART of the set cannot be written, for STATUS and ERROR. Nothing is being written. */
void xmpi_saving_fail(xmpi_saving_t *saving, const xmpi_part_file_t *part, xmpi_status_t status,
                      const xmpi_error_t *error);

/* Begins to write PART, which is taken over, with the arrays DATA as they are now. Nothing is being
 * written. */
void xmpi_saving_snapshot(xmpi_saving_t *saving, const char *folder, const xmpi_part_file_t *part,
                          const xmpi_stretch_t *const *data);

/* Whether it is being written, or its room is not there yet: one that is taken now would wait. */
bool xmpi_saving_is_busy(const xmpi_saving_t *saving);

/* Seconds that writing the last one took, as far as that is known. */
double xmpi_saving_seconds(const xmpi_saving_t *saving);

/* Now and then: where a copy of the process has told that copying the data is cheaper, room for
 * that is got in the background. */
void xmpi_saving_look(xmpi_saving_t *saving);

/* Waits until it is written: with what success. */
xmpi_status_t xmpi_saving_wait(xmpi_saving_t *saving);

/* Blocks change, or the data go: waits until the thread does not look at them any more. */
void xmpi_saving_let_go(xmpi_saving_t *saving);

void xmpi_saving_free(xmpi_saving_t *saving);

#endif

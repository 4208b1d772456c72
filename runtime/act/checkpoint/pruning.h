/* SPDX-License-Identifier: BSD-3-Clause
 * Pruning: older sets, or one that will not become whole, are removed by a thread while the
 * program goes on, as a disk takes its time for large files. */
#ifndef XMPI_ACT_CHECKPOINT_PRUNING_H
#define XMPI_ACT_CHECKPOINT_PRUNING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "act/checkpoint/files/brief.h"
#include "act/checkpoint/files/names.h"

/* All zeros: nothing was removed. */
typedef struct {
    pthread_t thread;
    bool threaded;
    atomic_bool done;
    char folder[XMPI_CHECKPOINT_PATH]; /* of the sets */
    char loop[XMPI_CHECKPOINT_LOOP_MAX];
    int64_t set; /* the last one that it was done for */
    int64_t keep;
    bool whole;
} xmpi_pruning_t;

/* Begins to remove what is older than the newest KEEP whole sets of LOOP, SET being the newest; or
 * where that is not WHOLE, that one. Waits for what was begun before. */
void xmpi_pruning_begin(xmpi_pruning_t *pruning, const char *folder, int64_t set, bool whole,
                        int64_t keep, const char *loop);

bool xmpi_pruning_is_busy(const xmpi_pruning_t *pruning);
void xmpi_pruning_wait(xmpi_pruning_t *pruning);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Pruning. */
#define _GNU_SOURCE
#include "act/checkpoint/pruning.h"

#include <signal.h>
#include <stdio.h>

#include "act/checkpoint/sets.h"
#include "base/process/nice.h"

static void *remove_sets(void *argument)
{
    xmpi_pruning_t *pruning = argument;
    xmpi_be_nice();
    if (pruning->whole)
        xmpi_set_prune(pruning->folder, pruning->set, pruning->keep, pruning->loop);
    else
        xmpi_set_remove(pruning->folder, pruning->set);
    atomic_store(&pruning->done, true);
    return NULL;
}

/* Signals are for the program's own threads. Without a thread it is done at once. */
void xmpi_pruning_begin(xmpi_pruning_t *pruning, const char *folder, int64_t set, bool whole,
                        int64_t keep, const char *loop)
{
    sigset_t all, before;
    xmpi_pruning_wait(pruning);
    snprintf(pruning->folder, sizeof pruning->folder, "%s", folder);
    snprintf(pruning->loop, sizeof pruning->loop, "%s", loop);
    pruning->set = set;
    pruning->whole = whole;
    pruning->keep = keep;
    atomic_store(&pruning->done, false);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pruning->threaded = pthread_create(&pruning->thread, NULL, remove_sets, pruning) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!pruning->threaded)
        remove_sets(pruning);
}

bool xmpi_pruning_is_busy(const xmpi_pruning_t *pruning)
{
    return pruning->threaded && !atomic_load(&pruning->done);
}

void xmpi_pruning_wait(xmpi_pruning_t *pruning)
{
    if (pruning->threaded)
        pthread_join(pruning->thread, NULL);
    pruning->threaded = false;
}

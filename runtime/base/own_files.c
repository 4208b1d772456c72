/* SPDX-License-Identifier: BSD-3-Clause
 * Files that the runtime itself opens for a moment. */
#define _GNU_SOURCE
#include "base/own_files.h"

#include <pthread.h>

/* Who waits until nobody has files open comes before those that want to open more. */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

void xmpi_own_files_begin(void)
{
    pthread_rwlock_rdlock(&lock);
}

void xmpi_own_files_end(void)
{
    pthread_rwlock_unlock(&lock);
}

void xmpi_own_files_none(void)
{
    pthread_rwlock_wrlock(&lock);
}

void xmpi_own_files_again(void)
{
    pthread_rwlock_unlock(&lock);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Threads of the program that call MPI beside the one that runs the loop. */
#define _GNU_SOURCE
#include "observe/threads.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

bool xmpi_threads_several;

static pthread_t first;
static pthread_key_t noted; /* its destructor is called at the end of a thread that has a value */
static atomic_int others;

static void ended(void *value)
{
    (void)value;
    atomic_fetch_sub(&others, 1);
}

void xmpi_threads_begin(void)
{
    int level = MPI_THREAD_SINGLE;
    first = pthread_self();
    PMPI_Query_thread(&level);
    xmpi_threads_several = level == MPI_THREAD_MULTIPLE && pthread_key_create(&noted, ended) == 0;
}

void xmpi_threads_note(void)
{
    if (pthread_equal(first, pthread_self()) || pthread_getspecific(noted) != NULL)
        return;
    if (pthread_setspecific(noted, &noted) == 0)
        atomic_fetch_add(&others, 1);
}

int xmpi_threads_others(void)
{
    return atomic_load(&others);
}

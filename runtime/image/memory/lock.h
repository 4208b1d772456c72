/* SPDX-License-Identifier: BSD-3-Clause
 * A lock of a program's, for a few instructions: nobody holds it while the program stands still. */
#ifndef XMPI_IMAGE_MEMORY_LOCK_H
#define XMPI_IMAGE_MEMORY_LOCK_H

#include <sched.h>

static inline void xmpi_lock(int *lock)
{
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
}

static inline void xmpi_unlock(int *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Files that the runtime itself opens for a moment. */
#define _GNU_SOURCE
#include "base/process/own_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

enum { KEPT_MAX = 256 };
static atomic_int kept[KEPT_MAX]; /* 0: none, else one more than a descriptor */

/* One more than there is room for is taken for the program's: nothing worse than a change that is
 * not checked. */
void xmpi_own_files_keep(int fd, bool open)
{
    for (int i = 0; i < KEPT_MAX; i++) {
        int wanted = open ? 0 : fd + 1;
        if (atomic_compare_exchange_strong(&kept[i], &wanted, open ? fd + 1 : 0))
            return;
    }
}

bool xmpi_own_files_has(int fd)
{
    for (int i = 0; i < KEPT_MAX; i++)
        if (atomic_load(&kept[i]) == fd + 1)
            return true;
    return false;
}

void xmpi_own_files_none(void)
{
    pthread_rwlock_wrlock(&lock);
}

void xmpi_own_files_again(void)
{
    pthread_rwlock_unlock(&lock);
}

bool xmpi_own_files_may_have(int64_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || (rlim_t)bytes <= limit.rlim_cur;
}

int xmpi_own_files_take_place(int fd, int64_t bytes)
{
    return xmpi_own_files_may_have(bytes) ? posix_fallocate(fd, 0, bytes) : EFBIG;
}

/* Some file systems have no files without a name. */
int xmpi_own_files_unnamed(const char *folder, int flags)
{
    char path[PATH_MAX];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | flags, S_IRUSR | S_IWUSR);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return fd;
    if (snprintf(path, sizeof path, "%s/xmpi-ooc.XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC | flags);
    if (fd >= 0)
        unlink(path);
    return fd;
}

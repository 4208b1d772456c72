/* SPDX-License-Identifier: BSD-3-Clause
 * Following writes. */
#define _GNU_SOURCE
#include "act/image/follow.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than the headers of some systems whose kernels have them. */
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15)
#endif

enum { PAGE = 4096 };

static struct uffdio_range pages_of(uintptr_t from, uintptr_t to)
{
    uintptr_t first = from / PAGE * PAGE;
    return (struct uffdio_range){first, (to + PAGE - 1) / PAGE * PAGE - first};
}

static bool protect(int fd, const xmpi_spans_t *all)
{
    struct uffdio_register whole = {.range = pages_of(all->span[0].from, all->span[all->n - 1].to),
                                    .mode = UFFDIO_REGISTER_MODE_WP};
    if (ioctl(fd, UFFDIO_REGISTER, &whole) != 0)
        return false;
    for (int64_t i = 0; i < all->n; i++) {
        struct uffdio_writeprotect one = {.range = pages_of(all->span[i].from, all->span[i].to),
                                          .mode = UFFDIO_WRITEPROTECT_MODE_WP};
        if (ioctl(fd, UFFDIO_WRITEPROTECT, &one) != 0)
            return false;
    }
    return true;
}

bool xmpi_follow_begin(xmpi_follow_t *follow, const xmpi_spans_t *all)
{
    struct uffdio_api api = {.api = UFFD_API, .features = UFFD_FEATURE_WP_ASYNC};
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
    if (fd <= 0)
        return false;
    follow->fd = fd;
    if (all->n > 0 && ioctl(fd, UFFDIO_API, &api) == 0 && protect(fd, all))
        return true;
    xmpi_follow_end(follow);
    return false;
}

void xmpi_follow_end(xmpi_follow_t *follow)
{
    if (follow->fd > 0)
        close(follow->fd);
    follow->fd = 0;
}

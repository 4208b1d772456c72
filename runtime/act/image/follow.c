/* SPDX-License-Identifier: BSD-3-Clause
 * Following writes. */
#define _GNU_SOURCE
#include "act/image/follow.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
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

enum { PAGE = 4096, PIECE = 16 << 20 };

static struct uffdio_range pages_of(uintptr_t from, uintptr_t to)
{
    uintptr_t first = from / PAGE * PAGE;
    return (struct uffdio_range){first, (to + PAGE - 1) / PAGE * PAGE - first};
}

static bool enroll(int fd, const xmpi_spans_t *all)
{
    struct uffdio_register whole = {.range = pages_of(all->span[0].from, all->span[all->n - 1].to),
                                    .mode = UFFDIO_REGISTER_MODE_WP};
    return ioctl(fd, UFFDIO_REGISTER, &whole) == 0;
}

/* In pieces, as whoever maps memory meanwhile waits for one. */
static bool protect(const xmpi_follow_t *follow, const xmpi_span_t *span)
{
    for (uintptr_t at = span->from; at < span->to && !follow->stop;) {
        uintptr_t to = span->to - at > PIECE ? at + PIECE : span->to;
        struct uffdio_writeprotect one = {.range = pages_of(at, to),
                                          .mode = UFFDIO_WRITEPROTECT_MODE_WP};
        if (ioctl(follow->fd, UFFDIO_WRITEPROTECT, &one) != 0)
            return false;
        at = to;
    }
    return true;
}

static void *protect_all(void *argument)
{
    xmpi_follow_t *follow = argument;
    bool good = true;
    for (int64_t i = 0; i < follow->all->n && good; i++)
        good = protect(follow, &follow->all->span[i]);
    follow->state = good ? XMPI_FOLLOW_GOES_ON : XMPI_FOLLOW_FAILED;
    return NULL;
}

/* Signals are for the program's own threads. Without a thread it is done at once. */
static void start_thread(xmpi_follow_t *follow)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    follow->threaded = pthread_create(&follow->thread, NULL, protect_all, follow) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!follow->threaded)
        protect_all(follow);
}

bool xmpi_follow_begin(xmpi_follow_t *follow, const xmpi_spans_t *all)
{
    struct uffdio_api api = {.api = UFFD_API, .features = UFFD_FEATURE_WP_ASYNC};
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
    if (fd <= 0)
        return false;
    follow->fd = fd;
    follow->all = all;
    follow->stop = false;
    follow->state = XMPI_FOLLOW_BEGINS;
    if (all->n > 0 && ioctl(fd, UFFDIO_API, &api) == 0 && enroll(fd, all)) {
        start_thread(follow);
        return true;
    }
    xmpi_follow_end(follow);
    return false;
}

xmpi_follow_state_t xmpi_follow_state(const xmpi_follow_t *follow)
{
    return (xmpi_follow_state_t)follow->state;
}

void xmpi_follow_end(xmpi_follow_t *follow)
{
    follow->stop = true;
    if (follow->threaded)
        pthread_join(follow->thread, NULL);
    follow->threaded = false;
    if (follow->fd > 0)
        close(follow->fd);
    follow->fd = 0;
}

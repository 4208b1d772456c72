/* SPDX-License-Identifier: BSD-3-Clause
 * Following writes. */
#define _GNU_SOURCE
#include "act/image/follow.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
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

/* --- marks --------------------------------------------------------------------------------------
 */

static atomic_bool no_marks; /* this kernel has none */

static bool clear_marks(void)
{
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    bool cleared = fd >= 0 && write(fd, "4", 1) == 1;
    if (fd >= 0)
        close(fd);
    return cleared;
}

/* (A kernel that has no marks clears them as well.) */
static void *clear_all(void *argument)
{
    xmpi_follow_t *follow = argument;
    volatile char *page =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool good = page != MAP_FAILED;
    if (good) {
        *page = 1;
        good = clear_marks() && !xmpi_page_is_marked((const void *)page);
        *page = 2;
        good = good && xmpi_page_is_marked((const void *)page);
        munmap((void *)page, PAGE);
        no_marks = !good;
    }
    follow->state = good ? XMPI_FOLLOW_GOES_ON : XMPI_FOLLOW_FAILED;
    return NULL;
}

/* --- all ----------------------------------------------------------------------------------------
 */

/* Signals are for the program's own threads. Without a thread it is done at once. */
static void start_thread(xmpi_follow_t *follow, void *(*work)(void *))
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    follow->threaded = pthread_create(&follow->thread, NULL, work, follow) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!follow->threaded)
        work(follow);
}

/* Whether the kernel notes writes without anybody's help. */
static bool open_userfaultfd(xmpi_follow_t *follow)
{
    struct uffdio_api api = {.api = UFFD_API, .features = UFFD_FEATURE_WP_ASYNC};
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
    if (fd <= 0)
        return false;
    follow->fd = fd;
    if (ioctl(fd, UFFDIO_API, &api) == 0 && enroll(fd, follow->all))
        return true;
    xmpi_follow_end(follow);
    return false;
}

bool xmpi_follow_begin(xmpi_follow_t *follow, const xmpi_spans_t *all)
{
    follow->all = all;
    follow->stop = false;
    follow->state = XMPI_FOLLOW_BEGINS;
    if (all->n == 0)
        return false;
    if (open_userfaultfd(follow)) {
        start_thread(follow, protect_all);
        return true;
    }
    follow->marks = !no_marks;
    if (follow->marks)
        start_thread(follow, clear_all);
    return follow->marks;
}

bool xmpi_follow_is_on(const xmpi_follow_t *follow)
{
    return follow->fd > 0 || follow->marks;
}

xmpi_look_t xmpi_follow_look(const xmpi_follow_t *follow, bool anew)
{
    return follow->marks ? XMPI_MARKED : anew ? XMPI_WRITTEN_ANEW : XMPI_WRITTEN;
}

bool xmpi_follow_again(const xmpi_follow_t *follow)
{
    return !follow->marks || clear_marks();
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
    follow->marks = false;
}

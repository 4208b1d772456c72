/* SPDX-License-Identifier: BSD-3-Clause
 * Visitors: connections that have to prove that they may come in. */
#define _GNU_SOURCE
#include "act/doors/visitors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* What an event is of: a visitor by its index, or one of these. */
enum { WINDOW = VISITORS_MAX, LISTENER, STEPS = 16 };

static bool watch(const xmpi_visitors_t *visitors, int operation, int fd, uint32_t events, int what)
{
    struct epoll_event event = {.events = events, .data.u32 = (uint32_t)what};
    return epoll_ctl(visitors->fd, operation, fd, &event) == 0;
}

bool xmpi_visitors_open(xmpi_visitors_t *visitors)
{
    memset(visitors, 0, sizeof *visitors);
    for (int i = 0; i < VISITORS_MAX; i++)
        visitors->visitor[i].fd = -1;
    visitors->fd = epoll_create1(EPOLL_CLOEXEC);
    visitors->window =
        visitors->fd >= 0 ? timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK) : -1;
    return visitors->window >= 0 && xmpi_proof_random(&visitors->chance, sizeof visitors->chance) &&
           watch(visitors, EPOLL_CTL_ADD, visitors->window, EPOLLIN, WINDOW);
}

bool xmpi_visitors_listen(xmpi_visitors_t *visitors, int listener)
{
    if (visitors->listeners < VISITORS_DOORS &&
        watch(visitors, EPOLL_CTL_ADD, listener, EPOLLIN, LISTENER + visitors->listeners)) {
        visitors->listener[visitors->listeners++] = listener;
        return true;
    }
    int reason = errno;
    close(listener);
    errno = reason;
    return false;
}

/* --- windows ------------------------------------------------------------------------------------
 */

static void listen_or_not(const xmpi_visitors_t *visitors, uint32_t events)
{
    for (int i = 0; i < visitors->listeners; i++)
        watch(visitors, EPOLL_CTL_MOD, visitors->listener[i], events, LISTENER + i);
}

/* Counts one who comes. The first opens a window; when there were enough nobody is looked at until
 * it is over. */
static void count_one(xmpi_visitors_t *visitors)
{
    const struct itimerspec window = {.it_value.tv_nsec = 1000000L * VISITORS_WINDOW};
    if (visitors->let_near++ == 0)
        timerfd_settime(visitors->window, 0, &window, NULL);
    if (visitors->let_near >= VISITORS_PER_WINDOW)
        listen_or_not(visitors, 0);
}

static void next_window(xmpi_visitors_t *visitors)
{
    uint64_t times;
    if (read(visitors->window, &times, sizeof times) < 0)
        return;
    visitors->let_near = 0;
    listen_or_not(visitors, EPOLLIN);
}

/* --- visitors -----------------------------------------------------------------------------------
 */

static void send_away(xmpi_visitor_t *visitor)
{
    if (visitor->fd >= 0)
        close(visitor->fd);
    visitor->fd = -1;
}

/* Where all places are taken, one of them by chance: whoever came first would otherwise be driven
 * out by strangers for certain. One who may come in rings again. */
static xmpi_visitor_t *make_place(xmpi_visitors_t *visitors)
{
    xmpi_visitor_t *stranger[VISITORS_MAX];
    uint32_t strangers = 0;
    for (int i = 0; i < VISITORS_MAX; i++)
        if (visitors->visitor[i].fd < 0)
            return &visitors->visitor[i];
        else if (!visitors->visitor[i].proven)
            stranger[strangers++] = &visitors->visitor[i];
    visitors->chance = visitors->chance * 1664525u + 1013904223u;
    uint32_t chance = visitors->chance >> 16;
    xmpi_visitor_t *chosen =
        strangers > 0 ? stranger[chance % strangers] : &visitors->visitor[chance % VISITORS_MAX];
    send_away(chosen);
    return chosen;
}

static void let_near(xmpi_visitors_t *visitors, int listener)
{
    count_one(visitors);
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    if (!xmpi_door_same_user(fd)) {
        close(fd);
        return;
    }
    xmpi_visitor_t *visitor = make_place(visitors);
    *visitor = (xmpi_visitor_t){.fd = fd};
    size_t size = sizeof visitor->challenge;
    if (!xmpi_proof_random(&visitor->challenge, size) ||
        send(fd, &visitor->challenge, size, MSG_NOSIGNAL) != (ssize_t)size ||
        !watch(visitors, EPOLL_CTL_ADD, fd, EPOLLIN, (int)(visitor - visitors->visitor)))
        send_away(visitor);
}

/* It has said something, and is the caller's, who may wait for more. */
static int come_in(const xmpi_visitors_t *visitors, xmpi_visitor_t *visitor)
{
    int fd = visitor->fd;
    visitor->fd = -1;
    epoll_ctl(visitors->fd, EPOLL_CTL_DEL, fd, NULL);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/* Who is no stranger does not count as one, and is told that the door is the right one. */
static bool trust(xmpi_visitors_t *visitors, xmpi_visitor_t *visitor, const xmpi_token_t *token)
{
    xmpi_token_t proof = xmpi_proof_of_door(token, &visitor->challenge, &visitor->answer);
    visitors->let_near -= visitors->let_near > 1;
    visitor->proven = true;
    return send(visitor->fd, &proof, sizeof proof, MSG_NOSIGNAL) == sizeof proof;
}

static void hear(xmpi_visitors_t *visitors, xmpi_visitor_t *visitor, const xmpi_token_t *token)
{
    ssize_t got = recv(visitor->fd, (char *)&visitor->answer + visitor->received,
                       sizeof visitor->answer - visitor->received, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    visitor->received += got > 0 ? (size_t)got : 0;
    if (got > 0 && visitor->received < sizeof visitor->answer)
        return;
    if (got <= 0 || !xmpi_proof_check(token, &visitor->challenge, &visitor->answer) ||
        !trust(visitors, visitor, token))
        send_away(visitor);
}

/* Those who have said something come before those who are new: what is left is still there next
 * time. */
int xmpi_visitors_serve(xmpi_visitors_t *visitors, const xmpi_token_t *token, bool take)
{
    struct epoll_event event[STEPS];
    int n = epoll_wait(visitors->fd, event, STEPS, 0);
    for (int i = 0; i < n; i++) {
        xmpi_visitor_t *visitor = &visitors->visitor[event[i].data.u32 % VISITORS_MAX];
        if (event[i].data.u32 >= VISITORS_MAX)
            continue;
        if (!visitor->proven)
            hear(visitors, visitor, token);
        else if (take)
            return come_in(visitors, visitor);
    }
    for (int i = 0; i < n; i++)
        if (event[i].data.u32 == WINDOW)
            next_window(visitors);
        else if (event[i].data.u32 >= LISTENER)
            let_near(visitors, visitors->listener[event[i].data.u32 - LISTENER]);
    return -1;
}

void xmpi_visitors_close(xmpi_visitors_t *visitors)
{
    if (visitors->fd < 0)
        return;
    for (int i = 0; i < VISITORS_MAX; i++)
        send_away(&visitors->visitor[i]);
    for (int i = 0; i < visitors->listeners; i++)
        close(visitors->listener[i]);
    if (visitors->window >= 0)
        close(visitors->window);
    close(visitors->fd);
    visitors->fd = -1;
}

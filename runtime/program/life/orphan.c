/* SPDX-License-Identifier: BSD-3-Clause
 * Orphan: a process whose job is gone. */
#define _GNU_SOURCE
#include "program/life/orphan.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "program/life/remains.h"

enum { STACK_SIZE = 1 << 16, MOST_SECONDS = 1000000 };

/* What is said to the thread. */
enum { NOTICE, OFTEN, SELDOM };

/* Milliseconds between looks: soon, then less and less often, as each is a connection; and between
 * glances, which are none as a rule. */
enum { FIRST_LOOK = 1000, RAREST_LOOK = 60000, GLANCE = 5000 };

static void say(const xmpi_guard_t *guard, char word)
{
    int reason = errno;
    if (guard->on && write(guard->notice[1], &word, 1) != 1)
        errno = 0; /* it is full: the thread looks anyhow */
    errno = reason;
}

/* How long it is until the next look; -1: there is none. */
static int hear(xmpi_guard_t *guard, int ms)
{
    char word;
    if (read(guard->notice[0], &word, 1) != 1)
        return ms;
    if (word == NOTICE)
        guard->noticed();
    if (word == NOTICE)
        return ms;
    guard->often = word == OFTEN;
    return guard->often ? FIRST_LOOK : GLANCE;
}

static int look_again(const xmpi_guard_t *guard, int ms)
{
    if (!guard->often) {
        guard->glance();
        return GLANCE;
    }
    guard->look();
    return 2 * ms < RAREST_LOOK ? 2 * ms : RAREST_LOOK;
}

static void *watch(void *context)
{
    xmpi_guard_t *guard = context;
    struct pollfd fd[] = {{.fd = guard->launcher, .events = POLLIN},
                          {.fd = guard->stop[0], .events = POLLIN},
                          {.fd = guard->notice[0], .events = POLLIN},
                          {.fd = guard->proxy, .events = POLLIN}};
    int starting = guard->seconds > 0 ? (int)(1000 * guard->seconds) : -1, ms = -1;
    for (;;) {
        bool started = starting < 0 || atomic_load(&guard->started);
        int n = poll(fd, sizeof fd / sizeof *fd, started ? ms : starting);
        if (n > 0 && fd[1].revents != 0)
            return NULL;
        if (n > 0 && (fd[0].revents != 0 || fd[3].revents != 0))
            xmpi_remains_end();
        if (n > 0)
            ms = hear(guard, ms);
        else if (n == 0 && started)
            ms = look_again(guard, ms);
        else if (n == 0 && !atomic_load(&guard->started))
            _exit(1); /* who has started it was killed */
    }
}

/* The proxy waits for its processes, so that one that has ended was killed: what they print goes
 * nowhere from then on, and mpiexec waits for them all the same. */
static bool open_parents(xmpi_guard_t *guard)
{
    xmpi_ancestors_t ancestors;
    if (!xmpi_remains_ancestors(&ancestors))
        return false;
    if (ancestors.lost)
        xmpi_remains_end();
    guard->proxy = (int)syscall(SYS_pidfd_open, ancestors.proxy, 0);
    guard->launcher =
        ancestors.launcher > 0 ? (int)syscall(SYS_pidfd_open, ancestors.launcher, 0) : -1;
    return guard->proxy >= 0;
}

static void close_parents(const xmpi_guard_t *guard)
{
    close(guard->proxy);
    if (guard->launcher >= 0)
        close(guard->launcher);
}

static bool guard_open(xmpi_guard_t *guard)
{
    if (!open_parents(guard))
        return false;
    bool piped = pipe2(guard->stop, O_CLOEXEC) == 0;
    if (piped && pipe2(guard->notice, O_CLOEXEC | O_NONBLOCK) == 0)
        return true;
    if (piped) {
        close(guard->stop[0]);
        close(guard->stop[1]);
    }
    close_parents(guard);
    return false;
}

static void guard_close(xmpi_guard_t *guard)
{
    close_parents(guard);
    for (int i = 0; i < 2; i++) {
        close(guard->stop[i]);
        close(guard->notice[i]);
    }
    guard->on = false;
}

void xmpi_guard_start(xmpi_guard_t *guard, long seconds, void (*noticed)(void), void (*look)(void),
                      void (*glance)(void))
{
    sigset_t all, before;
    pthread_attr_t small;
    memset(guard, 0, sizeof *guard);
    guard->noticed = noticed;
    guard->look = look;
    guard->glance = glance;
    guard->seconds = seconds < MOST_SECONDS ? seconds : MOST_SECONDS;
    if (!guard_open(guard))
        return;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK_SIZE);
    sigfillset(&all); /* signals are for the program's own thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    guard->on = pthread_create(&guard->thread, &small, watch, guard) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&small);
    if (!guard->on)
        guard_close(guard);
}

void xmpi_guard_started(xmpi_guard_t *guard)
{
    atomic_store(&guard->started, true);
}

void xmpi_guard_notice(xmpi_guard_t *guard)
{
    say(guard, NOTICE);
}

void xmpi_guard_look(xmpi_guard_t *guard, bool often)
{
    say(guard, often ? OFTEN : SELDOM);
}

void xmpi_guard_stop(xmpi_guard_t *guard)
{
    if (!guard->on)
        return;
    if (write(guard->stop[1], "", 1) == 1)
        pthread_join(guard->thread, NULL);
    guard_close(guard);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Orphan: a process whose job is gone. */
#define _GNU_SOURCE
#include "program/life/orphan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "act/machine/process.h"

enum { STACK_SIZE = 1 << 16, MOST_SECONDS = 1000000 };

static bool is_proxy(int pid, int *parent)
{
    char name[64];
    return xmpi_process_stat(pid, name, parent) && strcmp(name, "hydra_pmi_proxy") == 0;
}

/* --- what else is left of the job ---------------------------------------------------------------
 */

enum { PIPES_MAX = 256, NAME_LENGTH = 64 };

typedef struct {
    char name[NAME_LENGTH]; /* "pipe:[12345]" */
    int fd;
} pipe_t;

static int list_pipes(int pid, pipe_t pipes[PIPES_MAX])
{
    char path[NAME_LENGTH];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder != NULL && n < PIPES_MAX && (entry = readdir(folder)) != NULL) {
        pipe_t *next = &pipes[n];
        ssize_t length =
            readlinkat(dirfd(folder), entry->d_name, next->name, sizeof next->name - 1);
        if (length <= 0)
            continue;
        next->name[length] = '\0';
        next->fd = atoi(entry->d_name);
        n += strncmp(next->name, "pipe:", 5) == 0;
    }
    if (folder != NULL)
        closedir(folder);
    return n;
}

static bool can_write(int fd)
{
    return (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

/* Pipes of which this process has both ends: mpiexec had made one for itself, which all that it has
 * started have inherited, and nobody else has. How many, at the begin of PIPES. */
static int find_marks(pipe_t pipes[PIPES_MAX])
{
    int n = list_pipes(getpid(), pipes), marks = 0;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (strcmp(pipes[i].name, pipes[k].name) == 0 &&
                can_write(pipes[i].fd) != can_write(pipes[k].fd)) {
                pipes[marks++] = pipes[i];
                break;
            }
    return marks;
}

static bool has_mark(int pid, const pipe_t *marks, int n)
{
    static pipe_t pipes[PIPES_MAX];
    int others = list_pipes(pid, pipes);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < others; k++)
            if (strcmp(marks[i].name, pipes[k].name) == 0)
                return true;
    return false;
}

static void end_proxies(const pipe_t *marks, int n)
{
    int parent;
    const struct dirent *entry;
    DIR *processes = opendir("/proc");
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        int pid = atoi(entry->d_name);
        if (pid > 1 && is_proxy(pid, &parent) && has_mark(pid, marks, n))
            kill(pid, SIGKILL); /* they take no other */
    }
    if (processes != NULL)
        closedir(processes);
}

/* The proxies of a dead mpiexec on this node have nobody left to tell them to end, and spin; those
 * of one that has lost one of them have a job that cannot go on. Those that still can end their
 * processes, this one too, so that another one looks after them. */
static _Noreturn void end_orphan(void)
{
    static pipe_t marks[PIPES_MAX];
    struct timespec moment = {.tv_nsec = 200000000};
    if (fork() == 0) {
        int n = find_marks(marks);
        setsid();
        for (int i = 0; i < 5; i++) {
            nanosleep(&moment, NULL); /* one may be starting */
            end_proxies(marks, n);
        }
    }
    _exit(1);
}

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
            end_orphan();
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
    int proxy = getppid(), launcher;
    if (!is_proxy(proxy, &launcher) || launcher <= 1)
        return false;
    guard->proxy = (int)syscall(SYS_pidfd_open, proxy, 0);
    guard->launcher = (int)syscall(SYS_pidfd_open, launcher, 0);
    if (guard->proxy >= 0 && guard->launcher >= 0)
        return true;
    if (guard->proxy >= 0)
        close(guard->proxy);
    if (guard->launcher >= 0)
        close(guard->launcher);
    return false;
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
    close(guard->proxy);
    close(guard->launcher);
    return false;
}

static void guard_close(xmpi_guard_t *guard)
{
    close(guard->proxy);
    close(guard->launcher);
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

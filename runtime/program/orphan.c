/* SPDX-License-Identifier: BSD-3-Clause
 * Orphan: a process whose job is gone. */
#define _GNU_SOURCE
#include "program/orphan.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STACK_SIZE = 1 << 16, MOST_SECONDS = 1000000 };

/* Name and parent of process PID, as the kernel tells them: "PID (NAME) STATE PARENT ...". */
static bool read_stat(int pid, char name[64], int *parent)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    bool read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL)
        fclose(file);
    char *open = strchr(line, '('), *close = strrchr(line, ')');
    if (!read || open == NULL || close == NULL || sscanf(close, ") %*c %d", parent) != 1)
        return false;
    *close = '\0';
    snprintf(name, 64, "%s", open + 1);
    return true;
}

static bool is_proxy(int pid, int *parent)
{
    char name[64];
    return read_stat(pid, name, parent) && strcmp(name, "hydra_pmi_proxy") == 0;
}

/* The proxy has nobody left to tell it to end. */
static _Noreturn void end_orphan(void)
{
    int parent, proxy = getppid();
    if (is_proxy(proxy, &parent))
        kill(proxy, SIGKILL); /* it takes no other */
    _exit(1);
}

static void *watch(void *context)
{
    xmpi_guard_t *guard = context;
    struct pollfd fd[2] = {{.fd = guard->launcher, .events = POLLIN},
                           {.fd = guard->stop[0], .events = POLLIN}};
    bool limited = getenv("PMI_SPAWNED") != NULL;
    for (;;) {
        int n = poll(fd, 2, limited ? (int)(1000 * guard->seconds) : -1);
        if (n > 0 && fd[1].revents != 0)
            return NULL;
        if (n > 0 || (n == 0 && !atomic_load(&guard->started)))
            end_orphan();
        limited = limited && n < 0;
    }
}

static bool guard_open(xmpi_guard_t *guard)
{
    int launcher;
    if (!is_proxy(getppid(), &launcher) || launcher <= 1)
        return false;
    guard->launcher = (int)syscall(SYS_pidfd_open, launcher, 0);
    if (guard->launcher < 0)
        return false;
    if (pipe2(guard->stop, O_CLOEXEC) == 0)
        return true;
    close(guard->launcher);
    return false;
}

static void guard_close(xmpi_guard_t *guard)
{
    close(guard->launcher);
    close(guard->stop[0]);
    close(guard->stop[1]);
    guard->on = false;
}

void xmpi_guard_start(xmpi_guard_t *guard, long seconds)
{
    sigset_t all, before;
    pthread_attr_t small;
    memset(guard, 0, sizeof *guard);
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

void xmpi_guard_stop(xmpi_guard_t *guard)
{
    if (!guard->on)
        return;
    if (write(guard->stop[1], "", 1) == 1)
        pthread_join(guard->thread, NULL);
    guard_close(guard);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "base/process/unreadable.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Ranges are kept where the handler reaches them. */
enum { RANGES_MAX = 256 };

static struct {
    atomic_uintptr_t begin, end; /* 0: unused */
    _Atomic(const char *) line;
} range[RANGES_MAX];
static struct sigaction before;

static const char *line_of(uintptr_t address)
{
    for (int i = 0; i < RANGES_MAX; i++)
        if (address >= atomic_load(&range[i].begin) && address < atomic_load(&range[i].end))
            return atomic_load(&range[i].line);
    return NULL;
}

/* When it returns the same access is made again, and whoever was to handle it does. */
static void cannot_read(int number, siginfo_t *info, void *context)
{
    const char *line = line_of((uintptr_t)info->si_addr);
    (void)context;
    if (line != NULL) {
        ssize_t ignored = write(STDERR_FILENO, line, strlen(line));
        (void)ignored;
    }
    sigaction(number, &before, NULL);
}

/* Again where the program has taken the signal meanwhile. */
static void handle_signal(void)
{
    struct sigaction now,
        action = {.sa_sigaction = cannot_read, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGBUS, NULL, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == cannot_read)
        return;
    before = now;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

void xmpi_unreadable_watch(const void *at, size_t bytes, const char *line)
{
    handle_signal();
    for (int i = 0; i < RANGES_MAX; i++) {
        uintptr_t unused = 0;
        if (!atomic_compare_exchange_strong(&range[i].begin, &unused, (uintptr_t)at))
            continue;
        atomic_store(&range[i].line, line);
        atomic_store(&range[i].end, (uintptr_t)at + bytes);
        return;
    }
}

void xmpi_unreadable_leave(const void *at)
{
    for (int i = 0; i < RANGES_MAX; i++)
        if (atomic_load(&range[i].begin) == (uintptr_t)at) {
            atomic_store(&range[i].end, 0);
            atomic_store(&range[i].begin, 0);
            return;
        }
}

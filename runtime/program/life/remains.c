/* SPDX-License-Identifier: BSD-3-Clause
 * Remains. A copy of a process that has threads may wait for ever for what one of them had locked:
 * here nothing takes memory, opens a stream or calls whom libraries want to be called at a fork. */
#define _GNU_SOURCE
#include "program/life/remains.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "act/machine/process.h"

enum { GENERATIONS = 16 }; /* of shells and the like between a proxy and the program */

static bool is_proxy(int pid, int *parent)
{
    char name[64];
    return xmpi_process_stat(pid, name, parent) && strcmp(name, "hydra_pmi_proxy") == 0;
}

/* --- folders of numbers -------------------------------------------------------------------------
 */

enum { FOLDER_BYTES = 4096 };

/* Of /proc, or of /proc/PID/fd: what readdir() makes of it takes memory. */
typedef struct {
    int fd; /* -1: there is none */
    long filled, at;
    _Alignas(uint64_t) char bytes[FOLDER_BYTES];
} folder_t;

/* What the system call puts there. */
typedef struct {
    uint64_t inode;
    int64_t next;
    unsigned short length;
    unsigned char type;
    char name[];
} entry_t;

static void folder_open(folder_t *folder, const char *path)
{
    folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    folder->filled = folder->at = 0;
}

/* The next number that something in it is named by; -1, and it is closed: there is none. */
static int folder_next(folder_t *folder)
{
    while (folder->fd >= 0) {
        if (folder->at >= folder->filled) {
            folder->filled =
                syscall(SYS_getdents64, folder->fd, folder->bytes, sizeof folder->bytes);
            folder->at = 0;
        }
        if (folder->filled <= 0)
            break;
        const entry_t *entry = (const void *)(folder->bytes + folder->at);
        folder->at += entry->length;
        if (entry->name[0] >= '0' && entry->name[0] <= '9')
            return (int)strtol(entry->name, NULL, 10);
    }
    if (folder->fd >= 0)
        close(folder->fd);
    folder->fd = -1;
    return -1;
}

/* --- what the processes of a job have in common -------------------------------------------------
 */

enum { PIPES_MAX = 256, NAME_LENGTH = 64 };

typedef struct {
    char name[NAME_LENGTH]; /* "pipe:[12345]" */
    int fd;
} pipe_t;

typedef struct {
    int n;
    pipe_t pipe[PIPES_MAX];
} pipes_t;

/* Those of process PID. */
static void list_pipes(int pid, pipes_t *pipes)
{
    static folder_t folder;
    char path[NAME_LENGTH];
    int fd;
    pipes->n = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    folder_open(&folder, path);
    while ((fd = folder_next(&folder)) >= 0) {
        if (pipes->n == PIPES_MAX)
            continue;
        pipe_t *next = &pipes->pipe[pipes->n];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
        ssize_t length = readlink(path, next->name, sizeof next->name - 1);
        if (length <= 0)
            continue;
        next->name[length] = '\0';
        next->fd = fd;
        pipes->n += strncmp(next->name, "pipe:", 5) == 0;
    }
}

static bool can_write(int fd)
{
    return (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

/* Pipes of which this process has both ends: mpiexec had made one for itself, which all that it has
 * started have inherited, and nobody else has. */
static void find_marks(pipes_t *marks)
{
    static pipes_t own;
    list_pipes(getpid(), &own);
    marks->n = 0;
    for (int i = 0; i < own.n; i++)
        for (int k = i + 1; k < own.n; k++)
            if (strcmp(own.pipe[i].name, own.pipe[k].name) == 0 &&
                can_write(own.pipe[i].fd) != can_write(own.pipe[k].fd)) {
                marks->pipe[marks->n++] = own.pipe[i];
                break;
            }
}

static bool has_mark(int pid, const pipes_t *marks)
{
    static pipes_t others;
    list_pipes(pid, &others);
    for (int i = 0; i < marks->n; i++)
        for (int k = 0; k < others.n; k++)
            if (strcmp(marks->pipe[i].name, others.pipe[k].name) == 0)
                return true;
    return false;
}

/* --- ancestors ----------------------------------------------------------------------------------
 */

/* (Where a remote shell has started the proxy, no mark has come along.) */
static bool was_lost(const xmpi_ancestors_t *ancestors)
{
    static pipes_t marks;
    find_marks(&marks);
    return has_mark(ancestors->proxy, &marks) &&
           (ancestors->launcher <= 0 || !has_mark(ancestors->launcher, &marks));
}

bool xmpi_remains_ancestors(xmpi_ancestors_t *ancestors)
{
    int pid = getppid(), parent;
    char name[64];
    for (int i = 0; i < GENERATIONS && pid > 1; i++, pid = parent) {
        *ancestors = (xmpi_ancestors_t){.proxy = pid};
        if (is_proxy(pid, &ancestors->launcher)) {
            ancestors->lost = was_lost(ancestors);
            return true;
        }
        if (!xmpi_process_stat(pid, name, &parent))
            return false;
    }
    return false;
}

/* --- the end ------------------------------------------------------------------------------------
 */

static void end_proxies(const pipes_t *marks)
{
    static folder_t processes;
    int pid, parent;
    folder_open(&processes, "/proc");
    while ((pid = folder_next(&processes)) >= 0)
        if (pid > 1 && is_proxy(pid, &parent) && has_mark(pid, marks))
            kill(pid, SIGKILL); /* they take no other */
}

/* Those that still can end their processes, this one too, so that another one looks after them. */
void xmpi_remains_end(void)
{
    static pipes_t marks;
    const struct timespec moment = {.tv_nsec = 200000000};
    if (syscall(SYS_clone, (long)SIGCHLD, NULL, NULL, NULL, 0L) == 0) {
        find_marks(&marks);
        setsid();
        for (int i = 0; i < 5; i++) {
            nanosleep(&moment, NULL); /* one may be starting */
            end_proxies(&marks);
        }
    }
    _exit(1);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Family. */
#define _GNU_SOURCE
#include "family.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "act/machine/process.h"
#include "base/process/seconds.h"

enum { PROCESSES_MAX = 1 << 16, SECONDS_MAX = 10 };

typedef struct {
    pid_t pid;
    int parent; /* -1: it has ended */
    bool proxy, ours, wanted;
} process_t;

void family_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* --- who there is -------------------------------------------------------------------------------
 */

static process_t look_at(pid_t pid)
{
    char name[64];
    process_t process = {.pid = pid, .parent = -1};
    process.proxy =
        xmpi_process_stat(pid, name, &process.parent) && strcmp(name, "hydra_pmi_proxy") == 0;
    return process;
}

static int by_pid(const void *a, const void *b)
{
    const process_t *left = a, *right = b;
    return (left->pid > right->pid) - (left->pid < right->pid);
}

/* In the order of their numbers. */
static int list_processes(process_t *list)
{
    DIR *folder = opendir("/proc");
    int n = 0;
    for (struct dirent *entry; folder != NULL && n < PROCESSES_MAX && (entry = readdir(folder));) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid > 0)
            list[n++] = look_at(pid);
    }
    if (folder != NULL)
        closedir(folder);
    qsort(list, (size_t)n, sizeof *list, by_pid);
    return n;
}

static const process_t *parent_in(const process_t *list, int n, const process_t *process)
{
    const process_t parent = {.pid = process->parent};
    return bsearch(&parent, list, (size_t)n, sizeof *list, by_pid);
}

/* Numbers of processes begin anew, so that a parent may come behind its child. */
static void mark(process_t *list, int n, family_part_t part)
{
    pid_t self = getpid();
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < n; i++) {
            process_t *process = &list[i], before = *process;
            const process_t *parent = parent_in(list, n, process);
            process->ours = process->parent == self || (parent != NULL && parent->ours);
            process->wanted = process->ours && (part != FAMILY_PROXIES || process->proxy ||
                                                (parent != NULL && parent->wanted));
            more = more || process->ours != before.ours || process->wanted != before.wanted;
        }
    }
}

static bool has_child(const process_t *list, int n, pid_t pid)
{
    for (int i = 0; i < n; i++)
        if (list[i].parent == pid)
            return true;
    return false;
}

/* One of those that are marked: the FIRST, or the last, that has no child. */
static void choose(process_t *list, int n, bool first)
{
    process_t *chosen = NULL;
    for (int i = 0; i < n; i++) {
        if (list[i].wanted && (chosen == NULL || !first) && !has_child(list, n, list[i].pid))
            chosen = &list[i];
        list[i].wanted = false;
    }
    if (chosen != NULL)
        chosen->wanted = true;
}

/* --- ending them --------------------------------------------------------------------------------
 */

int family_signal(family_part_t part, int signal)
{
    process_t *list = calloc(PROCESSES_MAX, sizeof *list);
    int n = list != NULL ? list_processes(list) : 0, reached = 0;
    mark(list, n, part);
    if (part == FAMILY_FIRST || part == FAMILY_LAST)
        choose(list, n, part == FAMILY_FIRST);
    for (int i = 0; i < n; i++)
        reached += list[i].wanted && kill(list[i].pid, signal) == 0;
    free(list);
    return reached;
}

static bool has_children(void)
{
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        ;
    return pid == 0;
}

void family_end(family_part_t part)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    double until = xmpi_seconds_now() + SECONDS_MAX;
    while (has_children() && family_signal(part, SIGKILL) > 0 && xmpi_seconds_now() < until)
        nanosleep(&moment, NULL);
}

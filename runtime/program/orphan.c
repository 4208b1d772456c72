/* SPDX-License-Identifier: BSD-3-Clause
 * Orphan: a spawned process in MPI_Init whose job is gone. */
#define _GNU_SOURCE
#include "program/orphan.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* The proxy has nobody left to tell it to end. */
static _Noreturn void end_orphan(void)
{
    char name[64];
    int parent, proxy = getppid();
    if (read_stat(proxy, name, &parent) && strcmp(name, "hydra_pmi_proxy") == 0)
        kill(proxy, SIGKILL); /* it takes no other */
    _exit(1);
}

static int launcher_now(void)
{
    char name[64];
    int launcher;
    return read_stat(getppid(), name, &launcher) ? launcher : -1;
}

/* Looks once a second: nothing tells of the end of a process that is no child. */
static void *watch(void *context)
{
    xmpi_guard_t *guard = context;
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    pthread_mutex_lock(&guard->mutex);
    for (long left = guard->seconds; !guard->over; left--) {
        next.tv_sec++;
        int result = 0;
        while (!guard->over && result == 0)
            result = pthread_cond_timedwait(&guard->changed, &guard->mutex, &next);
        if (!guard->over && (left <= 0 || launcher_now() != guard->launcher))
            end_orphan();
    }
    pthread_mutex_unlock(&guard->mutex);
    return NULL;
}

void xmpi_guard_start(xmpi_guard_t *guard, long seconds)
{
    sigset_t all, before;
    memset(guard, 0, sizeof *guard);
    if (getenv("PMI_SPAWNED") == NULL)
        return;
    guard->seconds = seconds;
    guard->launcher = launcher_now();
    pthread_mutex_init(&guard->mutex, NULL);
    pthread_cond_init(&guard->changed, NULL);
    sigfillset(&all); /* signals are for the program's own thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    guard->on = pthread_create(&guard->thread, NULL, watch, guard) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void xmpi_guard_stop(xmpi_guard_t *guard)
{
    if (!guard->on)
        return;
    pthread_mutex_lock(&guard->mutex);
    guard->over = true;
    pthread_cond_signal(&guard->changed);
    pthread_mutex_unlock(&guard->mutex);
    pthread_join(guard->thread, NULL);
    pthread_cond_destroy(&guard->changed);
    pthread_mutex_destroy(&guard->mutex);
    guard->on = false;
}

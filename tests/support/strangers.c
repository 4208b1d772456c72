/* SPDX-License-Identifier: BSD-3-Clause
 * Strangers: a process that connects with all doors of a job, and is in the way. */
#define _GNU_SOURCE
#include "support/strangers.h"

#include <dirent.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DOORS_MAX = 64, NAME_MAX_BYTES = 64, SILENT_MAX = 16 };

typedef struct {
    char name[NAME_MAX_BYTES]; /* of an abstract socket */
    int silent[SILENT_MAX];
    int silents;
} door_t;

typedef struct {
    door_t door[DOORS_MAX];
    int doors;
} doors_t;

/* --- finding doors ----------------------------------------------------------------------------- */

static int runs(const char *pid, const char *path)
{
    char link[64], exe[512];
    snprintf(link, sizeof link, "/proc/%.20s/exe", pid);
    ssize_t length = readlink(link, exe, sizeof exe - 1);
    return length > 0 && strlen(path) == (size_t)length && strncmp(exe, path, (size_t)length) == 0;
}

static int has_socket(const char *pid, unsigned long inode)
{
    char folder[64], wanted[64], link[64];
    int found = 0;
    snprintf(folder, sizeof folder, "/proc/%.20s/fd", pid);
    snprintf(wanted, sizeof wanted, "socket:[%lu]", inode);
    DIR *fds = opendir(folder);
    const struct dirent *entry;
    while (fds != NULL && !found && (entry = readdir(fds)) != NULL) {
        ssize_t length = readlinkat(dirfd(fds), entry->d_name, link, sizeof link - 1);
        link[length > 0 ? length : 0] = '\0';
        found = strcmp(link, wanted) == 0;
    }
    if (fds != NULL)
        closedir(fds);
    return found;
}

static int is_of(const char *path, unsigned long inode)
{
    int found = 0;
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    while (processes != NULL && !found && (entry = readdir(processes)) != NULL)
        found = atoi(entry->d_name) > 0 && runs(entry->d_name, path) &&
                has_socket(entry->d_name, inode);
    if (processes != NULL)
        closedir(processes);
    return found;
}

static int is_known(const doors_t *doors, const char *name)
{
    for (int i = 0; i < doors->doors; i++)
        if (strcmp(doors->door[i].name, name) == 0)
            return 1;
    return 0;
}

static void find_doors(doors_t *doors, const char *path)
{
    char line[256], name[NAME_MAX_BYTES];
    unsigned long inode;
    FILE *sockets = fopen("/proc/net/unix", "r");
    while (sockets != NULL && doors->doors < DOORS_MAX && fgets(line, sizeof line, sockets) != NULL)
        if (sscanf(line, "%*s %*s %*s %*s %*s %*s %lu @%63s", &inode, name) == 2 &&
            strncmp(name, "xmpi-door-", 10) == 0 && !is_known(doors, name) && is_of(path, inode))
            strcpy(doors->door[doors->doors++].name, name);
    if (sockets != NULL)
        fclose(sockets);
}

/* --- connecting --------------------------------------------------------------------------------- */

static volatile sig_atomic_t over;

static void end(int number)
{
    (void)number;
    over = 1;
}

static int connect_to(const door_t *door)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(door->name);
    memcpy(address.sun_path + 1, door->name, length);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, size) == 0)
        return fd;
    close(fd);
    return -1;
}

static void keep_silent(door_t *door, int silent)
{
    while (door->silents < silent && door->silents < SILENT_MAX) {
        int fd = connect_to(door);
        if (fd < 0)
            return;
        door->silent[door->silents++] = fd;
    }
}

static long annoy(const char *path, int silent, int per_second)
{
    static doors_t doors;
    long made = 0;
    const struct timespec pause = {.tv_nsec = 10000000}; /* 10 ms */
    for (int turn = 0; !over; turn++) {
        if (turn % 20 == 0)
            find_doors(&doors, path);
        for (int i = 0; i < doors.doors; i++)
            keep_silent(&doors.door[i], silent);
        for (int i = 0; i < per_second / 100 && doors.doors > 0; i++) {
            int fd = connect_to(&doors.door[(turn + i) % doors.doors]);
            made += fd >= 0;
            if (fd >= 0)
                close(fd);
        }
        nanosleep(&pause, NULL);
    }
    return made;
}

strangers_t strangers_start(const char *path, int silent, int per_second)
{
    int ends[2];
    strangers_t strangers = {.pid = -1, .report = -1};
    if (pipe(ends) != 0)
        return strangers;
    strangers.report = ends[0];
    strangers.pid = fork();
    if (strangers.pid == 0) {
        signal(SIGTERM, end);
        long made = annoy(path, silent, per_second);
        _exit(write(ends[1], &made, sizeof made) == sizeof made ? 0 : 1);
    }
    close(ends[1]);
    return strangers;
}

long strangers_stop(strangers_t *strangers)
{
    long made = -1;
    if (strangers->pid > 0) {
        kill(strangers->pid, SIGTERM);
        if (read(strangers->report, &made, sizeof made) != sizeof made)
            made = -1;
        waitpid(strangers->pid, NULL, 0);
    }
    close(strangers->report);
    *strangers = (strangers_t){.pid = -1, .report = -1};
    return made;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Room for more processes. */
#define _GNU_SOURCE
#include "act/machine/room.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/machine/cgroup.h"

/* Of each process: its proxy, and the launcher that starts that. Beside all: what others, and the
 * program itself, may need in the meantime. */
enum { BESIDE_EACH = 2, BESIDE_ALL = 4 };

static int64_t left_of_pids(const char *folder)
{
    int64_t most = xmpi_cgroup_number(folder, "pids.max", "", INT64_MAX);
    int64_t used = xmpi_cgroup_number(folder, "pids.current", "", 0);
    if (most == INT64_MAX)
        return INT64_MAX;
    return most > used ? most - used : 0;
}

/* Threads of all processes of the user. */
static int64_t threads_of_user(uid_t user)
{
    int64_t threads = 0;
    const struct dirent *entry;
    struct stat info;
    DIR *processes = opendir("/proc");
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        char folder[sizeof "/proc/" + sizeof entry->d_name];
        snprintf(folder, sizeof folder, "/proc/%s", entry->d_name);
        if (atoi(entry->d_name) > 0 && stat(folder, &info) == 0 && info.st_uid == user)
            threads += xmpi_cgroup_number(folder, "status", "Threads:", 1);
    }
    if (processes != NULL)
        closedir(processes);
    return threads;
}

/* The limit of the user (ulimit -u), which holds for all but root. */
static int64_t left_of_user(void)
{
    struct rlimit limit;
    if (getuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return INT64_MAX;
    int64_t used = threads_of_user(getuid());
    return (int64_t)limit.rlim_cur > used ? (int64_t)limit.rlim_cur - used : 0;
}

xmpi_status_t xmpi_room_for(int n, xmpi_error_t *error)
{
    char group[300] = "";
    int64_t threads = xmpi_cgroup_number("/proc/self", "status", "Threads:", 1);
    int64_t wanted = n * (threads + BESIDE_EACH) + BESIDE_ALL;
    int64_t in_group = xmpi_cgroup_least("pids", left_of_pids, group, sizeof group);
    int64_t of_user = in_group < wanted ? INT64_MAX : left_of_user();
    if (in_group < wanted)
        return xmpi_error_set(error, XMPI_ERR_PROCESS,
                              "no room for %d more processes, which take %" PRId64
                              " tasks: the control group %s has %" PRId64 " left (pids.max)",
                              n, wanted, group, in_group);
    if (of_user < wanted)
        return xmpi_error_set(error, XMPI_ERR_PROCESS,
                              "no room for %d more processes, which take %" PRId64
                              " tasks: this user has %" PRId64 " left (ulimit -u)",
                              n, wanted, of_user);
    return XMPI_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The disk and the memory of a node of an emulated cluster, as its line in the machine file says
 * (hostname:procType:numPE:cost:switches:memory:bandwidth:latency). Each call of read, write, pread
 * and pwrite of a file below the folder EMU_DISK_DIR is done later, by the latency and the bytes by
 * the bandwidth; a disk does one thing at a time, also for several processes of its node. What asks
 * for the memory of the machine (sysconf) is told that of the node. Nodes without these fields, and
 * other files, are as they are; so are streams, mapped files, aio and io_uring.
 *
 * Made a shared object, and loaded before others into the programs of the cluster (EMU_PRELOAD,
 * tests/cluster/launcher); before network.so where both are, and behind libxmpi.so, so that this
 * library sees how long its calls take. EMU_DISKS names the file that the nodes share: until when
 * each disk is busy. The machine file is EMU_MACHINES, or else XMPI_MACHINES. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "nodes.h"

enum { LINE = 4096, FIELDS = 8, MEMORY = 5, BANDWIDTH = 6, LATENCY = 7 };

/* What the nodes share. */
typedef struct {
    nodes_t nodes;
    double until[NODES]; /* seconds of the monotonic clock */
} disks_t;

static disks_t *disks; /* NULL: nothing is emulated */
static int here;
static char folder[LINE];
static size_t folder_length;
static double memory, bandwidth, latency; /* bytes, bytes per second, seconds */
static double spent;
static pthread_mutex_t spent_lock = PTHREAD_MUTEX_INITIALIZER;

/* --- the beginning ------------------------------------------------------------------------------
 */

static void refuse(const char *what, const char *name)
{
    fprintf(stderr, "disk: %s: %s\n", what, name);
    _exit(2);
}

/* Whether the line is that of NODE, and has memory and a disk. */
static int take_line(char *line, const char *node)
{
    char *field[FIELDS] = {0};
    line[strcspn(line, "#\n")] = '\0';
    for (int i = 0; i < FIELDS && line != NULL; i++)
        field[i] = strsep(&line, ":");
    if (field[BANDWIDTH] == NULL || strcmp(field[0], node) != 0)
        return 0;
    memory = strtod(field[MEMORY], NULL) * (1 << 20);
    bandwidth = strtod(field[BANDWIDTH], NULL) * 1e6;
    latency = field[LATENCY] != NULL ? strtod(field[LATENCY], NULL) * 1e-3 : 0;
    if (!(memory > 0) || !(bandwidth > 0) || !(latency >= 0))
        refuse("a node without memory, or with a disk that is none", node);
    return 1;
}

static int read_machines(const char *name, const char *node)
{
    char line[LINE];
    int found = 0;
    FILE *file = fopen(name, "re");
    if (file == NULL)
        refuse("there is no such machine file", name);
    while (!found && fgets(line, sizeof line, file) != NULL)
        found = take_line(line, node);
    fclose(file);
    return found;
}

__attribute__((constructor)) static void start(void)
{
    const char *shared = getenv("EMU_DISKS"), *node = getenv("XMPI_NODE");
    const char *machines = getenv("EMU_MACHINES"), *dir = getenv("EMU_DISK_DIR");
    if (machines == NULL)
        machines = getenv("XMPI_MACHINES");
    if (nodes_is_manager() || shared == NULL || dir == NULL || node == NULL || machines == NULL ||
        !read_machines(machines, node))
        return;
    void *mapped = nodes_map(shared, sizeof *disks);
    if (mapped == NULL || realpath(dir, folder) == NULL)
        refuse("cannot be used", mapped == NULL ? shared : dir);
    disks = mapped;
    here = nodes_number(&disks->nodes, node);
    folder_length = strlen(folder);
    prctl(PR_SET_TIMERSLACK, 1L, 0L, 0L, 0L);
}

/* --- memory -------------------------------------------------------------------------------------
 */

long sysconf(int name)
{
    static long (*next)(int);
    if (disks != NULL && (name == _SC_PHYS_PAGES || name == _SC_AVPHYS_PAGES))
        return (long)(memory / (double)sysconf(_SC_PAGESIZE));
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "sysconf");
    return next(name);
}

/* --- the disk -----------------------------------------------------------------------------------
 */

static int is_on_disk(int fd)
{
    char link[64], path[LINE];
    if (disks == NULL)
        return 0;
    int error = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path);
    errno = error;
    return length > (ssize_t)folder_length && memcmp(path, folder, folder_length) == 0 &&
           path[folder_length] == '/';
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_until(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
}

/* What the call of BYTES, which began at BEGIN, takes on this disk. */
static void take(double begin, ssize_t bytes)
{
    int error = errno;
    double seconds = latency + (bytes > 0 ? (double)bytes / bandwidth : 0);
    nodes_lock(&disks->nodes);
    double end = fmax(begin, disks->until[here]) + seconds;
    disks->until[here] = end;
    nodes_unlock(&disks->nodes);
    pthread_mutex_lock(&spent_lock);
    spent += seconds;
    pthread_mutex_unlock(&spent_lock);
    wait_until(end);
    errno = error;
}

/* The seconds that the disk has worked for this process. */
__attribute__((visibility("default"))) double emu_disk_seconds(void)
{
    pthread_mutex_lock(&spent_lock);
    double seconds = spent;
    pthread_mutex_unlock(&spent_lock);
    return seconds;
}

#define CALL(name, parameters, arguments)                                                          \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        static ssize_t(*next) parameters;                                                          \
        if (next == NULL)                                                                          \
            *(void **)&next = dlsym(RTLD_NEXT, #name);                                             \
        int slow = is_on_disk(fd);                                                                 \
        double begin = slow ? now() : 0;                                                           \
        ssize_t moved = next arguments;                                                            \
        if (slow)                                                                                  \
            take(begin, moved);                                                                    \
        return moved;                                                                              \
    }

CALL(read, (int fd, void *data, size_t bytes), (fd, data, bytes))
CALL(write, (int fd, const void *data, size_t bytes), (fd, data, bytes))
CALL(pread, (int fd, void *data, size_t bytes, off_t at), (fd, data, bytes, at))
CALL(pwrite, (int fd, const void *data, size_t bytes, off_t at), (fd, data, bytes, at))
CALL(pread64, (int fd, void *data, size_t bytes, off_t at), (fd, data, bytes, at))
CALL(pwrite64, (int fd, const void *data, size_t bytes, off_t at), (fd, data, bytes, at))

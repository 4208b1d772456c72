/* SPDX-License-Identifier: BSD-3-Clause
 * How quick a disk is: a file written and read without the page cache. */
#define _GNU_SOURCE
#include "act/machine/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/process/seconds.h"

enum { LONG = 1 << 20, MOST = 64, SHORT = 4096, ACCESSES = 101 };

typedef struct {
    int fd;
    char *block;   /* LONG bytes, aligned; malloc */
    double phase;  /* seconds that each of the three parts may take */
    int64_t bytes; /* of the file */
} probe_t;

static xmpi_status_t fail(const char *folder, const char *why, xmpi_error_t *error)
{
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %s", folder, why);
}

/* A file without a name, which is not cached. */
static xmpi_status_t open_file(const char *folder, probe_t *probe, xmpi_error_t *error)
{
    char path[PATH_MAX];
    struct statfs system;
    if (snprintf(path, sizeof path, "%s/xmpi-disk.XXXXXX", folder) >= (int)sizeof path)
        return fail(folder, strerror(ENAMETOOLONG), error);
    probe->fd = mkostemp(path, O_CLOEXEC);
    if (probe->fd < 0)
        return fail(folder, strerror(errno), error);
    unlink(path);
    if (fstatfs(probe->fd, &system) == 0 &&
        (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC))
        return fail(folder, "its files are in memory", error);
    int flags = fcntl(probe->fd, F_GETFL);
    if (flags < 0 || fcntl(probe->fd, F_SETFL, flags | O_DIRECT) != 0)
        return fail(folder, "its files cannot be read past the page cache", error);
    return XMPI_OK;
}

/* Writes (or reads) from the begin on, in long pieces; the seconds that BYTES took, < 0: an error.
 */
static double stream(probe_t *probe, bool writes, int64_t most, int64_t *bytes)
{
    double start = xmpi_seconds_now();
    for (*bytes = 0; *bytes < most && xmpi_seconds_now() - start < probe->phase; *bytes += LONG) {
        ssize_t n = writes ? pwrite(probe->fd, probe->block, LONG, *bytes)
                           : pread(probe->fd, probe->block, LONG, *bytes);
        if (n != LONG)
            return -1;
    }
    if (writes && fdatasync(probe->fd) != 0)
        return -1;
    return xmpi_seconds_now() - start;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of short reads at random places; < 0: an error. */
static double access_seconds(probe_t *probe)
{
    double took[ACCESSES], start = xmpi_seconds_now();
    int64_t places = probe->bytes / SHORT;
    uint64_t random = 88172645463325252u;
    int n = 0;
    while (n < ACCESSES && (n == 0 || xmpi_seconds_now() - start < probe->phase)) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        int64_t place = (int64_t)(random >> 11) % places;
        double begin = xmpi_seconds_now();
        if (pread(probe->fd, probe->block, SHORT, place * SHORT) != SHORT)
            return -1;
        took[n++] = xmpi_seconds_now() - begin;
    }
    qsort(took, (size_t)n, sizeof *took, ascending);
    return took[n / 2];
}

static bool measure(probe_t *probe, xmpi_disk_t *disk)
{
    int64_t read;
    double writing = stream(probe, true, (int64_t)MOST * LONG, &probe->bytes);
    double reading = writing > 0 ? stream(probe, false, probe->bytes, &read) : -1;
    double access = reading > 0 ? access_seconds(probe) : -1;
    if (access < 0)
        return false;
    disk->bandwidth = (double)(probe->bytes + read) / (writing + reading);
    double latency = access - SHORT / disk->bandwidth;
    disk->latency = latency > 0 ? latency : 0;
    return true;
}

xmpi_status_t xmpi_disk_measure(const char *folder, double seconds, xmpi_disk_t *disk,
                                xmpi_error_t *error)
{
    probe_t probe = {.fd = -1, .phase = seconds / 3, .block = aligned_alloc(SHORT, LONG)};
    if (probe.block == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "%s: no memory to measure it", folder);
    memset(probe.block, 1, LONG);
    xmpi_status_t status = open_file(folder, &probe, error);
    if (status == XMPI_OK && !measure(&probe, disk))
        status = fail(folder, errno != 0 ? strerror(errno) : "it cannot be measured", error);
    if (probe.fd >= 0)
        close(probe.fd);
    free(probe.block);
    return status;
}

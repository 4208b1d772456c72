/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "act/outofcore/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/process/own_files.h"

enum { HIGH = 512 };

static xmpi_status_t refuse(const char *folder, int64_t bytes, int number, xmpi_error_t *error)
{
    return xmpi_error_set(error, XMPI_ERR_INPUT,
                          "%" PRId64 " bytes cannot be had in %s (XMPI_OOC_DIR): %s", bytes, folder,
                          strerror(number));
}

static int raise_descriptor(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (high >= 0)
        close(fd);
    return high >= 0 ? high : fd;
}

static bool is_in_memory(int fd)
{
    struct statfs system;
    return fstatfs(fd, &system) == 0 &&
           (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
}

xmpi_status_t xmpi_scratch_open(const char *folder, int64_t bytes, int *fd, xmpi_error_t *error)
{
    xmpi_own_files_begin();
    *fd = xmpi_own_files_unnamed(folder, 0);
    int failed = *fd < 0 ? errno : 0;
    if (failed == 0) {
        *fd = raise_descriptor(*fd);
        xmpi_own_files_keep(*fd, true);
    }
    xmpi_own_files_end();
    if (failed != 0)
        return refuse(folder, bytes, failed, error);
    failed = is_in_memory(*fd) ? -1 : xmpi_own_files_take_place(*fd, bytes);
    if (failed == 0)
        return XMPI_OK;
    xmpi_scratch_close(*fd);
    *fd = -1;
    if (failed > 0)
        return refuse(folder, bytes, failed, error);
    return xmpi_error_set(error, XMPI_ERR_INPUT, "the files of %s (XMPI_OOC_DIR) are in memory",
                          folder);
}

void xmpi_scratch_close(int fd)
{
    xmpi_own_files_begin();
    close(fd);
    xmpi_own_files_keep(fd, false);
    xmpi_own_files_end();
}

/* A number of KiB of the disk's queue; 0: not known. A part of a disk has that of the whole. */
static size_t queue_kib(dev_t device, const char *name)
{
    static const char *const folders[] = {"queue", "../queue"};
    char path[PATH_MAX];
    unsigned long value = 0;
    for (int i = 0; i < 2 && value == 0; i++) {
        snprintf(path, sizeof path, "/sys/dev/block/%u:%u/%s/%s", major(device), minor(device),
                 folders[i], name);
        FILE *file = fopen(path, "re");
        if (file != NULL && fscanf(file, "%lu", &value) != 1)
            value = 0;
        if (file != NULL)
            fclose(file);
    }
    return value;
}

size_t xmpi_scratch_piece(int fd)
{
    enum { LEAST = 128, MOST = 1024 };
    struct stat file;
    size_t kib = 0;
    xmpi_own_files_begin();
    if (fstat(fd, &file) == 0) {
        size_t longest = queue_kib(file.st_dev, "max_sectors_kb");
        kib = queue_kib(file.st_dev, "read_ahead_kb");
        kib = longest > kib ? longest : kib;
    }
    xmpi_own_files_end();
    kib = kib > MOST ? MOST : kib;
    return (kib > LEAST ? kib / 4 * 4 : LEAST) << 10;
}

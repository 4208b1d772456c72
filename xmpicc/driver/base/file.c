/* SPDX-License-Identifier: BSD-3-Clause
 * Small things done with files and their names. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/base/file.h"

char *file_read_all(memory_t *memory, int fd, size_t *length)
{
    size_t capacity = 65536;
    char *text = memory_get(memory, capacity);
    *length = 0;
    for (;;) {
        ssize_t got = read(fd, text + *length, capacity - *length - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? NULL : text;
        *length += (size_t)got;
        if (*length + 1 == capacity) {
            char *more = memory_get(memory, 2 * capacity);
            text = memcpy(more, text, *length);
            capacity *= 2;
        }
    }
}

char *file_read(memory_t *memory, const char *path, size_t *length)
{
    if (!file_is_regular(path))
        return NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    char *text = file_read_all(memory, fd, length);
    close(fd);
    return text;
}

static int write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t put = write(fd, text, length);
        if (put < 0 && errno != EINTR)
            return -1;
        if (put > 0) {
            text += put;
            length -= (size_t)put;
        }
    }
    return 0;
}

static mode_t permissions(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0)
        return info.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int write_device(const char *path, const char *text, size_t length)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write_all(fd, text, length) == 0;
    return fd >= 0 && close(fd) == 0 && good ? 0 : -1;
}

int file_replace(memory_t *memory, const char *path, const char *text, size_t length)
{
    char resolved[PATH_MAX];
    if (access(path, F_OK) == 0 && !file_is_regular(path))
        return write_device(path, text, length);
    if (realpath(path, resolved) != NULL)
        path = resolved;
    char *new = memory_format(memory, "%s.XXXXXX", path);
    int fd = mkostemp(new, O_CLOEXEC);
    if (fd < 0)
        return -1;
    bool good = write_all(fd, text, length) == 0 && fchmod(fd, permissions(path)) == 0;
    good = close(fd) == 0 && good;
    if (good && rename(new, path) == 0)
        return 0;
    int reason = errno;
    unlink(new);
    errno = reason;
    return -1;
}

bool file_is_regular(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool file_is_executable(const char *path)
{
    return file_is_regular(path) && access(path, X_OK) == 0;
}

bool file_same(const char *one, const char *other)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

char *path_folder(memory_t *memory, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return memory_copy(memory, ".", 1);
    return memory_copy(memory, path, slash == path ? 1 : (size_t)(slash - path));
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

char *path_without_ending(memory_t *memory, const char *path)
{
    const char *base = path_base(path);
    const char *dot = strrchr(base, '.');
    size_t length = dot == NULL || dot == base ? strlen(path) : (size_t)(dot - path);
    return memory_copy(memory, path, length);
}

char *path_stem(memory_t *memory, const char *path)
{
    return path_without_ending(memory, path_base(path));
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that move data of descriptors, or wait for them to be on the disk. */
#define _GNU_SOURCE
#include <sys/types.h>
#include <sys/uio.h>

#include "observe/files/next.h"

typedef const struct iovec *parts_t;

XMPI_FILE_CALL(ssize_t, read, (int fd, void *data, size_t size), (fd, data, size), result)
XMPI_FILE_CALL(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size), result)
XMPI_FILE_CALL(ssize_t, __read_chk, (int fd, void *data, size_t size, size_t room),
               (fd, data, size, room), result)
XMPI_FILE_CALL(ssize_t, readv, (int fd, parts_t parts, int n), (fd, parts, n), result)
XMPI_FILE_CALL(ssize_t, writev, (int fd, parts_t parts, int n), (fd, parts, n), result)

/* At a place; the names with 64 are what programs with large files call. */
#define AT_PLACE(name, second)                                                                     \
    XMPI_FILE_CALL(ssize_t, pread##name, (int fd, void *data, size_t size, off64_t at),            \
                   (fd, data, size, at), result)                                                   \
    XMPI_FILE_CALL(ssize_t, pwrite##name, (int fd, const void *data, size_t size, off64_t at),     \
                   (fd, data, size, at), result)                                                   \
    XMPI_FILE_CALL(ssize_t, __pread##name##_chk,                                                   \
                   (int fd, void *data, size_t size, off64_t at, size_t room),                     \
                   (fd, data, size, at, room), result)                                             \
    XMPI_FILE_CALL(ssize_t, preadv##name, (int fd, parts_t parts, int n, off64_t at),              \
                   (fd, parts, n, at), result)                                                     \
    XMPI_FILE_CALL(ssize_t, pwritev##name, (int fd, parts_t parts, int n, off64_t at),             \
                   (fd, parts, n, at), result)                                                     \
    XMPI_FILE_CALL(ssize_t, preadv##second, (int fd, parts_t parts, int n, off64_t at, int flags), \
                   (fd, parts, n, at, flags), result)                                              \
    XMPI_FILE_CALL(ssize_t, pwritev##second,                                                       \
                   (int fd, parts_t parts, int n, off64_t at, int flags),                          \
                   (fd, parts, n, at, flags), result)                                              \
    XMPI_FILE_CALL(ssize_t, sendfile##name, (int to, int from, off64_t *at, size_t size),          \
                   (to, from, at, size), result)                                                   \
    XMPI_FILE_CALL(int, fallocate##name, (int fd, int mode, off64_t at, off64_t size),             \
                   (fd, mode, at, size), 0)                                                        \
    XMPI_FILE_CALL(int, posix_fallocate##name, (int fd, off64_t at, off64_t size), (fd, at, size), \
                   0)                                                                              \
    XMPI_FILE_CALL(int, ftruncate##name, (int fd, off64_t size), (fd, size), 0)

/* (An off_t has 64 bits as well, wherever this is compiled.) */
_Static_assert(sizeof(off_t) == sizeof(off64_t), "off_t has 64 bits");

AT_PLACE(, 2)
AT_PLACE(64, 64v2)

XMPI_FILE_CALL(ssize_t, copy_file_range,
               (int from, off64_t *at, int to, off64_t *there, size_t size, unsigned flags),
               (from, at, to, there, size, flags), result)
XMPI_FILE_CALL(int, fsync, (int fd), (fd), 0)
XMPI_FILE_CALL(int, fdatasync, (int fd), (fd), 0)
XMPI_FILE_CALL(int, syncfs, (int fd), (fd), 0)
XMPI_FILE_CALL(int, sync_file_range, (int fd, off64_t at, off64_t size, unsigned flags),
               (fd, at, size, flags), 0)
XMPI_FILE_CALL(int, msync, (void *data, size_t size, int flags), (data, size, flags), 0)
XMPI_FILE_CALL(int, close, (int fd), (fd), 0)

/* SPDX-License-Identifier: BSD-3-Clause
 * Descriptors that open and its like have given the program: regular files are opened again where
 * it goes, at the same place. All else that has a descriptor stays in its process. */
#define _GNU_SOURCE
#include "image/calls/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/image/image.h"
#include "image/memory/lock.h"
#include "image/memory/memory.h"
#include "image/memory/native.h"
#include "image/calls/reads.h"

/* Numbers that select() takes, above those of connections. */
enum { FIRST = 512, NUMBERS = 512, PATH_ROOM = 4096 };

int __real_open(const char *path, int flags, ...) __attribute__((weak));
int __real_close(int fd);
int __real_dup2(int fd, int as) __attribute__((weak));
int __real_fcntl(int fd, int command, ...) __attribute__((weak));

typedef struct file {
    int fd, flags;
    off_t at, size; /* where it stood, and how long it was, when it was packed */
    struct file *next;
    char path[];
} file_t;

/* The program's. */
static file_t *files;
static bool has_written; /* to one of them, it may be */
static int lock;
XMPI_NATIVE static bool is_lifted[NUMBERS]; /* in this process */

extern const char *xmpi_image_pinned;

static void pin(const char *call)
{
    if (xmpi_image_pinned == NULL)
        xmpi_image_pinned = call;
}

/* --- numbers ------------------------------------------------------------------------------------
 */

int xmpi_files_lift(int fd)
{
    int kept = __real_fcntl(fd, F_GETFD);
    int command = kept >= 0 && (kept & FD_CLOEXEC) != 0 ? F_DUPFD_CLOEXEC : F_DUPFD;
    int high = __real_fcntl(fd, command, FIRST);
    if (high < 0 || high >= FIRST + NUMBERS) {
        if (high >= 0)
            __real_close(high);
        return -1;
    }
    is_lifted[high - FIRST] = true;
    __real_close(fd);
    return high;
}

/* (What an image has left that was not taken after all is closed.) */
bool xmpi_files_put(int fd, int as, const char *path, char *why)
{
    bool free = as >= FIRST && as < FIRST + NUMBERS &&
                (is_lifted[as - FIRST] || __real_fcntl(as, F_GETFD) < 0);
    int put = free ? __real_dup2(fd, as) : -1;
    if (!free)
        snprintf(why, XMPI_IMAGE_WHY_MAX, "its file %.64s: its descriptor %d is in use", path, as);
    else if (put < 0)
        snprintf(why, XMPI_IMAGE_WHY_MAX, "its file %.64s: %s", path, strerror(errno));
    else
        is_lifted[as - FIRST] = true;
    __real_close(fd);
    return put >= 0;
}

void xmpi_files_lower(int fd)
{
    if (fd >= FIRST && fd < FIRST + NUMBERS)
        is_lifted[fd - FIRST] = false;
}

bool xmpi_files_named(int fd, const char *path)
{
    struct stat status, there;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && stat(path, &there) == 0 &&
           there.st_ino == status.st_ino && there.st_dev == status.st_dev;
}

/* --- opening and closing ------------------------------------------------------------------------
 */

static file_t *add(int fd)
{
    char link[32], path[PATH_ROOM];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    file_t *file = n > 0 ? __wrap_malloc(sizeof *file + (size_t)n + 1) : NULL;
    if (file == NULL)
        return NULL;
    memcpy(file->path, path, (size_t)n);
    file->path[n] = '\0';
    xmpi_lock(&lock);
    file->next = files;
    files = file;
    xmpi_unlock(&lock);
    return file;
}

static void drop(int fd)
{
    xmpi_lock(&lock);
    file_t **at = &files;
    while (*at != NULL && (*at)->fd != fd)
        at = &(*at)->next;
    file_t *file = *at;
    if (file != NULL)
        *at = file->next;
    xmpi_unlock(&lock);
    __wrap_free(file);
}

/* What CALL has opened is noted, or stays. (A low number may be wanted for itself: close(1), then
 * open.) */
static int note(int fd, const char *call)
{
    struct stat status;
    int error = errno;
    if (fd < 0)
        return fd;
    file_t *file =
        fd > STDERR_FILENO && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? add(fd) : NULL;
    int high = file != NULL ? xmpi_files_lift(fd) : -1;
    if (file != NULL)
        file->fd = high >= 0 ? high : fd;
    if (high < 0)
        pin(call);
    else if ((__real_fcntl(high, F_GETFL) & O_ACCMODE) != O_RDONLY)
        has_written = true;
    errno = error;
    return high >= 0 ? high : fd;
}

/* PATH may have been opened to be read, or to find out whether it is there. */
static int looked(int folder, const char *path, int flags, int fd)
{
    if ((flags & O_ACCMODE) != O_WRONLY || (flags & O_EXCL) != 0)
        xmpi_reads_note_at(folder, path);
    return fd;
}

#define MODE(last)                                                                                 \
    mode_t mode = 0;                                                                               \
    if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {                              \
        va_list more;                                                                              \
        va_start(more, last);                                                                      \
        mode = va_arg(more, mode_t);                                                               \
        va_end(more);                                                                              \
    }
#define OPEN(name)                                                                                 \
    int __real_##name(const char *path, int flags, ...) __attribute__((weak));                     \
    int __wrap_##name(const char *path, int flags, ...);                                           \
    int __wrap_##name(const char *path, int flags, ...)                                            \
    {                                                                                              \
        MODE(flags)                                                                                \
        return looked(AT_FDCWD, path, flags, note(__real_##name(path, flags, mode), #name));       \
    }
#define OPEN_AT(name)                                                                              \
    int __real_##name(int folder, const char *path, int flags, ...) __attribute__((weak));         \
    int __wrap_##name(int folder, const char *path, int flags, ...);                               \
    int __wrap_##name(int folder, const char *path, int flags, ...)                                \
    {                                                                                              \
        MODE(flags)                                                                                \
        return looked(folder, path, flags, note(__real_##name(folder, path, flags, mode), #name)); \
    }
/* The same of a call that is checked, which makes no file. */
#define OPEN_CHECKED(name)                                                                         \
    int __real_##name(const char *path, int flags) __attribute__((weak));                          \
    int __wrap_##name(const char *path, int flags);                                                \
    int __wrap_##name(const char *path, int flags)                                                 \
    {                                                                                              \
        return looked(AT_FDCWD, path, flags, note(__real_##name(path, flags), #name));             \
    }
#define OPEN_CHECKED_AT(name)                                                                      \
    int __real_##name(int folder, const char *path, int flags) __attribute__((weak));              \
    int __wrap_##name(int folder, const char *path, int flags);                                    \
    int __wrap_##name(int folder, const char *path, int flags)                                     \
    {                                                                                              \
        return looked(folder, path, flags, note(__real_##name(folder, path, flags), #name));       \
    }
/* NAME with arguments that are passed on: (a), declared as (int a). */
#define NOTED(name, declared, passed)                                                              \
    int __real_##name declared __attribute__((weak));                                              \
    int __wrap_##name declared;                                                                    \
    int __wrap_##name declared                                                                     \
    {                                                                                              \
        return note(__real_##name passed, #name);                                                  \
    }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
OPEN_CHECKED(__open_2)
OPEN_CHECKED(__open64_2)
OPEN_CHECKED_AT(__openat_2)
OPEN_CHECKED_AT(__openat64_2)
NOTED(creat, (const char *path, mode_t mode), (path, mode))
NOTED(creat64, (const char *path, mode_t mode), (path, mode))
NOTED(mkstemp, (char *path), (path))
NOTED(mkstemp64, (char *path), (path))
NOTED(mkstemps, (char *path, int more), (path, more))
NOTED(mkstemps64, (char *path, int more), (path, more))
NOTED(mkostemp, (char *path, int flags), (path, flags))
NOTED(mkostemp64, (char *path, int flags), (path, flags))
NOTED(mkostemps, (char *path, int more, int flags), (path, more, flags))
NOTED(mkostemps64, (char *path, int more, int flags), (path, more, flags))

int __wrap_close(int fd);
int __wrap_close(int fd)
{
    drop(fd);
    xmpi_files_lower(fd);
    return __real_close(fd);
}

/* What it makes of a descriptor, but for its flags, is not made again. */
static bool is_asking(int command)
{
    return command == F_GETFD || command == F_SETFD || command == F_GETFL || command == F_SETFL ||
           command == F_GETLK || command == F_OFD_GETLK || command == F_GETOWN;
}

#define CONTROL(name)                                                                              \
    int __real_##name(int fd, int command, ...) __attribute__((weak));                             \
    int __wrap_##name(int fd, int command, long argument);                                         \
    int __wrap_##name(int fd, int command, long argument)                                          \
    {                                                                                              \
        if (!is_asking(command))                                                                   \
            pin(#name);                                                                            \
        return __real_##name(fd, command, argument);                                               \
    }

CONTROL(fcntl)
CONTROL(fcntl64)

/* --- moving -------------------------------------------------------------------------------------
 */

void xmpi_files_held(char *why)
{
    for (const file_t *f = files; f != NULL && why[0] == '\0'; f = f->next)
        if (!xmpi_files_named(f->fd, f->path))
            snprintf(why, XMPI_IMAGE_WHY_MAX, "%.80s, which open has opened, is not there any more",
                     f->path);
}

void xmpi_files_open(char *why)
{
    if (why[0] != '\0')
        return;
    if (files != NULL)
        snprintf(why, XMPI_IMAGE_WHY_MAX, "what open has made of %.80s is still open", files->path);
    else if (has_written)
        snprintf(why, XMPI_IMAGE_WHY_MAX, "open has opened a file that the program writes");
}

void xmpi_files_pack(void)
{
    for (file_t *f = files; f != NULL; f = f->next) {
        struct stat status;
        f->at = lseek(f->fd, 0, SEEK_CUR);
        f->flags = __real_fcntl(f->fd, F_GETFL) |
                   (__real_fcntl(f->fd, F_GETFD) == FD_CLOEXEC ? O_CLOEXEC : 0);
        f->size = fstat(f->fd, &status) == 0 ? status.st_size : -1;
    }
}

void xmpi_files_cut(void)
{
    for (const file_t *f = files; f != NULL; f = f->next) {
        struct stat status;
        bool writes = (f->flags & O_ACCMODE) != O_RDONLY;
        bool longer = f->size >= 0 && fstat(f->fd, &status) == 0 && status.st_size > f->size;
        if (writes && longer && ftruncate(f->fd, f->size) != 0)
            fprintf(stderr, "xmpi: %s is longer than it was: %s\n", f->path, strerror(errno));
    }
}

void xmpi_files_left(void)
{
    for (const file_t *f = files; f != NULL; f = f->next) {
        xmpi_files_lower(f->fd);
        __real_close(f->fd);
    }
}

/* Nothing is created or emptied, as the kernel does not tell such flags. */
static bool open_again(const file_t *f, char *why)
{
    int fd = __real_open(f->path, f->flags);
    if (fd < 0) {
        snprintf(why, XMPI_IMAGE_WHY_MAX, "its file %.64s: %s", f->path, strerror(errno));
        return false;
    }
    if (!xmpi_files_put(fd, f->fd, f->path, why))
        return false;
    if ((f->flags & O_CLOEXEC) != 0)
        __real_fcntl(f->fd, F_SETFD, FD_CLOEXEC);
    return lseek(f->fd, f->at, SEEK_SET) == f->at || f->at < 0;
}

bool xmpi_files_unpack(char *why)
{
    for (int i = 0; i < NUMBERS; i++)
        if (is_lifted[i]) {
            __real_close(FIRST + i);
            is_lifted[i] = false;
        }
    for (const file_t *f = files; f != NULL; f = f->next)
        if (!open_again(f, why))
            return false;
    return true;
}

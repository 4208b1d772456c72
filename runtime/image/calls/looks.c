/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that look for files, or open them, otherwise than as streams or descriptors
 * (image/calls/reads.h); and calls that take files away, give them other names or lengths: where
 * the program starts over they have been made, and what iterations have written since stays. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "image/calls/reads.h"
#include "image/memory/native.h"

/* Outside of what a change puts back. */
XMPI_NATIVE static bool held;

void xmpi_files_hold(bool on)
{
    held = on;
}

bool xmpi_files_are_held(void)
{
    return held;
}

int __real_MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
    __attribute__((weak));
int __wrap_MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file);

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);

int __wrap_access(const char *path, int mode)
{
    xmpi_reads_note(path, true);
    return __real_access(path, mode);
}

/* Without the kind of file system that may stand before it: "nfs:data". */
static const char *bare(const char *path)
{
    const char *colon = path != NULL ? strchr(path, ':') : NULL;
    const char *slash = path != NULL ? strchr(path, '/') : NULL;
    return colon != NULL && (slash == NULL || colon < slash) ? colon + 1 : path;
}

int __wrap_MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
    if ((mode & MPI_MODE_WRONLY) == 0)
        xmpi_reads_note(bare(path), true);
    return __real_MPI_File_open(comm, path, mode, info, file);
}

/* --- what is made once
 * ---------------------------------------------------------------------------- */

/* Files that a start which is made again has written as they were not there, outside of what a
 * change puts back. (Where there are more than this, those that are taken away then stay.) */
enum { MADE_MAX = 64 };
XMPI_NATIVE static struct {
    dev_t device;
    ino_t number;
} made[MADE_MAX];
XMPI_NATIVE static int mades;

void xmpi_files_made_again(const char *path)
{
    struct stat status;
    if (mades < MADE_MAX && stat(path, &status) == 0) {
        made[mades].device = status.st_dev;
        made[mades++].number = status.st_ino;
    }
}

int __real_unlinkat(int folder, const char *path, int flags) __attribute__((weak));

/* What the start has made again it has no more use for. */
static int take_away(int folder, const char *path)
{
    struct stat status;
    if (fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    for (int i = 0; i < mades; i++)
        if (made[i].device == status.st_dev && made[i].number == status.st_ino) {
            made[i] = made[--mades];
            return __real_unlinkat(folder, path, 0);
        }
    return 0;
}

/* NAME with arguments that are passed on: (a), declared as (int a); INSTEAD is done where it has
 * been done before. */
#define MADE_ONCE(name, declared, passed, instead)                                                 \
    int __real_##name declared __attribute__((weak));                                              \
    int __wrap_##name declared;                                                                    \
    int __wrap_##name declared                                                                     \
    {                                                                                              \
        return xmpi_files_are_held() ? (instead) : __real_##name passed;                           \
    }

MADE_ONCE(remove, (const char *path), (path), take_away(AT_FDCWD, path))
MADE_ONCE(unlink, (const char *path), (path), take_away(AT_FDCWD, path))
MADE_ONCE(rmdir, (const char *path), (path), 0)
MADE_ONCE(unlinkat, (int folder, const char *path, int flags), (folder, path, flags),
          take_away(folder, path))
MADE_ONCE(rename, (const char *from, const char *to), (from, to), take_away(AT_FDCWD, from))
MADE_ONCE(renameat, (int folder, const char *from, int other, const char *to),
          (folder, from, other, to), take_away(folder, from))
MADE_ONCE(truncate, (const char *path, off_t bytes), (path, bytes), 0)
MADE_ONCE(truncate64, (const char *path, off64_t bytes), (path, bytes), 0)
MADE_ONCE(MPI_File_delete, (const char *path, MPI_Info info), (path, info), 0)

int __real_mkdir(const char *path, mode_t mode) __attribute__((weak));
int __wrap_mkdir(const char *path, mode_t mode);

/* (It may be missing on a node of its own.) */
int __wrap_mkdir(const char *path, mode_t mode)
{
    int status = __real_mkdir(path, mode);
    return status != 0 && errno == EEXIST && xmpi_files_are_held() ? 0 : status;
}

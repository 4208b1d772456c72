/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "act/data/row_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/data/piece_map.h"
#include "base/misuse.h"
#include "base/process/own_files.h"
#include "base/process/unreadable.h"

/* --- what the program has -----------------------------------------------------------------------
 */

enum { READ_ALIGNED = 4096, READ_BLOCK = 1 << 20 };

static FILE *stream_of(const xmpi_array_t *array)
{
    FILE *stream;
    memcpy(&stream, array->slot, sizeof stream);
    return stream;
}

/* -1: none. */
static int descriptor_of(const xmpi_array_t *array)
{
    int fd;
    if (array->holds == XMPI_SLOT_STREAM)
        return stream_of(array) != NULL ? fileno(stream_of(array)) : -1;
    memcpy(&fd, array->slot, sizeof fd);
    return fd;
}

static void set_descriptor(const xmpi_array_t *array, int fd)
{
    FILE *stream = NULL;
    const void *value = &fd;
    size_t size = sizeof fd;
    if (array->holds == XMPI_SLOT_STREAM) {
        stream = fd >= 0 ? fdopen(fd, "r+") : NULL;
        if (fd >= 0 && stream == NULL)
            xmpi_misuse("no memory for the stream %s", array->name);
        value = &stream;
        size = sizeof stream;
    }
    memcpy(array->slot, value, size);
    for (int i = 0; i < array->aliases; i++)
        memcpy(array->alias[i], value, size);
}

/* The file itself may have no name any more: its folder has. */
static bool path_of(int fd, char path[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 && path[0] == '/' && strrchr(path, '/') > path;
}

/* Whether the file FD has a name: PATH. */
static bool name_of(int fd, char path[PATH_MAX])
{
    struct stat file, named;
    return path_of(fd, path) && fstat(fd, &file) == 0 && lstat(path, &named) == 0 &&
           file.st_dev == named.st_dev && file.st_ino == named.st_ino;
}

char *xmpi_row_files_names(const xmpi_registry_t *registry, int *length)
{
    char path[PATH_MAX], *names = NULL;
    *length = 0;
    for (int i = 0; i < registry->arrays; i++) {
        const xmpi_array_t *array = &registry->array[i];
        int fd = array->holds != XMPI_SLOT_POINTER ? descriptor_of(array) : -1;
        if (fd < 0 || !name_of(fd, path))
            continue;
        size_t bytes = strlen(path) + 1;
        char *more = realloc(names, (size_t)*length + bytes);
        if (more == NULL)
            break;
        names = more;
        memcpy(names + *length, path, bytes);
        *length += (int)bytes;
    }
    return names;
}

/* --- what joiners have to know -------------------------------------------------------------------
 */

static void note(const xmpi_array_t *array)
{
    xmpi_file_like_t *like = &array->row_file->like;
    char path[PATH_MAX];
    struct stat file;
    int fd = descriptor_of(array), flags = fd >= 0 ? fcntl(fd, F_GETFL) : -1;
    if (flags < 0 || fstat(fd, &file) != 0 || !path_of(fd, path))
        return;
    off_t at = lseek(fd, 0, SEEK_CUR);
    *strrchr(path, '/') = '\0';
    *like = (xmpi_file_like_t){.known = strlen(path) < sizeof like->folder,
                               .flags = flags & (O_SYNC | O_DSYNC | O_DIRECT | O_NOATIME),
                               .at_end = at > 0,
                               .mode = file.st_mode & ALLPERMS};
    if (like->known)
        strcpy(like->folder, path);
}

const char *xmpi_row_file_register(xmpi_registry_t *registry, const char *name, xmpi_slot_t holds)
{
    static const char prefix[] = "file of ";
    xmpi_array_t *array = xmpi_registry_array(registry, name);
    size_t room = sizeof prefix + strlen(name);
    if (array->row_file == NULL)
        array->row_file = calloc(1, sizeof *array->row_file + room);
    xmpi_row_file_t *file = array->row_file;
    if (file == NULL)
        xmpi_misuse("no memory to register the file %s", name);
    file->live = (char *)(file + 1);
    snprintf(file->live, room, "%s%s", prefix, name);
    array->holds = holds;
    xmpi_registry_add_live(registry, file->live, &file->like, sizeof file->like);
    xmpi_registry_set_elements(registry, file->live, "~"); /* it may be elsewhere in another run */
    return file->live;
}

void xmpi_row_files_note(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].holds != XMPI_SLOT_POINTER)
            note(&registry->array[i]);
}

const char *xmpi_row_files_first(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].holds != XMPI_SLOT_POINTER)
            return registry->array[i].name;
    return NULL;
}

/* --- whether a file can be moved -----------------------------------------------------------------
 */

static xmpi_status_t refuse(const xmpi_array_t *array, xmpi_error_t *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static xmpi_status_t refuse(const xmpi_array_t *array, xmpi_error_t *error, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return xmpi_error_set(error, XMPI_ERR_INPUT, "the file %s %s", array->name, text);
}

/* Another descriptor of the file FD; -1: none. */
static int other_descriptor(int fd, const struct stat *file)
{
    DIR *list = opendir("/proc/self/fd");
    int found = -1;
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        struct stat other;
        int number = atoi(entry->d_name);
        if (entry->d_name[0] != '.' && number != fd && fstat(number, &other) == 0 &&
            other.st_dev == file->st_dev && other.st_ino == file->st_ino)
            found = number;
    }
    if (list != NULL)
        closedir(list);
    return found;
}

static xmpi_status_t check_access(const xmpi_array_t *array, int fd, struct stat *file,
                                  xmpi_error_t *error)
{
    char path[PATH_MAX];
    int flags = fd >= 0 ? fcntl(fd, F_GETFL) : -1;
    if (flags < 0 || fstat(fd, file) != 0)
        return refuse(array, error, "is not open");
    if (!S_ISREG(file->st_mode))
        return refuse(array, error, "is no regular file, whose rows could be found");
    if ((flags & O_ACCMODE) != O_RDWR)
        return refuse(array, error, "is not open for reading and writing");
    if ((flags & O_APPEND) != 0)
        return refuse(array, error, "is open for appending: what is written goes to its end");
    if (!path_of(fd, path))
        return refuse(array, error, "is in no folder, in which there could be another");
    int other = other_descriptor(fd, file);
    if (other >= 0)
        return refuse(array, error, "is open twice, as the descriptors %d and %d", fd, other);
    return XMPI_OK;
}

/* Rows are all that it has. */
static xmpi_status_t check_place(const xmpi_array_t *array, const struct stat *file, int64_t bytes,
                                 off_t at, xmpi_error_t *error)
{
    if (file->st_size != 0 && file->st_size != bytes)
        return refuse(array, error, "has %" PRId64 " bytes, but its rows here are %" PRId64,
                      (int64_t)file->st_size, bytes);
    if (at != 0 && at != file->st_size)
        return refuse(array, error,
                      "stands at byte %" PRId64 " when an iteration begins: among its rows, which "
                      "will be others; let it stand at its begin or end",
                      (int64_t)at);
    return XMPI_OK;
}

/* --- moving --------------------------------------------------------------------------------------
 */

void xmpi_file_move_none(xmpi_file_move_t *move)
{
    *move = (xmpi_file_move_t){.old = -1, .fresh = -1};
}

/* Where the disk fails behind the look that xmpi_file_move_read has taken. */
static const char cannot_read[] =
    "xmpi: rows cannot be read any more, from a file of the program's, while they move: the disk "
    "fails, or the file was truncated\n";

/* Zeros are in no file. */
static xmpi_status_t map(const xmpi_array_t *array, int fd, int64_t bytes, char **place,
                         xmpi_error_t *error)
{
    if (bytes == 0)
        return XMPI_OK;
    void *at = fd >= 0 ? mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                       : mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return refuse(array, error, "cannot be mapped: %s", strerror(errno));
    xmpi_unreadable_watch(at, (size_t)bytes, cannot_read);
    *place = at;
    return XMPI_OK;
}

/* What a stream has in its buffers is written, or thrown away. */
xmpi_status_t xmpi_file_move_open(const xmpi_array_t *array, int64_t bytes, xmpi_file_move_t *move,
                                  xmpi_error_t *error)
{
    struct stat file;
    xmpi_file_move_none(move);
    if (array->holds == XMPI_SLOT_STREAM && stream_of(array) != NULL &&
        fflush(stream_of(array)) != 0)
        return refuse(array, error, "cannot be written: %s", strerror(errno));
    int fd = descriptor_of(array);
    xmpi_status_t status = check_access(array, fd, &file, error);
    if (status != XMPI_OK)
        return status;
    off_t at = lseek(fd, 0, SEEK_CUR);
    status = check_place(array, &file, bytes, at, error);
    if (status != XMPI_OK)
        return status;
    note(array);
    move->old = fd;
    move->empty = file.st_size == 0;
    move->at_end = at > 0;
    move->before_bytes = bytes;
    return map(array, move->empty ? -1 : fd, bytes, &move->before, error);
}

static xmpi_status_t take_place(const xmpi_array_t *array, int fd, int64_t bytes,
                                xmpi_error_t *error)
{
    int failed = bytes > 0 ? xmpi_own_files_take_place(fd, bytes) : 0;
    if (failed == 0)
        return XMPI_OK;
    return refuse(array, error, "cannot get %" PRId64 " bytes in %s: %s", bytes,
                  array->row_file->like.folder, strerror(failed));
}

xmpi_status_t xmpi_file_move_fill(const xmpi_array_t *array, const xmpi_file_move_t *move,
                                  xmpi_error_t *error)
{
    return take_place(array, move->old, move->before_bytes, error);
}

xmpi_status_t xmpi_file_move_make(const xmpi_array_t *array, int64_t bytes, xmpi_file_move_t *move,
                                  xmpi_error_t *error)
{
    const xmpi_file_like_t *like = &array->row_file->like;
    if (!like->known)
        return refuse(array, error,
                      "was not open when the first process was called: its folder is "
                      "not known here");
    move->fresh = xmpi_own_files_unnamed(like->folder, like->flags);
    if (move->fresh < 0)
        return refuse(array, error, "cannot be made anew in %s: %s", like->folder, strerror(errno));
    if (move->old < 0)
        move->at_end = like->at_end != 0;
    move->after_bytes = bytes;
    fchmod(move->fresh, (mode_t)like->mode);
    xmpi_status_t status = take_place(array, move->fresh, bytes, error);
    return status == XMPI_OK ? map(array, move->fresh, bytes, &move->after, error) : status;
}

/* Of files that were opened for direct I/O, too: whole blocks, to where a block begins. Gives the
 * bytes that are read into BLOCK, of which the first that is wanted is the one at AT; -1, and
 * errno: there are none. */
static int64_t read_block(int fd, int64_t at, char *block)
{
    ssize_t got;
    do
        got = pread(fd, block, READ_BLOCK, at / READ_ALIGNED * READ_ALIGNED);
    while (got < 0 && errno == EINTR);
    errno = got < 0 ? errno : 0;
    return got > at % READ_ALIGNED ? got : -1;
}

xmpi_status_t xmpi_file_move_read(const xmpi_array_t *array, const xmpi_file_move_t *move,
                                  int64_t at, int64_t bytes, char *to, xmpi_error_t *error)
{
    void *block;
    if (bytes == 0 || move->empty)
        return XMPI_OK;
    if (posix_memalign(&block, READ_ALIGNED, READ_BLOCK) != 0)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to read the file %s", array->name);
    xmpi_status_t status = XMPI_OK;
    while (bytes > 0 && status == XMPI_OK) {
        int64_t got = read_block(move->old, at, block), first = at % READ_ALIGNED;
        int64_t part = got - first < bytes ? got - first : bytes;
        if (got < 0)
            status = refuse(array, error, "cannot be read from byte %" PRId64 " on: %s", at,
                            errno != 0 ? strerror(errno) : "it was truncated");
        else if (to != NULL)
            memcpy(to, (char *)block + first, (size_t)part);
        at += part;
        bytes -= part;
        to = to != NULL ? to + part : NULL;
    }
    free(block);
    return status;
}

static void unmap_one(char *at, int64_t bytes)
{
    if (at == NULL)
        return;
    xmpi_unreadable_leave(at);
    munmap(at, (size_t)bytes);
}

static void unmap(xmpi_file_move_t *move)
{
    unmap_one(move->before, move->before_bytes);
    unmap_one(move->after, move->after_bytes);
}

static void remove_name(int fd)
{
    char path[PATH_MAX];
    if (name_of(fd, path))
        unlink(path);
}

static void close_old(const xmpi_array_t *array, const xmpi_file_move_t *move)
{
    if (move->old < 0)
        return;
    if (array->holds == XMPI_SLOT_STREAM)
        fclose(stream_of(array));
    else
        close(move->old);
    set_descriptor(array, -1);
}

static void replace(const xmpi_array_t *array, xmpi_file_move_t *move)
{
    if (move->at_end)
        lseek(move->fresh, 0, SEEK_END);
    if (move->old < 0) {
        int flags = fcntl(move->fresh, F_GETFD);
        fcntl(move->fresh, F_SETFD, flags & ~FD_CLOEXEC);
        set_descriptor(array, move->fresh);
        return;
    }
    bool closes = (fcntl(move->old, F_GETFD) & FD_CLOEXEC) != 0;
    dup3(move->fresh, move->old, closes ? O_CLOEXEC : 0);
    close(move->fresh);
}

void xmpi_file_move_commit(const xmpi_array_t *array, bool leaves, xmpi_file_move_t *move)
{
    unmap(move);
    if (move->old >= 0)
        remove_name(move->old);
    if (leaves)
        close_old(array, move);
    else if (move->fresh >= 0)
        replace(array, move);
    xmpi_file_move_none(move);
}

void xmpi_file_move_cancel(xmpi_file_move_t *move)
{
    unmap(move);
    if (move->fresh >= 0)
        close(move->fresh);
    xmpi_file_move_none(move);
}

/* --- in memory, for who does not move them
 * --------------------------------------------------------
 */

static xmpi_status_t map_copy(const xmpi_array_t *array, int64_t bytes, xmpi_file_move_t *move,
                              xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_file_move_make(array, bytes, move, error);
    if (status == XMPI_OK)
        status = xmpi_file_move_read(array, move, 0, bytes, move->after, error);
    if (status != XMPI_OK || bytes == 0)
        return status;
    void *at = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, move->fresh, 0);
    if (at == MAP_FAILED)
        return refuse(array, error, "cannot be mapped: %s", strerror(errno));
    array->row_file->mapped = at;
    return XMPI_OK;
}

/* One that the program has not written yet gets its size. */
static xmpi_status_t map_itself(const xmpi_array_t *array, int64_t bytes, xmpi_file_move_t *move,
                                xmpi_error_t *error)
{
    xmpi_status_t status = take_place(array, move->old, bytes, error);
    if (status == XMPI_OK)
        status = map(array, move->old, bytes, &array->row_file->mapped, error);
    return status;
}

static xmpi_status_t map_file(const xmpi_array_t *array, xmpi_block_t block, xmpi_files_t what,
                              xmpi_error_t *error)
{
    xmpi_file_move_t move;
    const xmpi_storage_t storage = {.rows = xmpi_stored_rows(array, block)};
    int64_t bytes = xmpi_storage_bytes(array, &storage);
    xmpi_status_t status = xmpi_file_move_open(array, bytes, &move, error);
    if (status == XMPI_OK)
        status = what == XMPI_FILES_COPIED ? map_copy(array, bytes, &move, error)
                                           : map_itself(array, bytes, &move, error);
    array->row_file->mapped_bytes = bytes;
    xmpi_file_move_cancel(&move);
    return status;
}

xmpi_status_t xmpi_row_files_map(const xmpi_registry_t *registry, xmpi_block_t block,
                                 xmpi_files_t what, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < registry->arrays && status == XMPI_OK; i++)
        if (registry->array[i].holds != XMPI_SLOT_POINTER)
            status = map_file(&registry->array[i], block, what, error);
    if (status != XMPI_OK)
        xmpi_row_files_unmap(registry);
    return status;
}

void xmpi_row_files_unmap(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++) {
        const xmpi_array_t *array = &registry->array[i];
        if (array->holds == XMPI_SLOT_POINTER)
            continue;
        unmap_one(array->row_file->mapped, array->row_file->mapped_bytes);
        array->row_file->mapped = NULL;
    }
}

void xmpi_row_files_go_on(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++) {
        const xmpi_array_t *array = &registry->array[i];
        if (array->holds == XMPI_SLOT_POINTER)
            continue;
        int whence = array->row_file->like.at_end ? SEEK_END : SEEK_SET;
        if (array->holds == XMPI_SLOT_STREAM)
            fseeko(stream_of(array), 0, whence);
        else
            lseek(descriptor_of(array), 0, whence);
        note(array);
    }
}

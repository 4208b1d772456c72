/* SPDX-License-Identifier: BSD-3-Clause
 * What an iteration has of the world outside its memory. */
#define _GNU_SOURCE
#include "act/check/outside.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process/own_files.h"

typedef struct xmpi_open_file {
    int fd;
    dev_t device;
    ino_t file;
    off_t at, size;
} file_t;

/* --- files ---------------------------------------------------------------------------------------
 */

/* Whether FD is a file in a folder, and not the runtime's own one. */
static bool look(int fd, const struct stat *own, file_t *file)
{
    struct stat status;
    if (fd <= STDERR_FILENO || xmpi_own_files_has(fd) || fstat(fd, &status) != 0 ||
        !S_ISREG(status.st_mode) || (status.st_dev == own->st_dev && status.st_ino == own->st_ino))
        return false;
    *file = (file_t){fd, status.st_dev, status.st_ino, lseek(fd, 0, SEEK_CUR), status.st_size};
    return true;
}

static int by_descriptor(const void *one, const void *other)
{
    return ((const file_t *)one)->fd - ((const file_t *)other)->fd;
}

static file_t *list_now(const char *own, int *n)
{
    struct stat left_out = {0};
    if (*own == '\0' || stat(own, &left_out) != 0)
        memset(&left_out, 0, sizeof left_out);
    DIR *folder = opendir("/proc/self/fd");
    file_t *list = NULL, file;
    *n = 0;
    if (folder == NULL)
        return NULL;
    bool failed = (list = malloc(sizeof *list)) == NULL;
    for (struct dirent *entry; !failed && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.' || !look(atoi(entry->d_name), &left_out, &file))
            continue;
        file_t *grown = realloc(list, ((size_t)*n + 2) * sizeof *list);
        failed = grown == NULL;
        if (!failed)
            (list = grown)[(*n)++] = file;
    }
    closedir(folder);
    if (failed) {
        free(list);
        return NULL;
    }
    qsort(list, (size_t)*n, sizeof *list, by_descriptor);
    return list;
}

/* The files that the program has open, by descriptor; malloc. NULL: no memory, or the system does
 * not tell. */
static file_t *list_files(const char *own, int *n)
{
    xmpi_own_files_none();
    file_t *files = list_now(own, n);
    xmpi_own_files_again();
    return files;
}

static void name_file(const file_t *file, const char *what, char *text, int size)
{
    char link[64], path[256];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file->fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    snprintf(text, (size_t)size, "it %s %s (descriptor %d)", what, length > 0 ? path : "a file",
             file->fd);
}

static bool is_same(const file_t *one, const file_t *other)
{
    return one->fd == other->fd && one->device == other->device && one->file == other->file;
}

static bool compare(const file_t *before, int n, const file_t *after, int m, char *text, int size)
{
    int i = 0, k = 0;
    for (; i < n && k < m; i++, k++) {
        bool opened = after[k].fd < before[i].fd || !is_same(&before[i], &after[k]);
        if (before[i].fd < after[k].fd)
            return snprintf(text, (size_t)size, "it closes the descriptor %d", before[i].fd) > 0;
        if (opened)
            return name_file(&after[k], "opens", text, size), true;
        if (before[i].size != after[k].size)
            return name_file(&after[k], "writes to", text, size), true;
        if (before[i].at != after[k].at)
            return name_file(&after[k], "reads or writes", text, size), true;
    }
    if (i < n)
        return snprintf(text, (size_t)size, "it closes the descriptor %d", before[i].fd) > 0;
    if (k < m)
        return name_file(&after[k], "opens", text, size), true;
    return false;
}

/* --- random numbers ------------------------------------------------------------------------------
 */

/* The library writes where it stands into the first word of the state as it turns to another, and
 * with it the type of the state, from which its length follows. */
static size_t state_bytes(const int32_t *state)
{
    static const size_t words[] = {2, 8, 16, 32, 64};
    size_t types = sizeof words / sizeof *words;
    return *state < 0 ? 0 : sizeof(int32_t) * words[(size_t)*state % types];
}

/* While the library has a state of ours the program's own can be read and written. */
static void with_state(char *copy, bool write)
{
    char ours[32];
    char *state = initstate(1, ours, sizeof ours);
    if (write && state != NULL)
        memcpy(state, copy, state_bytes((const int32_t *)(const void *)copy));
    else if (state != NULL)
        memcpy(copy, state, state_bytes((const int32_t *)(const void *)state));
    if (state != NULL)
        setstate(state);
}

static void note_random48(unsigned short *state)
{
    unsigned short none[3] = {0}, *former = seed48(none);
    memcpy(state, former, 3 * sizeof *state);
    unsigned short again[3];
    memcpy(again, state, sizeof again);
    seed48(again);
}

/* --- both ----------------------------------------------------------------------------------------
 */

xmpi_status_t xmpi_outside_note(const char *own, xmpi_outside_t *outside)
{
    fflush(NULL);
    xmpi_outside_free(outside);
    outside->own = own;
    outside->file = list_files(own, &outside->files);
    with_state(outside->random, false);
    note_random48(outside->random48);
    return outside->file != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
}

bool xmpi_outside_changed(const xmpi_outside_t *outside, char *text, int size)
{
    int n = 0;
    fflush(NULL);
    file_t *now = list_files(outside->own, &n);
    if (now == NULL)
        return snprintf(text, (size_t)size, "the open files cannot be listed") > 0;
    bool changed = compare(outside->file, outside->files, now, n, text, size);
    free(now);
    return changed;
}

void xmpi_outside_rewind(const xmpi_outside_t *outside)
{
    unsigned short again[3];
    char random[sizeof outside->random];
    memcpy(random, outside->random, sizeof random);
    with_state(random, true);
    memcpy(again, outside->random48, sizeof again);
    seed48(again);
}

void xmpi_outside_free(xmpi_outside_t *outside)
{
    free(outside->file);
    memset(outside, 0, sizeof *outside);
}

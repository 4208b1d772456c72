/* SPDX-License-Identifier: BSD-3-Clause
 * Notes the files that are read on the way to a loop. The notes are the program's: one that starts
 * over makes them again, one that is put aside keeps them. */
#define _GNU_SOURCE
#include "image/calls/reads.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "act/image/image.h"
#include "image/memory/lock.h"
#include "image/memory/memory.h"

int __real_open(const char *path, int flags, ...) __attribute__((weak));
ssize_t __real_read(int fd, void *data, size_t size);
int __real_close(int fd);

/* Up to so many bytes are compared by what they are, others by their dates. A date that is not so
 * old yet tells nothing: the file may change without getting another one. */
enum { DIGESTED = 1 << 20, YOUNG = 50000000, NAMES = 256 };

typedef enum { ABSENT, FILE_THERE, OTHER } kind_t;

/* What a path led to. */
typedef struct {
    kind_t kind;
    dev_t device;
    ino_t inode;
    int64_t size, written, changed; /* ns since 1970 */
    bool young, digested;
    uint64_t digest;
} look_t;

typedef struct {
    char *path; /* as it was asked for, from the root on: links in it may lead elsewhere later */
    bool read;
    look_t look;
} note_t;

/* The program's. */
static bool on, failed; /* not all could be noted */
static int lock;
static note_t *note;
static int notes, room;
static struct {
    char name[NAMES];
    int notes; /* that were there when the program came to it first */
} * loop;
static int loops;

void xmpi_reads_begin(void)
{
    on = true;
}

/* --- what a path leads to -----------------------------------------------------------------------
 */

static int64_t nanoseconds(const struct timespec *time)
{
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static uint64_t mix(uint64_t digest, uint64_t word)
{
    digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

/* Of what is in the file, of which that must be as much as it says (those of /proc do not). */
static bool digest_of(const char *path, look_t *look)
{
    uint64_t word[512];
    int64_t size = 0;
    int fd = __real_open(path, O_RDONLY | O_CLOEXEC);
    look->digest = 0;
    for (ssize_t n = 1; fd >= 0 && n > 0;) {
        memset(word, 0, sizeof word);
        size_t full = 0;
        while (full < sizeof word &&
               (n = __real_read(fd, (char *)word + full, sizeof word - full)) > 0)
            full += (size_t)n;
        for (size_t i = 0; i * sizeof *word < full; i++)
            look->digest = mix(look->digest, word[i]);
        size += (int64_t)full;
    }
    if (fd >= 0)
        __real_close(fd);
    look->digested = fd >= 0 && size == look->size;
    return look->digested || fd < 0;
}

static bool is_null_device(const struct stat *status)
{
    return S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3);
}

/* BY_CONTENT where it is small enough. */
static look_t look_at(const char *path, bool by_content)
{
    struct stat status;
    struct timespec now;
    if (stat(path, &status) != 0)
        return (look_t){.kind = errno == ENOENT || errno == ENOTDIR ? ABSENT : OTHER};
    const bool null = is_null_device(&status);
    look_t look = {.kind = S_ISREG(status.st_mode) || null ? FILE_THERE : OTHER,
                   .device = status.st_dev,
                   .inode = null ? 0 : status.st_ino,
                   .size = null ? 0 : (int64_t)status.st_size,
                   .written = null ? 0 : nanoseconds(&status.st_mtim),
                   .changed = null ? 0 : nanoseconds(&status.st_ctim)};
    clock_gettime(CLOCK_REALTIME, &now);
    look.young = !null && nanoseconds(&now) - look.changed < YOUNG;
    if (by_content && look.kind == FILE_THERE && !null && look.size <= DIGESTED &&
        !digest_of(path, &look))
        look.kind = OTHER;
    return look;
}

static bool same_dates(const look_t *one, const look_t *other)
{
    return one->device == other->device && one->inode == other->inode && one->size == other->size &&
           one->written == other->written && one->changed == other->changed;
}

static bool same(const look_t *one, const look_t *other)
{
    if (one->kind != other->kind || one->kind == ABSENT)
        return one->kind == other->kind;
    if (one->digested && other->digested)
        return one->size == other->size && one->digest == other->digest;
    return same_dates(one, other) && !one->young;
}

/* --- noting -------------------------------------------------------------------------------------
 */

/* What is too much to be looked at has a date that tells something when this returns. (Once, on the
 * way to the first loop: iterations do not wait for it.) */
static look_t settled_look(const char *path)
{
    const struct timespec pause = {.tv_nsec = YOUNG};
    const look_t look = look_at(path, true);
    if (look.kind != FILE_THERE || look.digested || !look.young)
        return look;
    nanosleep(&pause, NULL);
    return look_at(path, true);
}

/* Malloc; NULL: no memory. */
static char *from_root(const char *path)
{
    char whole[2 * PATH_MAX];
    if (path[0] == '/' || getcwd(whole, PATH_MAX) == NULL)
        return __wrap_strdup(path);
    size_t n = strlen(whole);
    snprintf(whole + n, sizeof whole - n, "/%s", path);
    return __wrap_strdup(whole);
}

/* The first of those that belong to no loop that the program has come to. */
static int first_open(void)
{
    return loops > 0 ? loop[loops - 1].notes : 0;
}

static note_t *grow(void)
{
    if (notes == XMPI_READS_MAX)
        return NULL;
    if (notes == room) {
        int more = room > 0 ? 2 * room : 16;
        note_t *grown = __wrap_realloc(note, (size_t)more * sizeof *note);
        if (grown == NULL)
            return NULL;
        note = grown;
        room = more;
    }
    note[notes].path = NULL;
    return &note[notes++];
}

/* Where PATH and LOOK go: one that says the same, one of the same path that iterations have made,
 * or another one. */
static note_t *place_for(const char *path, const look_t *look)
{
    for (int i = 0; i < notes; i++)
        if (strcmp(note[i].path, path) == 0 && (i >= first_open() || same(&note[i].look, look)))
            return &note[i];
    return grow();
}

static int add(char *path, bool reads, const look_t *look)
{
    note_t *at = path != NULL ? place_for(path, look) : NULL;
    if (at == NULL) {
        failed = true;
        __wrap_free(path);
        return 0;
    }
    const bool before = at->path != NULL && at->read && same(&at->look, look);
    __wrap_free(at->path);
    *at = (note_t){.path = path, .read = reads || before, .look = *look};
    return (int)(at - note) + 1;
}

int xmpi_reads_note(const char *path, bool reads)
{
    int error = errno;
    if (!on || path == NULL)
        return 0;
    char *whole = from_root(path);
    const look_t look = loops == 0 ? settled_look(path) : look_at(path, false);
    xmpi_lock(&lock);
    int number = add(whole, reads, &look);
    xmpi_unlock(&lock);
    errno = error;
    return number;
}

void xmpi_reads_note_at(int folder, const char *path)
{
    const look_t look = {.kind = OTHER};
    if (folder == AT_FDCWD || path == NULL || path[0] == '/') {
        xmpi_reads_note(path, true);
        return;
    }
    if (!on)
        return;
    xmpi_lock(&lock);
    add(__wrap_strdup(path), true, &look);
    xmpi_unlock(&lock);
}

void xmpi_reads_use(int number)
{
    if (number > 0 && number <= notes)
        note[number - 1].read = true;
}

/* --- loops --------------------------------------------------------------------------------------
 *
 * Of a loop that the program has been at before, what has been read since is of iterations, of it
 * or around it: the start does not get there. */

static int find_loop(const char *name)
{
    int i = 0;
    while (i < loops && strncmp(loop[i].name, name, NAMES - 1) != 0)
        i++;
    return i;
}

static void forget_from(int first)
{
    while (notes > first)
        __wrap_free(note[--notes].path);
}

void xmpi_reads_at_loop(const char *name)
{
    if (!on)
        return;
    xmpi_lock(&lock);
    if (find_loop(name) < loops) {
        forget_from(first_open());
    } else {
        void *grown = __wrap_realloc(loop, (size_t)(loops + 1) * sizeof *loop);
        failed = failed || grown == NULL;
        if (grown != NULL) {
            loop = grown;
            snprintf(loop[loops].name, NAMES, "%s", name);
            loop[loops++].notes = notes;
        }
    }
    xmpi_unlock(&lock);
}

/* How many of the notes are of the start to LOOP. */
static int notes_of(const char *name)
{
    int at = find_loop(name);
    return at < loops ? loop[at].notes : 0;
}

static uint64_t print_of(const look_t *look)
{
    uint64_t print = mix((uint64_t)look->kind, (uint64_t)look->size);
    if (look->kind == ABSENT)
        return 0;
    if (look->digested)
        return mix(print, look->digest);
    print = mix(print, (uint64_t)look->inode);
    return mix(mix(print, (uint64_t)look->written), (uint64_t)look->changed);
}

size_t xmpi_reads_list(const char *name, xmpi_read_t *list, size_t most)
{
    size_t n = 0;
    for (int i = 0; i < notes_of(name) && n < most; i++)
        if (note[i].read) {
            list[n].print = print_of(&note[i].look);
            snprintf(list[n++].path, XMPI_FILE_PATH_MAX, "%s", note[i].path);
        }
    return n;
}

/* Dates that are the same and old enough tell it; else what is in the file. */
static bool is_as_noted(note_t *one)
{
    look_t now = look_at(one->path, false);
    look_t *then = &one->look;
    if (now.kind == then->kind && (now.kind == ABSENT || (same_dates(&now, then) && !then->young)))
        return true;
    now = look_at(one->path, true);
    if (!same(then, &now))
        return false;
    *then = now;
    return true;
}

static const char *what_is_wrong(note_t *one)
{
    if (one->look.kind == OTHER)
        return "is no file that stays as it is";
    if (is_as_noted(one))
        return NULL;
    if (one->look.kind == ABSENT)
        return "was not there then";
    return one->look.young && !one->look.digested ? "had just been written" : "has changed since";
}

void xmpi_reads_changed(const char *name, char *why)
{
    if (failed)
        snprintf(why, XMPI_IMAGE_WHY_MAX, "its start has read too many files to remember");
    for (int i = 0; i < notes_of(name) && why[0] == '\0'; i++) {
        const char *wrong = note[i].read ? what_is_wrong(&note[i]) : NULL;
        if (wrong != NULL)
            snprintf(why, XMPI_IMAGE_WHY_MAX, "its start has read %.80s, which %s", note[i].path,
                     wrong);
    }
}

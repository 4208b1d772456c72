/* SPDX-License-Identifier: BSD-3-Clause
 * The files that a program writes, kept apart between its runs. */
#define _GNU_SOURCE
#include "run/check/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/tool.h"

enum { DEPTH_MAX = 6, SEEN_MAX = 20000 };

/* --- copies ------------------------------------------------------------------------------------
 */

static void name_copy(const files_t *files, const char *what, int i, char *path)
{
    snprintf(path, TOOL_PATH_MAX, "%s/%s.%d", files->store, what, i);
}

static bool copy_all(int from, int to)
{
    char text[1 << 16];
    ssize_t got;
    while ((got = read(from, text, sizeof text)) > 0)
        for (ssize_t done = 0, n; done < got; done += n)
            if ((n = write(to, text + done, (size_t)(got - done))) < 0)
                return false;
    return got == 0;
}

/* Whether there is a FROM. COPIED: its contents are in TO, else errno is set. */
static bool copy(const char *from, const char *to, bool *copied)
{
    struct stat status;
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return false;
    fstat(in, &status);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, status.st_mode & 0777);
    *copied = out >= 0 && copy_all(in, out);
    int failure = errno;
    close(in);
    if (out >= 0)
        close(out);
    errno = failure;
    return true;
}

/* Whether there is a FROM; where our folder has no room for it that ends the program. */
static bool keep_copy(const char *from, const char *to)
{
    bool copied = true, found = copy(from, to, &copied);
    if (!copied)
        tool_misuse("%s: %s: see TMPDIR", to, strerror(errno));
    return found;
}

/* What cannot be put back stays in our folder. */
static void put_back(files_t *files, const char *kept, const char *name)
{
    bool copied = true;
    copy(kept, name, &copied);
    files->stay = !copied;
    if (!copied)
        tool_misuse("%s: %s: what was in it is in %s", name, strerror(errno), kept);
}

/* The contents of PATH, one 0 behind them; NULL: there is none. malloc. */
static char *read_all(const char *path, size_t *length)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    *length = 0;
    if (file < 0)
        return NULL;
    fstat(file, &status);
    char *contents = calloc((size_t)status.st_size + 1, 1);
    if (contents == NULL)
        tool_misuse("%s: no memory to compare it", path);
    ssize_t got;
    while (*length < (size_t)status.st_size &&
           (got = read(file, contents + *length, (size_t)status.st_size - *length)) > 0)
        *length += (size_t)got;
    close(file);
    return contents;
}

/* --- the working folder ------------------------------------------------------------------------
 */

static void add_seen(files_t *files, const char *path, const struct stat *status)
{
    if (files->seens == SEEN_MAX) {
        files->too_many = true;
        return;
    }
    if (files->seen == NULL)
        files->seen = calloc(SEEN_MAX, sizeof *files->seen);
    seen_t seen = {.name = strdup(path),
                   .time = status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec,
                   .size = status->st_size,
                   .node = (int64_t)status->st_ino};
    if (files->seen == NULL || seen.name == NULL)
        tool_misuse("no memory for a list of files");
    files->seen[files->seens++] = seen;
}

static bool is_ours(const char *name)
{
    return strncmp(name, "xmpi-check-", 11) == 0 || strcmp(name, "xmpi-check.schedule") == 0;
}

/* Not hidden folders, nor ours. */
static void scan(files_t *files, const char *folder, int depth)
{
    char path[TOOL_PATH_MAX];
    struct stat status;
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] == '.' || is_ours(entry->d_name))
            continue;
        int length = strcmp(folder, ".") == 0
                         ? snprintf(path, sizeof path, "%s", entry->d_name)
                         : snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length >= (int)sizeof path || lstat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode) && depth < DEPTH_MAX)
            scan(files, path, depth + 1);
        else if (S_ISREG(status.st_mode))
            add_seen(files, path, &status);
    }
    if (entries != NULL)
        closedir(entries);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const seen_t *)a)->name, ((const seen_t *)b)->name);
}

static void look(files_t *files)
{
    scan(files, ".", 0);
    if (files->seens > 0)
        qsort(files->seen, (size_t)files->seens, sizeof *files->seen, by_name);
}

static void forget(files_t *files)
{
    for (int i = 0; i < files->seens; i++)
        free(files->seen[i].name);
    free(files->seen);
    files->seen = NULL;
    files->seens = 0;
}

static void add_file(files_t *files, const char *name, size_t length, bool was_there)
{
    file_t *file = realloc(files->file, (size_t)(files->files + 1) * sizeof *file);
    if (file == NULL)
        tool_misuse("no memory for a list of files");
    files->file = file;
    file[files->files] = (file_t){.name = strndup(name, length), .was_there = was_there};
    if (file[files->files++].name == NULL)
        tool_misuse("no memory for a list of files");
}

/* Whether the process PID has the file open. */
static bool has_open(const char *pid, const struct stat *file)
{
    char path[TOOL_PATH_MAX];
    struct stat status;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && !found && (entry = readdir(folder)) != NULL;)
        found = fstatat(dirfd(folder), entry->d_name, &status, 0) == 0 &&
                status.st_dev == file->st_dev && status.st_ino == file->st_ino;
    if (folder != NULL)
        closedir(folder);
    return found;
}

/* Whether anybody has it open though the program is over: what we say goes there, or it is another
 * one's. */
static bool is_open(const char *name)
{
    struct stat file;
    bool found = false;
    DIR *folder = stat(name, &file) == 0 ? opendir("/proc") : NULL;
    for (struct dirent *entry; folder != NULL && !found && (entry = readdir(folder)) != NULL;)
        found =
            entry->d_name[0] >= '0' && entry->d_name[0] <= '9' && has_open(entry->d_name, &file);
    if (folder != NULL)
        closedir(folder);
    return found;
}

static const seen_t *find_seen(const files_t *files, const seen_t *one)
{
    return files->seens > 0
               ? bsearch(one, files->seen, (size_t)files->seens, sizeof *files->seen, by_name)
               : NULL;
}

/* Those that are others than BEFORE. */
static void add_changed(files_t *files, const files_t *before)
{
    for (int i = 0; i < files->seens; i++) {
        const seen_t *now = &files->seen[i];
        const seen_t *old = find_seen(before, now);
        bool changed = old == NULL || old->time != now->time || old->size != now->size ||
                       old->node != now->node;
        if (changed && !is_open(now->name))
            add_file(files, now->name, strlen(now->name), old != NULL);
    }
}

/* --- the runs ----------------------------------------------------------------------------------
 */

void files_open(files_t *files, const char *names, const char *store)
{
    char path[TOOL_PATH_MAX];
    *files = (files_t){.store = store, .named = names != NULL};
    if (names == NULL)
        look(files);
    while (names != NULL && *names != '\0') {
        size_t length = strcspn(names, ",");
        if (length > 0)
            add_file(files, names, length, false);
        names += length + (names[length] == ',');
    }
    for (int i = 0; i < files->files; i++) {
        name_copy(files, "before", i, path);
        files->file[i].was_there = keep_copy(files->file[i].name, path);
    }
}

static int keep(const files_t *files, int i)
{
    char path[TOOL_PATH_MAX];
    file_t *file = &files->file[i];
    name_copy(files, "written", i, path);
    if (!keep_copy(file->name, path))
        return tool_complain("%s: the program has not written it", file->name);
    file->contents = read_all(path, &file->length);
    file->is_text = bytes_are_text(file->contents, file->length);
    if (file->is_text)
        file->text = text_read(file->contents);
    return TOOL_OK;
}

int files_keep(files_t *files)
{
    files_t before = *files;
    if (!files->named) {
        files->seen = NULL;
        files->seens = 0;
        look(files);
        add_changed(files, &before);
        forget(&before);
    }
    int status = TOOL_OK;
    for (int i = 0; i < files->files && status == TOOL_OK; i++)
        status = keep(files, i);
    return status;
}

void files_restore(files_t *files)
{
    char path[TOOL_PATH_MAX];
    for (int i = 0; i < files->files; i++) {
        const file_t *file = &files->file[i];
        name_copy(files, "before", i, path);
        if (!file->was_there)
            unlink(file->name);
        else if (files->named)
            put_back(files, path, file->name);
    }
}

static bool is_listed(const files_t *files, const char *name)
{
    for (int i = 0; i < files->files; i++)
        if (strcmp(files->file[i].name, name) == 0)
            return true;
    return false;
}

/* Files that there were not after the first run. Each is kept, as it may be another one's. */
static void add_more(files_t *files)
{
    files_t now = {0};
    look(&now);
    for (int i = 0; i < now.seens; i++) {
        const char *name = now.seen[i].name;
        if (find_seen(files, &now.seen[i]) != NULL || is_listed(files, name) || is_open(name))
            continue;
        add_file(files, name, strlen(name), false);
        files->file[files->files - 1].more = true;
        keep(files, files->files - 1);
    }
    forget(&now);
}

static comparison_t compare(const file_t *file, double tolerance)
{
    size_t length;
    comparison_t result = {DIFFERENT, false, 0, "is not written"};
    char *contents = read_all(file->name, &length);
    if (file->more) {
        result = (comparison_t){contents != NULL ? DIFFERENT : SAME, false, 0, ""};
        if (contents != NULL)
            snprintf(result.text, sizeof result.text,
                     "is written, and is not by the program as it is");
        free(contents);
        return result;
    }
    if (contents != NULL && file->is_text && bytes_are_text(contents, length))
        result = text_compare(&file->text, contents, tolerance);
    else if (contents != NULL)
        result =
            bytes_compare(file->contents, file->length, contents, length, tolerance, file->spread);
    free(contents);
    return result;
}

void files_steady(files_t *files, double tolerance)
{
    for (int i = 0; i < files->files; i++) {
        file_t *file = &files->file[i];
        size_t length;
        char *contents = read_all(file->name, &length);
        if (file->more) {
            file->varies |= contents != NULL;
            files->others |= contents != NULL;
        } else if (contents != NULL && file->is_text && bytes_are_text(contents, length))
            file->varies = file->varies || !text_steady(&file->text, contents, tolerance);
        else
            file->varies = file->varies || compare(file, tolerance).sameness == DIFFERENT;
        free(contents);
    }
}

void files_note_rows(files_t *files, const char *path)
{
    char whole[PATH_MAX];
    for (int i = 0; i < files->files; i++) {
        file_t *file = &files->file[i];
        file->rows =
            file->rows || (realpath(file->name, whole) != NULL && strcmp(whole, path) == 0);
    }
}

void files_spread(files_t *files)
{
    for (int i = 0; i < files->files; i++) {
        file_t *file = &files->file[i];
        size_t length;
        char *contents = read_all(file->name, &length);
        if (contents != NULL && file->is_text && bytes_are_text(contents, length))
            text_spread(&file->text, contents);
        else if (contents != NULL)
            file->spread =
                fmax(file->spread, bytes_spread(file->contents, file->length, contents, length));
        free(contents);
    }
}

comparison_t files_compare(files_t *files, double tolerance)
{
    comparison_t worst = {SAME, false, 0, ""};
    int compared = 0;
    if (!files->named && !files->others)
        add_more(files);
    for (int i = 0; i < files->files; i++) {
        const file_t *file = &files->file[i];
        if (file->varies || file->rows)
            continue;
        comparison_t one = compare(file, tolerance);
        compared++;
        if (one.sameness < worst.sameness || (one.sameness == SAME && !one.reordered))
            continue;
        worst = one;
        snprintf(worst.text, sizeof worst.text, "%.80s%s%.300s", file->name,
                 one.text[0] != '\0' ? ": " : "", one.text);
    }
    if (compared == 0)
        worst.sameness = UNCOMPARED;
    return worst;
}

void files_close(files_t *files)
{
    char path[TOOL_PATH_MAX];
    for (int i = 0; i < files->files; i++) {
        file_t *file = &files->file[i];
        name_copy(files, "written", i, path);
        if (file->contents != NULL)
            put_back(files, path, file->name);
        text_free(&file->text);
        free(file->contents);
        free(file->name);
    }
    free(files->file);
    forget(files);
}

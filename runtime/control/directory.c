/* SPDX-License-Identifier: BSD-3-Clause
 * The directory of a user's jobs on all nodes. */
#define _GNU_SOURCE
#include "control/directory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* It is handed to a remote shell, and must not look like an option or more than a word. */
static bool is_host(const char *text)
{
    if (!isalnum((unsigned char)text[0]))
        return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && strchr(".-_", *text) == NULL)
            return false;
    return true;
}

bool xmpi_directory_self(const char *socket, const char *program, xmpi_entry_t *entry)
{
    memset(entry, 0, sizeof *entry);
    entry->pid = (long)getpid();
    snprintf(entry->socket, sizeof entry->socket, "%s", socket);
    snprintf(entry->program, sizeof entry->program, "%.60s", program);
    return gethostname(entry->host, sizeof entry->host - 1) == 0 && is_host(entry->host);
}

xmpi_status_t xmpi_directory_check(const char *folder, xmpi_error_t *error)
{
    struct stat file;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "XMPI_JOBS: %s: %s", folder, strerror(errno));
    if (stat(folder, &file) != 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "XMPI_JOBS: %s: %s", folder, strerror(errno));
    if (!S_ISDIR(file.st_mode) || file.st_uid != geteuid() || (file.st_mode & 022) != 0)
        return xmpi_error_set(
            error, XMPI_ERR_INPUT,
            "XMPI_JOBS: %s: not a folder of yours that nobody else can write into", folder);
    return XMPI_OK;
}

/* Two leaders never write at the same time, but an old and a new one may look alike. */
xmpi_status_t xmpi_directory_put(const char *path, const xmpi_entry_t *entry, xmpi_error_t *error)
{
    char made[PATH_ROOM];
    if (snprintf(made, sizeof made, "%s.%ld", path, entry->pid) >= (int)sizeof made)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "XMPI_JOBS: %.200s: too long", path);
    int fd = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool written = fd >= 0 && dprintf(fd, "%s\n%ld\n%s\n%s\n", entry->host, entry->pid,
                                      entry->socket, entry->program) > 0;
    if (fd >= 0)
        close(fd);
    if (written && rename(made, path) == 0)
        return XMPI_OK;
    int why = errno;
    unlink(made);
    return xmpi_error_set(error, XMPI_ERR_INPUT, "XMPI_JOBS: %.200s: %s", path, strerror(why));
}

/* A line without its end; false where there is none, or it is too long. */
static bool take_line(FILE *file, char *text, size_t room)
{
    if (fgets(text, (int)room, file) == NULL)
        return false;
    size_t length = strcspn(text, "\n");
    bool whole = text[length] == '\n';
    text[length] = '\0';
    return whole;
}

bool xmpi_directory_get(const char *path, xmpi_entry_t *entry)
{
    struct stat status;
    char pid[32];
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    memset(entry, 0, sizeof *entry);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (file == NULL) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    bool good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                (status.st_mode & 022) == 0 && take_line(file, entry->host, sizeof entry->host) &&
                is_host(entry->host) && take_line(file, pid, sizeof pid) &&
                (entry->pid = atol(pid)) > 0 &&
                take_line(file, entry->socket, sizeof entry->socket) && entry->socket[0] == '/' &&
                take_line(file, entry->program, sizeof entry->program);
    fclose(file);
    return good;
}

void xmpi_directory_remove(const char *path, const xmpi_entry_t *entry)
{
    xmpi_entry_t now;
    if (xmpi_directory_get(path, &now) && now.pid == entry->pid &&
        strcmp(now.host, entry->host) == 0)
        unlink(path);
}

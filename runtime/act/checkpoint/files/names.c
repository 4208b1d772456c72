/* SPDX-License-Identifier: BSD-3-Clause
 * Names of sets and their files. */
#define _GNU_SOURCE
#include "act/checkpoint/files/names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process/own_files.h"

const char xmpi_set_whole[] = "whole";
static const char prefix[] = "set-";

void xmpi_set_path(const char *folder, int64_t set, char *path)
{
    snprintf(path, XMPI_CHECKPOINT_PATH, "%s/%s%09" PRId64, folder, prefix, set);
}

void xmpi_set_part_path(const char *folder, int64_t set, int part, char *path)
{
    snprintf(path, XMPI_CHECKPOINT_PATH, "%s/%s%09" PRId64 "/part-%06d", folder, prefix, set, part);
}

/* The number in a name; 0: it is none of ours. */
static int64_t number_of(const char *name)
{
    char *end;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return 0;
    const char *digits = name + sizeof prefix - 1;
    int64_t number = strtoll(digits, &end, 10);
    return strlen(digits) >= 9 && *end == '\0' && number > 0 ? number : 0;
}

int64_t xmpi_set_before(const char *folder, int64_t before)
{
    int64_t newest = 0;
    xmpi_own_files_begin();
    DIR *all = opendir(folder);
    for (const struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
        int64_t number = number_of(entry->d_name);
        if (number < before && number > newest)
            newest = number;
    }
    if (all != NULL)
        closedir(all);
    xmpi_own_files_end();
    return newest;
}

int xmpi_set_unreadable(const char *folder)
{
    xmpi_own_files_begin();
    DIR *all = opendir(folder);
    int why = all != NULL || errno == ENOENT ? 0 : errno;
    if (all != NULL)
        closedir(all);
    xmpi_own_files_end();
    return why;
}

bool xmpi_set_is_there(const char *folder, int64_t set, int parts)
{
    char path[XMPI_CHECKPOINT_PATH];
    bool there = parts > 0;
    for (int i = 0; i < parts && there; i++) {
        xmpi_set_part_path(folder, set, i, path);
        there = access(path, R_OK) == 0;
    }
    return there;
}

static void mark_path(const char *folder, int64_t set, char *path)
{
    snprintf(path, XMPI_CHECKPOINT_PATH, "%s/%s%09" PRId64 "/%s", folder, prefix, set,
             xmpi_set_whole);
}

void xmpi_set_mark(const char *folder, int64_t set)
{
    char path[XMPI_CHECKPOINT_PATH];
    mark_path(folder, set, path);
    xmpi_own_files_begin();
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    xmpi_own_files_end();
}

bool xmpi_set_is_marked(const char *folder, int64_t set)
{
    char path[XMPI_CHECKPOINT_PATH];
    mark_path(folder, set, path);
    return access(path, F_OK) == 0;
}

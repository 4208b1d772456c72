/* SPDX-License-Identifier: BSD-3-Clause
 * Marks in the folder of checkpoints. */
#define _GNU_SOURCE
#include "act/checkpoint/ended.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "act/checkpoint/files/names.h"

static void mark(const char *folder, const char *name)
{
    char path[XMPI_CHECKPOINT_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
}

static void clear(const char *folder, const char *name)
{
    char path[XMPI_CHECKPOINT_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static bool is_there(const char *folder, const char *name)
{
    char path[XMPI_CHECKPOINT_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

void xmpi_ended_mark(const char *folder)
{
    mark(folder, "ended");
}

void xmpi_ended_clear(const char *folder)
{
    clear(folder, "ended");
}

bool xmpi_ended_is(const char *folder)
{
    return is_there(folder, "ended");
}

void xmpi_none_mark(const char *folder, bool none)
{
    if (none)
        mark(folder, "none");
    else
        clear(folder, "none");
}

bool xmpi_none_is(const char *folder)
{
    return is_there(folder, "none");
}

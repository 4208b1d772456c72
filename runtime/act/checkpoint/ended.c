/* SPDX-License-Identifier: BSD-3-Clause
 * The mark of a program that has ended itself. */
#define _GNU_SOURCE
#include "act/checkpoint/ended.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "act/checkpoint/names.h"

static void name(const char *folder, char *path)
{
    snprintf(path, XMPI_CHECKPOINT_PATH, "%s/ended", folder);
}

void xmpi_ended_mark(const char *folder)
{
    char path[XMPI_CHECKPOINT_PATH];
    name(folder, path);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
}

void xmpi_ended_clear(const char *folder)
{
    char path[XMPI_CHECKPOINT_PATH];
    name(folder, path);
    unlink(path);
}

bool xmpi_ended_is(const char *folder)
{
    char path[XMPI_CHECKPOINT_PATH];
    name(folder, path);
    return access(path, F_OK) == 0;
}

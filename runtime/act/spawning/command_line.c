/* SPDX-License-Identifier: BSD-3-Clause
 * How this process was started. */
#define _GNU_SOURCE
#include "act/spawning/command_line.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/spawning/given.h"

/* How it was before main. */
static struct {
    char **argument; /* with the name; NULL: not noted */
    char folder[PATH_MAX];
    unsigned mask;
} start;

static unsigned mask_now(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return (unsigned)mask;
}

void xmpi_command_line_note(int argc, char **argv)
{
    char **copy = calloc((size_t)argc + 1, sizeof *copy);
    for (int i = 0; i < argc && copy != NULL; i++)
        copy[i] = strdup(argv[i]); /* programs write into theirs */
    start.argument = copy;
    start.mask = mask_now();
    if (getcwd(start.folder, sizeof start.folder) == NULL)
        start.folder[0] = '\0';
}

xmpi_status_t xmpi_command_line_read(xmpi_command_line_t *command, xmpi_error_t *error)
{
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || start.argument == NULL || start.argument[0] == NULL)
        return xmpi_error_set(
            error, XMPI_ERR_PROCESS,
            "how this process was started is not known: no /proc, or no arguments");
    path[length] = '\0';
    *command = (xmpi_command_line_t){.program = path,
                                     .name = start.argument[0],
                                     .argument = start.argument + 1,
                                     .variable = xmpi_given_variables(),
                                     .folder = start.folder,
                                     .mask = start.mask};
    return XMPI_OK;
}

void xmpi_command_line_make(const char *program, char **argument, xmpi_command_line_t *command)
{
    static char folder[PATH_MAX];
    if (getcwd(folder, sizeof folder) == NULL)
        folder[0] = '\0';
    *command = (xmpi_command_line_t){.program = (char *)(uintptr_t)program,
                                     .argument = argument,
                                     .variable = xmpi_given_variables(),
                                     .folder = folder,
                                     .mask = mask_now()};
}

static bool can_execute(const char *folder, int length, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%.*s/%s", length, folder, name) < (int)sizeof path &&
           access(path, X_OK) == 0;
}

bool xmpi_command_line_exists(const char *program)
{
    if (strchr(program, '/') != NULL)
        return access(program, X_OK) == 0;
    for (const char *path = getenv("PATH"); path != NULL && *path != '\0';) {
        size_t length = strcspn(path, ":");
        if (can_execute(length > 0 ? path : ".", length > 0 ? (int)length : 1, program))
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of this process. */
#define _GNU_SOURCE
#include "act/command_line.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, got = 1;
    *size = 0;
    while (file != NULL && got > 0) {
        if (*size + 4096 + 2 > room) {
            char *grown = realloc(text, room = 2 * room + 8192);
            if (grown == NULL)
                break;
            text = grown;
        }
        got = fread(text + *size, 1, 4096, file);
        *size += got;
    }
    if (file != NULL)
        fclose(file);
    if (text != NULL)
        text[*size] = '\0';
    return text;
}

/* The arguments stand behind one another, each with its NUL; the first is the program's name. */
static char **split_arguments(char *text, size_t size)
{
    int n = 0;
    for (size_t i = 0; i < size; i++)
        n += text[i] == '\0';
    char **argument = calloc((size_t)n + 2, sizeof *argument);
    if (argument == NULL || size == 0)
        return argument;
    char *at = text + strlen(text) + 1;
    for (int i = 0; at < text + size; at += strlen(at) + 1)
        argument[i++] = at;
    return argument;
}

xmpi_status_t xmpi_command_line_read(xmpi_command_line_t *command, xmpi_error_t *error)
{
    size_t size = 0;
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    memset(command, 0, sizeof *command);
    command->program = length > 0 ? strndup(path, (size_t)length) : NULL;
    command->text = read_all("/proc/self/cmdline", &size);
    command->argument = command->text != NULL ? split_arguments(command->text, size) : NULL;
    if (command->program != NULL && command->argument != NULL)
        return XMPI_OK;
    xmpi_command_line_free(command);
    return xmpi_error_set(error, XMPI_ERR_PROCESS,
                          "the command line of this process cannot be read from /proc");
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

void xmpi_command_line_free(xmpi_command_line_t *command)
{
    free(command->program);
    free(command->argument);
    free(command->text);
    memset(command, 0, sizeof *command);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * A machine file with memory and disks. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/calibrate.h"
#include "tool/tool.h"

/* The fields of a line before those that are measured. */
enum { BEFORE = 5 };

/* As the machine file has them: MiB, MB per second, milliseconds. */
static void print_disk(const node_disk_t *disk)
{
    printf(":%.0f:%.4g:%.4g\n", disk->memory / 1048576, disk->bandwidth / 1e6, disk->latency * 1e3);
}

static const node_disk_t *find(const node_disk_t *disk, int n, const char *line)
{
    size_t length = strcspn(line, ":");
    for (int i = 0; i < n; i++)
        if (strlen(disk[i].node) == length && strncmp(disk[i].node, line, length) == 0)
            return &disk[i];
    return NULL;
}

/* The first fields of LINE as they are, with the colons of those that it has not. */
static void print_before(const char *line)
{
    int fields = 1;
    for (; *line != '\0' && (*line != ':' || fields < BEFORE); line++) {
        fields += *line == ':';
        putchar(*line);
    }
    for (; fields < BEFORE; fields++)
        putchar(':');
}

/* A line without a comment, and without blanks at its ends. */
static char *strip(char *line)
{
    line[strcspn(line, "#\n")] = '\0';
    line += strspn(line, " \t");
    for (char *end = line + strlen(line); end > line && strchr(" \t\r", end[-1]) != NULL;)
        *--end = '\0';
    return line;
}

int disks_print(const char *path, const node_disk_t *disk, int n, int cores)
{
    char *line = NULL;
    size_t room = 0;
    for (int i = 0; path == NULL && i < n; i++) {
        printf("%s:node:%d::", disk[i].node, cores);
        print_disk(&disk[i]);
    }
    if (path == NULL)
        return TOOL_OK;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return tool_complain("%s: %s", path, strerror(errno));
    while (getline(&line, &room, file) > 0) {
        char *text = strip(line);
        const node_disk_t *found = find(disk, n, text);
        if (found != NULL) {
            print_before(text);
            print_disk(found);
        } else if (text[0] != '\0') {
            puts(text);
        }
    }
    free(line);
    fclose(file);
    return TOOL_OK;
}

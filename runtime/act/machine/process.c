/* SPDX-License-Identifier: BSD-3-Clause
 * /proc/PID/stat: "PID (NAME) STATE PARENT ...". */
#define _GNU_SOURCE
#include "act/machine/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool xmpi_process_stat(int pid, char name[64], int *parent)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (length <= 0)
        return false;
    line[length] = '\0';
    const char *begin = strchr(line, '(');
    char *end = strrchr(line, ')');
    if (begin == NULL || end == NULL || strlen(end) < strlen(") S 1"))
        return false;
    *parent = (int)strtol(end + strlen(") S "), NULL, 10);
    *end = '\0';
    snprintf(name, 64, "%s", begin + 1);
    return true;
}

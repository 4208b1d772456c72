/* SPDX-License-Identifier: BSD-3-Clause
 * /proc/PID/stat: "PID (NAME) STATE PARENT ...". */
#include "act/machine/process.h"

#include <stdio.h>
#include <string.h>

bool xmpi_process_stat(int pid, char name[64], int *parent)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "re");
    bool read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL)
        fclose(file);
    char *open = strchr(line, '('), *close = strrchr(line, ')');
    if (!read || open == NULL || close == NULL || sscanf(close, ") %*c %d", parent) != 1)
        return false;
    *close = '\0';
    snprintf(name, 64, "%s", open + 1);
    return true;
}

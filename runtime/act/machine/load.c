/* SPDX-License-Identifier: BSD-3-Clause
 * Load of this node. */
#define _GNU_SOURCE
#include "act/machine/load.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "act/machine/cpus.h"

enum { PATH_ROOM = 2048 };

static FILE *open_stat(const char *folder, const char *node)
{
    char path[PATH_ROOM];
    FILE *file = NULL;
    if (node[0] != '\0' &&
        snprintf(path, sizeof path, "%s/%s/stat", folder, node) < (int)sizeof path)
        file = fopen(path, "re");
    if (file == NULL && snprintf(path, sizeof path, "%s/stat", folder) < (int)sizeof path)
        file = fopen(path, "re");
    return file;
}

/* Columns of a line: user, nice, system, idle, iowait, irq, softirq, steal. */
static double busy_ticks(const double *ticks)
{
    return ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
}

bool xmpi_cpu_use(const char *folder, const char *node, xmpi_cpu_use_t *use)
{
    char line[512];
    cpu_set_t mine;
    bool bound = xmpi_cpus_given(&mine);
    FILE *file = open_stat(folder, node);
    *use = (xmpi_cpu_use_t){0, 0};
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        int cpu;
        double t[8] = {0};
        if (strncmp(line, "cpu", 3) != 0 || line[3] < '0' || line[3] > '9' ||
            sscanf(line, "cpu%d %lf %lf %lf %lf %lf %lf %lf %lf", &cpu, &t[0], &t[1], &t[2], &t[3],
                   &t[4], &t[5], &t[6], &t[7]) < 5 ||
            cpu < 0 || (bound && cpu < CPU_SETSIZE && !CPU_ISSET((size_t)cpu, &mine)))
            continue;
        use->cores++;
        use->busy += busy_ticks(t) / (double)sysconf(_SC_CLK_TCK);
    }
    if (file != NULL)
        fclose(file);
    return use->cores > 0;
}

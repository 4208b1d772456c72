/* SPDX-License-Identifier: BSD-3-Clause
 * What there is of a cluster of Slurm's. */
#define _GNU_SOURCE
#include "cluster.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

bool cluster_is_partition(const char *name)
{
    if (!isalnum((unsigned char)name[0]))
        return false;
    for (; *name != '\0'; name++)
        if (!isalnum((unsigned char)*name) && strchr("._-", *name) == NULL)
            return false;
    return true;
}

/* The command line, malloc: its words are letters, digits, points and dashes, but for the program,
 * which the variable "helper" has. NULL: no memory. */
static char *command_of(const cluster_t *cluster, const claims_t *claims)
{
    char *line = NULL;
    size_t length;
    FILE *file = open_memstream(&line, &length);
    if (file == NULL)
        return NULL;
    fprintf(file, "exec 2>/dev/null \"$XMPI_SLURM_HELPER\" nodes %s", cluster->partition);
    for (int i = 0; i < claims->claims; i++)
        fprintf(file, " %s", claims->claim[i].allocation);
    return fclose(file) == 0 ? line : NULL;
}

/* Who is not named is apart. */
static void read_ours(FILE *answer, claims_t *claims)
{
    char job[32];
    for (int i = 0; i < claims->claims; i++)
        claims->claim[i].apart = true;
    while (fscanf(answer, "%31s", job) == 1)
        for (int i = 0; i < claims->claims; i++)
            if (strcmp(claims->claim[i].allocation, job) == 0)
                claims->claim[i].apart = false;
}

/* "NODES EACH OTHERS WAITING JOB...". */
static bool ask(cluster_t *cluster, const char *command, claims_t *claims)
{
    cluster_t now = *cluster;
    FILE *answer = popen(command, "re");
    bool heard =
        answer != NULL &&
        fscanf(answer, "%d %d %d %d", &now.nodes, &now.each, &now.others, &now.waiting) == 4 &&
        now.nodes > 0 && now.each > 0 && now.others >= 0 && now.waiting >= 0;
    if (heard)
        read_ours(answer, claims);
    if (answer == NULL || pclose(answer) != 0 || !heard)
        return false;
    *cluster = now;
    return true;
}

bool cluster_look(cluster_t *cluster, claims_t *claims)
{
    char helper[TOOL_PATH_MAX];
    if (tool_installed("lib/xmpi", "xmpi-slurm", helper) != TOOL_OK)
        return false;
    setenv("XMPI_SLURM_HELPER", helper, 1);
    char *command = command_of(cluster, claims);
    bool heard = command != NULL && ask(cluster, command, claims);
    free(command);
    if (!heard && cluster->nodes == 0)
        tool_complain("Slurm does not answer, or has no node in a partition %s (sinfo, squeue)",
                      cluster->partition);
    else if (!heard && !cluster->silent)
        tool_complain("Slurm says nothing of the partition %s; what was known of it holds",
                      cluster->partition);
    cluster->silent = !heard;
    return heard;
}

int cluster_pes(const cluster_t *cluster)
{
    int nodes = cluster->nodes - cluster->others - cluster->waiting;
    return nodes > 0 ? nodes * cluster->each : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Which MPI this installation uses, and what it can do. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "info.h"
#include "tool/tool.h"

static void print_tool(const char *name)
{
    char path[TOOL_PATH_MAX], real[TOOL_PATH_MAX];
    if ((tool_find("lib/xmpi", name, path) || tool_find("bin", name, path)) &&
        realpath(path, real) != NULL)
        printf("  %-12s %s\n", name, real);
    else
        printf("  %-12s not found beside this program\n", name);
}

/* In single quotes for the shell. */
static void add_quoted(char *line, size_t room, const char *word)
{
    size_t used = strlen(line);
    for (const char *c = word; used + 8 < room && (c == word || c[-1] != '\0'); c++) {
        const char *text = c == word ? "'" : "";
        char one[2] = {*c, '\0'};
        int n = snprintf(line + used, room - used, "%s%s", text,
                         *c == '\''   ? "'\\''"
                         : *c == '\0' ? "' "
                                      : one);
        used += (size_t)n;
    }
}

/* The whole text that the MPI gives as its version; empty: it could not be asked. */
static char version[4096];

const char *info_mpi_version(void)
{
    return version;
}

/* Lines of the text were joined by vertical tabs. */
static void take_version(const char *text)
{
    snprintf(version, sizeof version, "%.*s", (int)strcspn(text, "\n"), text);
    for (char *c = version; *c != '\0'; c++)
        if (*c == '\v')
            *c = '\n';
}

/* Its lines; nothing is asked of the MPI for longer than a user waits. */
static int run_probe(const char *mpiexec, const char *probe)
{
    char line[3 * TOOL_PATH_MAX] = "timeout 30 ", said[4096];
    int lines = 0;
    add_quoted(line, sizeof line, mpiexec);
    strcat(line, "-n 1 ");
    add_quoted(line, sizeof line, probe);
    strcat(line, "2>&1 </dev/null");
    fflush(stdout);
    FILE *output = popen(line, "r");
    while (output != NULL && fgets(said, sizeof said, output) != NULL) {
        char *colon = strchr(said, ':');
        if (colon == NULL || colon - said > 10)
            continue;
        *colon = '\0';
        if (strcmp(said, "version") == 0)
            take_version(colon + 2);
        else
            printf("  %-12s%s", said, colon + 1);
        lines++;
    }
    if (output != NULL)
        pclose(output);
    return lines;
}

void info_mpi(void)
{
    char probe[TOOL_PATH_MAX], mpiexec[TOOL_PATH_MAX], real[TOOL_PATH_MAX];
    printf("MPI\n");
    print_tool("mpicc");
    print_tool("mpiexec");
    if (!tool_find("lib/xmpi", "info-probe", probe) ||
        !(tool_find("lib/xmpi", "mpiexec", mpiexec) || tool_find("bin", "mpiexec", mpiexec)) ||
        realpath(mpiexec, real) == NULL) { /* Hydra looks for its proxy beside its name */
        printf("  it cannot be asked: install XMPI again\n");
        return;
    }
    setenv("XMPI_POLICY", "off", 1);
    if (run_probe(real, probe) < 6)
        printf("  it did not answer all questions within 30 s: it may be unable to spawn\n");
    unsetenv("XMPI_POLICY");
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Shells. */
#define _GNU_SOURCE
#include "shells.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process/seconds.h"

enum {
    EARLY = 5,      /* seconds in which mpiexec has started all for the initial processes */
    CERTAIN = 3,    /* seconds after which mpiexec has not noticed, and will not */
    UNREACHED = 255 /* says ssh; shells say 126 and 127 where there is no proxy */
};

/* A child of mpiexec's. */
typedef struct {
    char name[64];
    bool ended;
    int status;     /* with which it has */
    double started; /* seconds since the system's start */
} shell_t;

/* The file NAME of process PID, with its NULs as they are; how long it is, or -1. */
static ssize_t read_of(pid_t pid, const char *name, char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, room - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (length >= 0)
        text[length] = '\0';
    return length;
}

/* By proc(5): NAME is the second field, in parentheses, the state the third, when it was started
 * the 22nd, in ticks, and what a parent that waited would be told the 52nd. */
static bool look_at(pid_t pid, shell_t *shell)
{
    char text[1024], *rest = NULL;
    if (read_of(pid, "stat", text, sizeof text) <= 0)
        return false;
    char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (open == NULL || close == NULL)
        return false;
    *close = '\0';
    *shell = (shell_t){.status = -1};
    snprintf(shell->name, sizeof shell->name, "%s", open + 1);
    int field = 3;
    for (char *word = strtok_r(close + 1, " \n", &rest); word != NULL;
         word = strtok_r(NULL, " \n", &rest), field++) {
        if (field == 3)
            shell->ended = word[0] == 'Z';
        else if (field == 22)
            shell->started = strtod(word, NULL) / (double)sysconf(_SC_CLK_TCK);
        else if (field == 52)
            shell->status = (int)(strtol(word, NULL, 10) >> 8 & 0xff);
    }
    return true;
}

static bool has_failed(const shell_t *shell)
{
    return shell->ended &&
           (shell->status == UNREACHED || shell->status == 126 || shell->status == 127);
}

static const char *node_of(const shells_t *shells, pid_t pid)
{
    for (int i = 0; i < shells->n; i++)
        if (shells->seen[i].pid == pid)
            return shells->seen[i].node;
    return NULL;
}

/* The word before the one that names the proxy. */
static void note_node(shells_t *shells, pid_t pid)
{
    char text[4096];
    const char *before = "";
    if (shells->n == SHELLS_SEEN || node_of(shells, pid) != NULL)
        return;
    ssize_t length = read_of(pid, "cmdline", text, sizeof text);
    for (const char *word = text; word < text + length; word += strlen(word) + 1) {
        if (strstr(word, "hydra_pmi_proxy") != NULL) {
            shells->seen[shells->n].pid = pid;
            snprintf(shells->seen[shells->n++].node, SHELLS_NODE, "%s", before);
            return;
        }
        before = word;
    }
}

/* A shell that was started with mpiexec. */
static void take(shells_t *shells, pid_t pid, const shell_t *shell)
{
    if (!shell->ended)
        note_node(shells, pid);
    else if (has_failed(shell) && shells->ended <= 0) {
        shells->ended = xmpi_seconds_now();
        shells->status = shell->status;
        shells->node = node_of(shells, pid);
    }
}

/* Whether there are any. */
static bool look_at_all(shells_t *shells)
{
    char name[64], text[1 << 16], *rest = NULL;
    shell_t mpiexec, shell;
    bool any = false;
    snprintf(name, sizeof name, "task/%d/children", (int)shells->mpiexec);
    if (read_of(shells->mpiexec, name, text, sizeof text) <= 0 ||
        !look_at(shells->mpiexec, &mpiexec))
        return false;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        pid_t pid = (pid_t)atoi(word);
        if (!look_at(pid, &shell) || strcmp(shell.name, "hydra_pmi_proxy") == 0 ||
            shell.started > mpiexec.started + EARLY)
            continue;
        take(shells, pid, &shell);
        any = true;
    }
    return any;
}

/* --- from outside -------------------------------------------------------------------------------
 */

void shells_begin(shells_t *shells, pid_t mpiexec)
{
    double now = xmpi_seconds_now();
    *shells = (shells_t){.mpiexec = mpiexec, .begin = now, .next = now + 1};
}

int shells_patience(const shells_t *shells)
{
    double left = shells->next - xmpi_seconds_now();
    return shells->over ? -1 : (int)ceil(1e3 * fmax(left, 0));
}

bool shells_failed(shells_t *shells, bool begun)
{
    double now = xmpi_seconds_now();
    shells->over = shells->over || begun;
    if (shells->over || now < shells->next)
        return false;
    shells->next = now + 1;
    bool any = look_at_all(shells);
    shells->over = !any && now > shells->begin + EARLY;
    return shells->ended > 0 && now >= shells->ended + CERTAIN;
}

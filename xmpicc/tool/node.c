/* SPDX-License-Identifier: BSD-3-Clause
 * Scripts that draw figures, by node. */
#define _GNU_SOURCE
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int finish(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return tool_complain("SVG files are drawn by node, which is not here: install nodejs");
    return WIFEXITED(status) ? WEXITSTATUS(status) : TOOL_FAILED;
}

int tool_node(const char *script, const char *argument, const char *input)
{
    char path[TOOL_PATH_MAX];
    int ends[2];
    if (tool_installed("share/xmpi", script, path) != TOOL_OK)
        return TOOL_MISUSED;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return tool_complain("no pipe to node: %s", strerror(errno));
    signal(SIGPIPE, SIG_IGN);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        execlp("node", "node", path, argument, (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    FILE *to = child > 0 ? fdopen(ends[1], "w") : NULL;
    if (to == NULL)
        return tool_complain("node cannot be started: %s", strerror(errno));
    fputs(input, to);
    fclose(to);
    return finish(child);
}

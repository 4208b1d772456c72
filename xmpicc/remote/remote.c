/* SPDX-License-Identifier: BSD-3-Clause
 * Jobs whose leader is on another node. */
#define _GNU_SOURCE
#include "remote.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process/remote_shell.h"
#include "base/process/seconds.h"
#include "tool/tool.h"

enum { COMMAND_ROOM = 16384, NAME_ROOM = 512 };

static const char *directory(void)
{
    const char *folder = getenv("XMPI_JOBS");
    return folder != NULL && folder[0] != '\0' ? folder : NULL;
}

static bool path_of(const char *folder, const char *name, char *path)
{
    xmpi_error_t ignored;
    return folder != NULL && strchr(name, '/') == NULL &&
           snprintf(path, TOOL_PATH_MAX, "%s/%s.job", folder, name) < TOOL_PATH_MAX &&
           xmpi_directory_check(folder, &ignored) == XMPI_OK;
}

bool remote_find(const char *name, xmpi_entry_t *entry)
{
    char path[TOOL_PATH_MAX];
    return path_of(directory(), name, path) && xmpi_directory_get(path, entry);
}

void remote_forget(const char *name, const xmpi_entry_t *entry)
{
    char path[TOOL_PATH_MAX];
    if (path_of(directory(), name, path))
        xmpi_directory_remove(path, entry);
}

bool remote_is_here(const xmpi_entry_t *entry)
{
    xmpi_entry_t self;
    return xmpi_directory_self("", "", &self) && strcmp(self.host, entry->host) == 0;
}

int remote_each(void (*visit)(const char *name, const xmpi_entry_t *entry, void *context),
                void *context)
{
    const char *folder = directory();
    return folder == NULL ? 0 : remote_each_of(folder, visit, context);
}

int remote_each_of(const char *folder,
                   void (*visit)(const char *name, const xmpi_entry_t *entry, void *context),
                   void *context)
{
    xmpi_error_t error;
    struct dirent *file;
    if (xmpi_directory_check(folder, &error) != XMPI_OK) {
        tool_complain("%s", error.text);
        return -1;
    }
    DIR *files = opendir(folder);
    while (files != NULL && (file = readdir(files)) != NULL) {
        char name[NAME_ROOM], path[TOOL_PATH_MAX];
        xmpi_entry_t entry;
        size_t length = strlen(file->d_name);
        if (length < 5 || length >= sizeof name || strcmp(file->d_name + length - 4, ".job") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(length - 4), file->d_name);
        if (path_of(folder, name, path) && xmpi_directory_get(path, &entry))
            visit(name, &entry, context);
    }
    if (files != NULL)
        closedir(files);
    return 0;
}

/* Adds TEXT as one word of the shell's. */
static void quote(FILE *file, const char *text)
{
    fputs(" '", file);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", file);
        else
            fputc(*text, file);
    fputc('\'', file);
}

/* What the shell on the other host is told: xmpictl of the same installation, in the same folder,
 * where they have one. */
static bool make_line(const xmpi_entry_t *entry, char *const *words, char *line)
{
    char installed[TOOL_PATH_MAX], here[TOOL_PATH_MAX] = ".";
    const char *program = tool_find("bin", "xmpictl", installed) ? installed : "xmpictl";
    if (getcwd(here, sizeof here) == NULL)
        strcpy(here, ".");
    FILE *file = fmemopen(line, COMMAND_ROOM, "w");
    if (file == NULL)
        return false;
    fputs("cd", file);
    quote(file, here);
    fputs(" 2>/dev/null; exec", file);
    quote(file, program);
    fputs(" --job", file);
    quote(file, entry->socket);
    for (int i = 0; words[i] != NULL; i++)
        quote(file, words[i]);
    bool whole = ferror(file) == 0 && ftell(file) < COMMAND_ROOM - 1;
    return fclose(file) == 0 && whole;
}

/* The remote shell, in place of this process. */
static void become_shell(const xmpi_entry_t *entry, char *const *words)
{
    char line[COMMAND_ROOM];
    setenv(XMPI_REMOTE_SHELL_NAME, XMPI_REMOTE_SHELL, 0);
    if (make_line(entry, words, line))
        execl("/bin/sh", "sh", "-c", "exec $XMPI_RSH \"$@\"", "sh", entry->host, line,
              (char *)NULL);
    _exit(255);
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 255;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

int remote_run(const xmpi_entry_t *entry, char *const *words)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become_shell(entry, words);
    return pid > 0 ? wait_for(pid) : 255;
}

/* What comes from FD until its end, at most ROOM - 1 characters; false where that is not there at
 * UNTIL. */
static bool read_all(int fd, double until, char *text, size_t room)
{
    size_t length = 0;
    for (;;) {
        char rest[4096];
        bool full = length + 1 == room;
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        double left = until - xmpi_seconds_now();
        if (!(left > 0) || (poll(&ready, 1, 1 + (int)(1e3 * left)) < 0 && errno != EINTR))
            return false;
        if (ready.revents == 0)
            continue;
        ssize_t got = read(fd, full ? rest : text + length, full ? sizeof rest : room - 1 - length);
        if (got <= 0) {
            text[length] = '\0';
            return got == 0;
        }
        length += full ? 0 : (size_t)got;
    }
}

bool remote_hear(const xmpi_entry_t *entry, char *const *words, double limit, char *line,
                 size_t room)
{
    int ends[2];
    double until = xmpi_seconds_now() + limit;
    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0); /* with what it starts it can be ended */
        dup2(ends[1], STDOUT_FILENO);
        become_shell(entry, words);
    }
    close(ends[1]);
    bool heard = pid > 0 && read_all(ends[0], until, line, room);
    close(ends[0]);
    if (pid > 0 && !heard)
        kill(-pid, SIGKILL);
    return pid > 0 && wait_for(pid) == 0 && heard && line[0] != '\0';
}

int remote_line(const xmpi_entry_t *entry, char *const *words)
{
    int ends[2];
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0 && fork() == 0) { /* nobody has to wait for it */
        fcntl(ends[1], F_SETFL, 0);
        dup2(ends[1], STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        become_shell(entry, words);
    }
    if (pid == 0)
        _exit(0);
    close(ends[1]);
    if (pid > 0 && wait_for(pid) == 0)
        return ends[0];
    close(ends[0]);
    return -1;
}

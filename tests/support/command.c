/* SPDX-License-Identifier: BSD-3-Clause
 * Running commands and using scratch folders in tests. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

static void die(const char *what)
{
    perror(what);
    abort();
}

char *formatted(const char *format, ...)
{
    char *result = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&result, format, arguments);
    va_end(arguments);
    if (length < 0)
        die("vasprintf");
    return result;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
    int fd;
    char *text;
    size_t length;
} stream_t;

static void stream_read(stream_t *stream)
{
    char chunk[65536];
    ssize_t got = read(stream->fd, chunk, sizeof chunk);
    if (got <= 0) {
        close(stream->fd);
        stream->fd = -1;
        return;
    }
    stream->text = realloc(stream->text, stream->length + (size_t)got + 1);
    if (stream->text == NULL)
        die("realloc");
    memcpy(stream->text + stream->length, chunk, (size_t)got);
    stream->length += (size_t)got;
    stream->text[stream->length] = '\0';
}

/* Reads both streams until they close or the time is up; whether time was left. */
static int streams_drain(stream_t streams[2], double deadline)
{
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        struct pollfd fds[2] = {{streams[0].fd, POLLIN, 0}, {streams[1].fd, POLLIN, 0}};
        double left = deadline - now();
        if (left <= 0)
            return 0;
        if (poll(fds, 2, (int)(left * 1000) + 1) < 0 && errno != EINTR)
            die("poll");
        for (int i = 0; i < 2; i++)
            if (fds[i].fd >= 0 && fds[i].revents != 0)
                stream_read(&streams[i]);
    }
    return 1;
}

static pid_t start(const char *const *argv, const char *const *env, const char *dir, int out,
                   int err)
{
    pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid > 0)
        return pid;
    setpgid(0, 0);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    dup2(out, 1);
    dup2(err, 2);
    unsetenv("XMPI_BUILD"); /* ours, and no settings of the runtime */
    unsetenv("XMPI_SOURCE");
    for (; env != NULL && *env != NULL; env++)
        putenv((char *)(uintptr_t)*env);
    if (dir != NULL && chdir(dir) != 0)
        _exit(126);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* Limits are there for what hangs. A machine may be slower than the one where they were thought of,
 * or have other work to do, and that is no failure. */
enum { SLOWER = 4 };

command_t command_run(const char *const *argv, const char *const *env, const char *dir, int seconds)
{
    int out[2], err[2], status;
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
        die("pipe2");
    fflush(NULL);
    pid_t pid = start(argv, env, dir, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    stream_t streams[2] = {{out[0], NULL, 0}, {err[0], NULL, 0}};
    int in_time = streams_drain(streams, now() + SLOWER * seconds);
    if (!in_time)
        kill(-pid, SIGKILL);
    if (waitpid(pid, &status, 0) != pid)
        die("waitpid");
    for (int i = 0; i < 2; i++) {
        if (streams[i].fd >= 0)
            close(streams[i].fd);
        if (streams[i].text == NULL)
            streams[i].text = calloc(1, 1);
    }
    command_t command = {.out = streams[0].text, .err = streams[1].text};
    command.status = !in_time              ? 124
                     : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                           : WEXITSTATUS(status);
    return command;
}

command_t command_shell(const char *dir, int seconds, const char *format, ...)
{
    char *line;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&line, format, arguments) < 0)
        die("vasprintf");
    va_end(arguments);
    command_t command =
        command_run((const char *[]){"/bin/sh", "-c", line, NULL}, NULL, dir, seconds);
    free(line);
    return command;
}

void machine_invent(void)
{
    setenv("HWLOC_SYNTHETIC", "core:4 pu:1", 1);
}

void command_free(command_t *command)
{
    free(command->out);
    free(command->err);
}

char *scratch_make(void)
{
    char *dir = strdup("/tmp/xmpi-test.XXXXXX");
    if (dir == NULL || mkdtemp(dir) == NULL)
        die("mkdtemp");
    return dir;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

void scratch_remove(char *dir)
{
    nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(dir);
}

char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size)
        die(path);
    text[size] = '\0';
    fclose(file);
    if (length != NULL)
        *length = (size_t)size;
    return text;
}

void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        die(path);
}

static const char *dir_from(const char *variable)
{
    const char *dir = getenv(variable);
    if (dir == NULL) {
        fprintf(stderr, "%s is not set: run the tests through make check\n", variable);
        abort();
    }
    return dir;
}

const char *build_dir(void)
{
    return dir_from("XMPI_BUILD");
}

const char *source_dir(void)
{
    return dir_from("XMPI_SOURCE");
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Running commands: exit statuses are handed on, a signal ends what runs and leaves nothing. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/base/file.h"
#include "driver/base/message.h"
#include "driver/base/run.h"

void runner_start(runner_t *runner)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    sigemptyset(&runner->watched);
    sigaddset(&runner->watched, SIGCHLD);
    /* What nohup or a shell has told us to ignore stays ignored. */
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction action;
        if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&runner->watched, ending[i]);
    }
    signal(SIGCHLD, SIG_DFL); /* ignored, it would make children vanish unseen */
    sigprocmask(SIG_BLOCK, &runner->watched, &runner->before);
    /* mpicc is a script: when it is killed, its compiler comes to us and is ended too. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    runner->started = true;
}

static void note_signal(runner_t *runner, int number)
{
    if (runner->caught == 0 && number != SIGCHLD)
        runner->caught = number;
}

void runner_end(runner_t *runner)
{
    static const struct timespec at_once = {0, 0};
    int number;
    if (!runner->started)
        return;
    while ((number = sigtimedwait(&runner->watched, NULL, &at_once)) > 0)
        note_signal(runner, number);
    if (runner->caught != 0) {
        static const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        signal(runner->caught, SIG_DFL);
        raise(runner->caught);
    }
    sigprocmask(SIG_SETMASK, &runner->before, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    runner->started = false;
}

/* Sends NUMBER to all that PARENT has started and that is of this command, no daemon of its own;
 * how many of its children there are. A shell may wait for its command before it heeds a signal, so
 * the command gets it too. */
static int signal_children(pid_t parent, int number)
{
    char path[64];
    int pid, count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    while (fscanf(file, "%d", &pid) == 1) {
        if (getpgid(pid) != getpgrp())
            continue;
        signal_children(pid, number);
        count += kill(pid, number) == 0;
    }
    fclose(file);
    return count;
}

/* Ends what a dead child has left behind, and waits for it. */
static void end_orphans(int number)
{
    while (signal_children(getpid(), number) > 0 && waitpid(-1, NULL, 0) > 0)
        continue;
}

/* Waits for CHILD, handing it the signals that come in meanwhile. */
static int wait_for(runner_t *runner, pid_t child)
{
    int status;
    do {
        int number = sigwaitinfo(&runner->watched, NULL);
        if (number > 0 && number != SIGCHLD) {
            note_signal(runner, number);
            if (signal_children(getpid(), number) == 0)
                kill(child, number);
        }
    } while (waitpid(child, &status, WNOHANG) != child);
    runner->killed_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (runner->caught != 0 || runner->killed_by != 0)
        end_orphans(runner->caught != 0 ? runner->caught : SIGTERM);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void set_signals(const runner_t *runner, posix_spawnattr_t *attributes)
{
    posix_spawnattr_init(attributes);
    posix_spawnattr_setsigmask(attributes, &runner->before);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

static int spawn(const runner_t *runner, const words_t *argv, streams_t streams, pid_t *child)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    set_signals(runner, &attributes);
    posix_spawn_file_actions_init(&actions);
    if (streams.out >= 0)
        posix_spawn_file_actions_adddup2(&actions, streams.out, STDOUT_FILENO);
    if (streams.err >= 0)
        posix_spawn_file_actions_adddup2(&actions, streams.err, STDERR_FILENO);
    if (streams.folder != NULL)
        posix_spawn_file_actions_addchdir_np(&actions, streams.folder);
    int problem = posix_spawnp(child, argv->items[0], &actions, &attributes, argv->items, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return problem;
}

int run(runner_t *runner, const words_t *argv, streams_t streams)
{
    pid_t child;
    fflush(NULL);
    if (runner->caught != 0)
        return 128 + runner->caught;
    errno = spawn(runner, argv, streams, &child);
    return errno != 0 ? RUN_NOT_STARTED : wait_for(runner, child);
}

/* All that has been written to FD, which is closed. */
static const char *text_of(memory_t *memory, int fd)
{
    size_t length;
    const char *text = lseek(fd, 0, SEEK_SET) == 0 ? file_read_all(memory, fd, &length) : NULL;
    close(fd);
    return text != NULL ? text : "";
}

int run_listening(runner_t *runner, const words_t *argv, const char *folder, const char **out,
                  const char **messages)
{
    int err_fd = memfd_create("messages", MFD_CLOEXEC);
    int out_fd = out != NULL ? memfd_create("output", MFD_CLOEXEC) : -1;
    if (err_fd < 0 || (out != NULL && out_fd < 0))
        return RUN_NOT_STARTED;
    int status = run(runner, argv, (streams_t){.out = out_fd, .err = err_fd, .folder = folder});
    int reason = errno;
    *messages = text_of(argv->memory, err_fd);
    if (out != NULL)
        *out = text_of(argv->memory, out_fd);
    errno = reason;
    return status;
}

char *run_capture(runner_t *runner, const words_t *argv)
{
    size_t length;
    int fd = memfd_create("xmpicc", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    char *text = NULL;
    if (run(runner, argv, (streams_t){.out = fd, .err = -1}) == 0 && lseek(fd, 0, SEEK_SET) == 0)
        text = file_read_all(argv->memory, fd, &length);
    close(fd);
    return text;
}

int run_instead(runner_t *runner, const words_t *argv)
{
    fflush(NULL);
    runner_end(runner);
    execvp(argv->items[0], argv->items);
    return complain("cannot run %s: %s", argv->items[0], strerror(errno));
}

/* SPDX-License-Identifier: BSD-3-Clause
 * A job that runs until it is told to stop, for tests of the commands: programs/patient.c in a
 * folder of its own, whose sockets are there too. */
#ifndef XMPI_TESTS_RUNNING_JOB_H
#define XMPI_TESTS_RUNNING_JOB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/command.h"

enum { SECONDS = 120 };

static char *dir;

/* Makes the folder and compiles the program. */
static inline int job_build(void **state)
{
    (void)state;
    dir = scratch_make();
    command_t made = command_shell(
        dir, SECONDS, "'%s'/bin/xmpicc -O1 '%s'/tests/control/programs/patient.c -o patient",
        build_dir(), source_dir());
    int status = made.status;
    if (status != 0)
        fprintf(stderr, "%s", made.err);
    command_free(&made);
    return status;
}

static inline int job_clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* A line of the shell in which the commands are found and sockets are in this folder. */
static inline command_t shell(const char *line)
{
    return command_shell(dir, SECONDS,
                         "PATH='%s'/bin:$PATH XDG_RUNTIME_DIR=\"$PWD\"; export PATH "
                         "XDG_RUNTIME_DIR; %s",
                         build_dir(), line);
}

/* Repeats LINE until it succeeds. */
static inline void await(const char *line)
{
    char text[1024];
    snprintf(text, sizeof text,
             "for i in $(seq 1000); do { %s; } && exit 0; sleep 0.05; done; "
             "cat out; exit 1",
             line);
    command_t command = shell(text);
    if (command.status != 0)
        fail_msg("%s never comes: %s%s", line, command.out, command.err);
    command_free(&command);
}

/* Shell: waits for a job in this folder whose loop has begun. */
#define UNTIL_IT_ITERATES                                                                          \
    "until xmpictl status 2>/dev/null | grep -q 'loop.*patient.c'; do sleep 0.05; done; "

/* Starts it with SETTINGS of the environment; what it says is in the file "out". */
static inline void job_start(const char *settings, int processes)
{
    char line[512];
    snprintf(line, sizeof line,
             "rm -f stop out; %s setsid mpiexec -n %d ./patient >out 2>&1 </dev/null & sleep 0",
             settings, processes);
    command_t command = shell(line);
    command_free(&command);
    await("xmpictl status 2>/dev/null | grep -q 'loop.*patient.c'");
}

/* Ends it; its result must be right. */
static inline void job_stop(void)
{
    command_t command = shell("touch stop");
    command_free(&command);
    await("grep -q right out");
    await("! ls xmpi/*.sock 2>/dev/null");
}

/* Kills whatever runs in this folder. */
static inline void job_kill(void)
{
    command_t command =
        shell("for pid in $(pgrep -f 'mpiexec|hydra|patient|checked'); do "
              "[ \"$(readlink /proc/$pid/cwd)\" = \"$PWD\" ] && kill -9 $pid; done");
    command_free(&command);
}

static inline int job_kill_left(void **state)
{
    (void)state;
    job_kill();
    return 0;
}

#endif

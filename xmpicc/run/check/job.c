/* SPDX-License-Identifier: BSD-3-Clause
 * One run of the program: with a limit of time, and nothing of it left when it is over. */
#define _GNU_SOURCE
#include "run/check/job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process/seconds.h"
#include "run/job/family.h"
#include "tool/tool.h"

enum {
    GRACE = 3, /* seconds to end by itself when told to */
    HOLDS = 8  /* times that it stands still, so that all sections of a program take longer */
};

static volatile sig_atomic_t caught;

static void note_signal(int signal)
{
    caught = signal;
}

void job_prepare(void)
{
    static const int wanted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = note_signal};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        sigaction(wanted[i], &action, NULL);
    family_adopt();
}

int job_signal(void)
{
    return caught;
}

/* --- running ------------------------------------------------------------------------------------
 */

static void open_as(const char *path, int flags, int descriptor)
{
    int file = open(path, flags, 0600);
    if (file < 0)
        _exit(tool_complain("%s: %s", path, strerror(errno)));
    dup2(file, descriptor);
    close(file);
}

static _Noreturn void become(const job_run_t *run)
{
    setsid();
    open_as(run->in, O_RDONLY, STDIN_FILENO);
    open_as(run->out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    open_as(run->err, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    for (int i = 0; i < run->settings; i++)
        if (run->setting[i][1] != NULL)
            setenv(run->setting[i][0], run->setting[i][1], 1);
        else
            unsetenv(run->setting[i][0]);
    execv("/proc/self/exe", run->command);
    _exit(tool_complain("xmpirun cannot be started: %s", strerror(errno)));
}

/* Waits until the process ends, or for SECONDS (0: for ever), or for a signal to us; whether it
 * has ended. */
static bool wait_for(int descriptor, double seconds)
{
    struct pollfd ready = {.fd = descriptor, .events = POLLIN};
    double until = xmpi_seconds_now() + seconds;
    while (caught == 0) {
        double left = seconds > 0 ? fmin(1e3 * (until - xmpi_seconds_now()), 1e6) : -1;
        if (seconds > 0 && left <= 0)
            return false;
        if (poll(&ready, 1, seconds > 0 ? (int)ceil(left) : -1) > 0)
            return true;
    }
    return false;
}

static void hold(const job_run_t *run, int descriptor)
{
    for (int i = 0; i < HOLDS && run->held > 0; i++) {
        if (wait_for(descriptor, run->held_within / (HOLDS + 1)) || caught != 0)
            return;
        family_signal(run->who, SIGSTOP);
        wait_for(descriptor, run->held / HOLDS);
        family_signal(FAMILY_ALL, SIGCONT);
    }
}

job_end_t job_run(const job_run_t *run)
{
    int status = 0;
    double start = xmpi_seconds_now();
    pid_t pid = fork();
    if (pid == 0)
        become(run);
    int descriptor = pid > 0 ? pidfd_open(pid, 0) : -1;
    if (descriptor < 0)
        return (job_end_t){.status =
                               tool_complain("xmpirun cannot be started: %s", strerror(errno))};
    hold(run, descriptor);
    bool over = wait_for(descriptor, run->limit);
    double seconds = xmpi_seconds_now() - start;
    bool late = !over && caught == 0;
    if (!over) {
        int signal = caught;
        caught = 0;
        kill(pid, SIGTERM); /* it tells mpiexec, which tells the others */
        wait_for(descriptor, GRACE);
        caught = caught != 0 ? caught : signal;
        kill(pid, SIGKILL);
    }
    waitpid(pid, &status, 0);
    close(descriptor);
    family_end(FAMILY_ALL);
    return (job_end_t){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                       .late = late,
                       .seconds = seconds};
}

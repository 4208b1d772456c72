/* SPDX-License-Identifier: BSD-3-Clause
 * One run of the program: with a limit of time, and nothing of it left when it is over. */
#define _GNU_SOURCE
#include "run/check/job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/seconds.h"
#include "tool/tool.h"

enum {
    PROCESSES_MAX = 1 << 16,
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
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

int job_signal(void)
{
    return caught;
}

/* --- all processes of a job --------------------------------------------------------------------
 */

typedef struct {
    pid_t pid, parent;
    bool ours;
} process_t;

/* The parent of process PID, or -1. */
static pid_t parent_of(pid_t pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *name_end = strrchr(text, ')');
    int parent = -1;
    if (name_end != NULL)
        sscanf(name_end + 1, " %*c %d", &parent);
    return (pid_t)parent;
}

static int list_processes(process_t *list)
{
    DIR *folder = opendir("/proc");
    int n = 0;
    for (struct dirent *entry; folder != NULL && n < PROCESSES_MAX && (entry = readdir(folder));) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid > 0)
            list[n++] = (process_t){.pid = pid, .parent = parent_of(pid)};
    }
    if (folder != NULL)
        closedir(folder);
    return n;
}

/* Marks all that descend from us among the N of LIST. */
static void find_ours(process_t *list, int n)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < n; i++) {
            bool ours = list[i].parent == getpid();
            for (int j = 0; j < n && !ours; j++)
                ours = list[j].ours && list[j].pid == list[i].parent;
            more = more || (ours && !list[i].ours);
            list[i].ours = list[i].ours || ours;
        }
    }
}

/* Sends SIGNAL to all that descend from us; how many there are. */
static int signal_all(int signal)
{
    process_t *list = calloc(PROCESSES_MAX, sizeof *list);
    int n = list != NULL ? list_processes(list) : 0, found = 0;
    find_ours(list, n);
    for (int i = 0; i < n; i++)
        if (list[i].ours) {
            kill(list[i].pid, signal);
            found++;
        }
    free(list);
    return found;
}

static bool has_children(const process_t *list, int n, pid_t pid)
{
    for (int i = 0; i < n; i++)
        if (list[i].parent == pid)
            return true;
    return false;
}

/* Has those stand still that WHO means. */
static void stop(hold_t who)
{
    process_t *list = who != HOLD_ALL ? calloc(PROCESSES_MAX, sizeof *list) : NULL;
    int n = list != NULL ? list_processes(list) : 0;
    pid_t chosen = 0;
    find_ours(list, n);
    for (int i = 0; i < n; i++)
        if (list[i].ours && !has_children(list, n, list[i].pid) &&
            (chosen == 0 || (list[i].pid < chosen) == (who == HOLD_FIRST)))
            chosen = list[i].pid;
    if (who == HOLD_ALL)
        signal_all(SIGSTOP);
    else if (chosen > 0)
        kill(chosen, SIGSTOP);
    free(list);
}

static void kill_all(void)
{
    while (signal_all(SIGKILL) > 0)
        while (waitpid(-1, NULL, 0) > 0)
            ;
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
        stop(run->who);
        wait_for(descriptor, run->held / HOLDS);
        signal_all(SIGCONT);
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
    kill_all();
    return (job_end_t){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                       .late = late,
                       .seconds = seconds};
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Watching the job while it runs. */
#define _GNU_SOURCE
#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process/seconds.h"
#include "banner.h"
#include "line.h"
#include "noise.h"
#include "shells.h"
#include "tool/job.h"
#include "tool/tool.h"

enum {
    LINE_MAX_LENGTH = 512,
    AGAIN = 20 /* ms between two attempts to reach the job, should nothing tell of its socket */,
    REDRAW = 500 /* ms */,
    GRACE = 3 /* seconds for mpiexec to end */,
    STREAM_PIECE = 1 << 14
};

typedef struct {
    int from, to; /* from: -1 when it has ended */
    noise_t noise;
    banner_t banner; /* of standard output */
} stream_t;

typedef struct {
    const launch_t *launched;
    bool watch, show;
    int signals; /* a signalfd */
    int folder;  /* an inotify descriptor: something new is where the job's socket will be; or -1 */
    int stopped; /* the first signal that told the job to end; 0: none */
    shells_t shells;
    double given_up; /* when mpiexec is killed, as it does not end; 0: it is not told to */
    stream_t out, err;
    job_t job;
    char heard[1 << 16]; /* the begin of a line of the job's */
    size_t length;
    char line[LINE_MAX_LENGTH]; /* on the terminal */
    cJSON *status;              /* the last that was heard; NULL: none, or its loop is over */
    double told, drawn;         /* when, as by xmpi_seconds_now() */
    course_t *course;
    int mpiexec; /* its exit status; -1 while it runs */
} live_t;

/* --- the terminal -------------------------------------------------------------------------------
 */

static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void erase(const live_t *live)
{
    if (live->line[0] != '\0')
        fputs("\r\033[K", stderr);
}

static void draw(const live_t *live)
{
    if (live->show && live->line[0] != '\0')
        fprintf(stderr, "\r\033[K%s", live->line);
    fflush(stderr);
}

/* --- the job ------------------------------------------------------------------------------------
 */

/* Between two tellings the line goes on by the clock. */
static void refresh(live_t *live)
{
    if (!live->show || live->status == NULL)
        return;
    live->drawn = xmpi_seconds_now();
    line_of(live->status, live->drawn - live->told, columns(), live->line, sizeof live->line);
    draw(live);
}

static void take_spent(course_t *course, const cJSON *status)
{
    const cJSON *nodes = cJSON_GetObjectItemCaseSensitive(status, "node_seconds");
    const spent_t *ended = &course->ended;
    course->spent = (spent_t){.held = ended->held + job_number(nodes, "held"),
                              .used = ended->used + job_number(nodes, "used"),
                              .lost = ended->lost + job_number(nodes, "lost"),
                              .given_back = ended->given_back + job_number(nodes, "given_back"),
                              .cost = ended->cost + job_number(status, "cost"),
                              .nodes = job_number(nodes, "now"),
                              .until = xmpi_seconds_epoch()};
    course->spent.since = course->spent.until - job_number(status, "seconds");
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(status, "over")))
        course->ended = course->spent;
}

static void take(live_t *live, const char *text)
{
    cJSON *status = cJSON_Parse(text);
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(status, "ok")) ||
        job_text(status, "loop")[0] == '\0') {
        cJSON_Delete(status);
        return;
    }
    live->course->reached = true;
    live->course->iteration = job_number(status, "iteration");
    take_spent(live->course, status);
    cJSON_Delete(live->status);
    live->status = status;
    live->told = xmpi_seconds_now();
    refresh(live);
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(status, "over")))
        return;
    cJSON_AddItemToArray(live->course->loops, status);
    live->status = NULL;
}

static void hear(live_t *live)
{
    ssize_t got = recv(live->job.fd, live->heard + live->length,
                       sizeof live->heard - 1 - live->length, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        job_close(&live->job); /* another process may lead the job, and open it again */
        live->length = 0;
        return;
    }
    live->length += (size_t)got;
    live->heard[live->length] = '\0';
    char *begin = live->heard, *end;
    while ((end = strchr(begin, '\n')) != NULL) {
        *end = '\0';
        take(live, begin);
        begin = end + 1;
    }
    live->length = strlen(begin);
    if (live->length == sizeof live->heard - 1)
        live->length = 0; /* a line of thousands of members: it is not for one line here */
    memmove(live->heard, begin, live->length);
}

/* The job has ended; what it said before is still there. */
static void hear_the_rest(live_t *live)
{
    struct pollfd ready = {.fd = live->job.fd, .events = POLLIN};
    while (live->job.fd >= 0 && poll(&ready, 1, 0) > 0)
        hear(live);
}

/* The next leader's socket is found at once, as its loop may be over soon. */
static int watch_folder(const char *socket)
{
    char folder[sizeof((launch_t *)0)->control];
    const char *slash = strrchr(socket, '/');
    if (slash == NULL)
        return -1;
    snprintf(folder, sizeof folder, "%.*s/", (int)(slash - socket), socket);
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (fd >= 0)
        inotify_add_watch(fd, folder, IN_CREATE | IN_MOVED_TO);
    return fd;
}

static void forget_news(const live_t *live)
{
    char events[4096];
    while (read(live->folder, events, sizeof events) > 0)
        ;
}

static void reach(live_t *live)
{
    cJSON *request;
    if (!live->watch || live->job.fd >= 0 || live->launched->control[0] == '\0' ||
        job_connect(live->launched->control, 1e-3 * AGAIN, &live->job) != 0)
        return;
    live->course->connected = true;
    request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "command", "watch");
    job_ask(&live->job, request);
}

/* --- mpiexec ------------------------------------------------------------------------------------
 */

/* Others are orphans of the job's. */
static void see_who_has_ended(live_t *live)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        if (pid == live->launched->pid)
            live->mpiexec = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void follow_signal(live_t *live)
{
    struct signalfd_siginfo signal;
    if (read(live->signals, &signal, sizeof signal) != sizeof signal)
        return;
    if (signal.ssi_signo == SIGCHLD) {
        see_who_has_ended(live);
        return;
    }
    live->course->stopped = true;
    if (live->stopped == 0)
        live->stopped = (int)signal.ssi_signo;
    if (signal.ssi_code == SI_USER) /* a terminal tells mpiexec too */
        kill(live->launched->pid, (int)signal.ssi_signo);
}

/* Where nobody takes it any more mpiexec is to find that, and ends the job. */
static void write_on(stream_t *stream, const char *text, size_t length)
{
    for (ssize_t n; length > 0 && stream->from >= 0; text += n, length -= (size_t)n) {
        n = write(stream->to, text, length);
        if (n >= 0 || errno == EINTR) {
            n = n >= 0 ? n : 0;
            continue;
        }
        close(stream->from);
        stream->from = -1;
        return;
    }
}

/* mpiexec tells on standard output of a process that it has lost: that is no output of the program.
 */
static void write_parts(stream_t *stream, const parts_t *parts)
{
    write_on(stream, parts->program, parts->program_length);
    fwrite(parts->mpiexec, 1, parts->mpiexec_length, stderr);
    fflush(stderr);
}

static void end_stream(stream_t *stream)
{
    char rest[NOISE_LINE_MAX + 1], program[BANNER_HELD_MAX], mpiexec[BANNER_HELD_MAX];
    parts_t parts = {.program = program, .mpiexec = mpiexec};
    banner_end(&stream->banner, &parts);
    write_parts(stream, &parts);
    write_on(stream, rest, noise_end(&stream->noise, rest));
    if (stream->from >= 0)
        close(stream->from);
    stream->from = -1;
}

static void write_output(stream_t *stream, const char *text, size_t length)
{
    char program[STREAM_PIECE + BANNER_HELD_MAX], mpiexec[STREAM_PIECE + BANNER_HELD_MAX];
    parts_t parts = {.program = program, .mpiexec = mpiexec};
    if (stream->to != STDOUT_FILENO) {
        write_on(stream, text, length);
        return;
    }
    banner_part(&stream->banner, text, length, &parts);
    write_parts(stream, &parts);
}

/* A signal that mpiexec answers to has come here as well, before its answer. */
static void pass_on(live_t *live, stream_t *stream)
{
    char text[STREAM_PIECE], kept[sizeof text + NOISE_LINE_MAX + 1];
    ssize_t got = read(stream->from, text, sizeof text);
    noise_hear(&stream->noise, text, got > 0 ? (size_t)got : 0);
    follow_signal(live);
    erase(live);
    fflush(stderr);
    if (got <= 0)
        end_stream(stream);
    else if (live->stopped == 0)
        write_output(stream, text, (size_t)got);
    else
        write_on(stream, kept, noise_filter(&stream->noise, text, (size_t)got, kept));
    draw(live);
}

/* What mpiexec has written before it ended; others may have its output open for longer. */
static void pass_the_rest_on(live_t *live, stream_t *stream)
{
    struct pollfd ready = {.fd = stream->from, .events = POLLIN};
    while (stream->from >= 0 && poll(&ready, 1, 0) > 0)
        pass_on(live, stream);
    end_stream(stream);
}

/* Whether its leader has opened its socket, in MPI_Init. */
static bool has_begun(const live_t *live)
{
    const char *control = live->launched->control;
    return live->course->connected || control[0] == '\0' || access(control, F_OK) == 0;
}

static void give_up(live_t *live)
{
    const char *node = live->shells.node;
    erase(live);
    tool_complain("mpiexec's remote shell for %s%s has ended with status %d: the program cannot be "
                  "started there, and mpiexec would wait for ever; the job ends (try ssh %s true, "
                  "or leave the node out)",
                  node != NULL ? "node " : "a node", node != NULL ? node : "", live->shells.status,
                  node != NULL ? node : "NODE");
    live->course->stopped = true;
    live->stopped = SIGTERM;
    live->given_up = xmpi_seconds_now() + GRACE;
    kill(live->launched->pid, SIGTERM);
}

static void look_at_shells(live_t *live)
{
    if (live->given_up > 0 && xmpi_seconds_now() >= live->given_up)
        kill(live->launched->pid, SIGKILL);
    if (live->stopped == 0 && shells_failed(&live->shells, has_begun(live)))
        give_up(live);
}

/* How long nothing need be done, milliseconds; -1: for ever. */
static int patience(const live_t *live)
{
    int soon = live->show && live->mpiexec < 0 && live->status != NULL ? REDRAW : -1;
    int shells = live->given_up > 0 ? REDRAW : shells_patience(&live->shells);
    if (live->watch && live->job.fd < 0)
        return AGAIN;
    return soon < 0 || (shells >= 0 && shells < soon) ? shells : soon;
}

static void turn(live_t *live)
{
    struct pollfd ready[] = {{.fd = live->signals, .events = POLLIN},
                             {.fd = live->out.from, .events = POLLIN},
                             {.fd = live->err.from, .events = POLLIN},
                             {.fd = live->job.fd >= 0 ? live->job.fd : -1, .events = POLLIN},
                             {.fd = live->job.fd < 0 ? live->folder : -1, .events = POLLIN}};
    poll(ready, sizeof ready / sizeof *ready, patience(live));
    if (ready[3].revents != 0)
        hear(live);
    if (ready[1].revents != 0)
        pass_on(live, &live->out);
    if (ready[2].revents != 0)
        pass_on(live, &live->err);
    if (ready[0].revents != 0)
        follow_signal(live);
    if (ready[4].revents != 0)
        forget_news(live);
    reach(live);
    if (live->status != NULL && xmpi_seconds_now() - live->drawn >= 1e-3 * REDRAW)
        refresh(live);
    look_at_shells(live);
}

/* Of a job that was told to end: whether it has come to its end all the same. mpiexec may say 0 of
 * processes that the signal has ended; but then the leader has left its socket. */
static bool ended_itself(const live_t *live)
{
    return live->mpiexec == 0 && live->course->connected &&
           access(live->launched->control, F_OK) != 0;
}

/* Who was started to outlive the terminal has SIGHUP ignored. */
static bool is_wanted(int number)
{
    struct sigaction action;
    return number != SIGHUP || sigaction(number, NULL, &action) != 0 ||
           action.sa_handler != SIG_IGN;
}

int live_open_signals(void)
{
    static const int wanted[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (is_wanted(wanted[i]))
            sigaddset(&set, wanted[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int live_wait(const launch_t *launched, int signals, bool watch, bool show, course_t *course)
{
    static live_t live;
    void (*broken_pipe)(int) = signal(SIGPIPE, SIG_IGN);
    double start = xmpi_seconds_now();
    live = (live_t){.launched = launched,
                    .watch = watch,
                    .show = show,
                    .out = {launched->out, STDOUT_FILENO, {.length = 0}},
                    .err = {launched->err, STDERR_FILENO, {.length = 0}},
                    .job = {.fd = -1},
                    .folder = watch ? watch_folder(launched->control) : -1,
                    .course = course,
                    .mpiexec = -1};
    *course = (course_t){.loops = cJSON_CreateArray()};
    live.signals = signals;
    shells_begin(&live.shells, launched->pid);
    while (live.mpiexec < 0)
        turn(&live);
    pass_the_rest_on(&live, &live.out);
    pass_the_rest_on(&live, &live.err);
    hear_the_rest(&live);
    erase(&live);
    fflush(stderr);
    job_close(&live.job);
    close(live.signals);
    if (live.folder >= 0)
        close(live.folder);
    course->seconds = xmpi_seconds_now() - start;
    course->lost = live.out.noise.lost || live.err.noise.lost;
    course->loss = live.out.noise.lost ? live.out.noise.loss : live.err.noise.loss;
    if (live.mpiexec == 0 && live.stopped == 0)
        course->unheard = live.status;
    else
        cJSON_Delete(live.status);
    signal(SIGPIPE, broken_pipe);
    if (live.given_up > 0)
        return TOOL_FAILED;
    return live.stopped != 0 && !ended_itself(&live) ? 128 + live.stopped : live.mpiexec;
}

void live_free(course_t *course)
{
    cJSON_Delete(course->loops);
    cJSON_Delete(course->unheard);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What a process has when its program has left it: what it had before. One member of two processes,
 * of which the first one ignores SIGTERM from its start. Each time that the program is in the other
 * one it looks at that which it has left, and that it has itself what it has said. Argument:
 * iterations. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "point.h"

enum { TEXT = 1024 };

static volatile sig_atomic_t heard;

static void hear(int signal)
{
    (void)signal;
    heard = heard + 1;
}

/* The signals that a program can do something about: 32 and 33 are the C library's own. */
#define PROGRAMS (~(3ul << 31))

/* What the kernel says of a process: its folder, what it blocks and ignores, whether it catches
 * SIGUSR2 or SIGHUP (MPI catches others), and its umask. */
static void look(int process, char text[TEXT])
{
    char path[64], line[256];
    unsigned long caught = 0, mask;
    snprintf(path, sizeof path, "/proc/%d/cwd", process);
    ssize_t n = readlink(path, text, TEXT / 2);
    n = n > 0 ? n : 0;
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "SigBlk: %lx", &mask) == 1 || sscanf(line, "SigIgn: %lx", &mask) == 1)
            n += snprintf(text + n, TEXT - (size_t)n, " %.7s%lx", line, mask & PROGRAMS);
        if (strncmp(line, "Umask", 5) == 0)
            n += snprintf(text + n, TEXT - (size_t)n, " %.*s", (int)strcspn(line, "\n"), line);
        sscanf(line, "SigCgt: %lx", &caught);
    }
    caught &= 1ul << (SIGUSR2 - 1) | 1ul << (SIGHUP - 1);
    snprintf(text + n, TEXT - (size_t)n, " %lx", caught);
    if (file != NULL)
        fclose(file);
}

/* The program is elsewhere before the process that it has left has done all that it does. */
static int is_as_before(int process, const char *before)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    char now[TEXT];
    for (int tries = 0; tries < 1000; tries++) {
        look(process, now);
        if (strcmp(now, before) == 0)
            return 1;
        nanosleep(&moment, NULL);
    }
    fprintf(stderr, "process %d has %s instead of %s\n", process, now, before);
    return 0;
}

/* MPI's handler is there again. (Else it would end.) */
static int lives(int process)
{
    return kill(process, SIGUSR1) == 0;
}

static void begin(void)
{
    sigset_t blocked;
    struct sigaction action = {.sa_handler = hear};
    sigaction(SIGUSR2, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    signal(SIGHUP, SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGALRM);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    raise(SIGALRM); /* it waits, wherever the program goes */
    mkdir("inner", 0777);
    if (chdir("inner") != 0)
        exit(1);
    umask(027);
}

/* Whether the program has what it has said, and SIGTERM is what it is in this process. */
static int has_own(const char *before)
{
    sigset_t pending;
    struct sigaction hup, term;
    char folder[4096];
    raise(SIGUSR2);
    raise(SIGUSR1);
    sigpending(&pending);
    sigaction(SIGHUP, NULL, &hup);
    sigaction(SIGTERM, NULL, &term);
    mode_t mask = umask(027);
    unsigned long ignored = 0;
    sscanf(strstr(before, "SigIgn:") + strlen("SigIgn:"), "%lx", &ignored);
    int deaf = (ignored >> (SIGTERM - 1) & 1) != 0;
    return sigismember(&pending, SIGALRM) && hup.sa_handler == SIG_IGN && mask == 027 &&
           (term.sa_handler == SIG_IGN) == deaf && getcwd(folder, sizeof folder) != NULL &&
           strcmp(strrchr(folder, '/'), "/inner") == 0;
}

static int of_text(const char *path, char text[TEXT])
{
    FILE *file = fopen(path, "r");
    int process = 0, got = file == NULL ? 0 : fscanf(file, "%d %1023[^\n]", &process, text);
    if (file != NULL)
        fclose(file);
    return got == 2 ? process : 0;
}

/* Before MPI_Init, in both processes. */
static void note(void)
{
    char text[TEXT], name[64], whole[80];
    look(getpid(), text);
    snprintf(name, sizeof name, "new.%d", getpid());
    FILE *file = fopen(name, "w");
    fprintf(file, "%d %s\n", getpid(), text);
    fclose(file);
    snprintf(whole, sizeof whole, "before.%d", getpid());
    rename(name, whole);
}

int main(int argc, char **argv)
{
    char before[2][TEXT], path[2][64];
    int process[2] = {getpid(), 0}, moves = 0, good = 0;
    note();
    MPI_Init(&argc, &argv);
    begin();
    int steps = atoi(argv[1]);
    for (int step = 0; step < steps; step++) {
        XMPI_Point();
        if (getpid() == process[0])
            continue;
        process[1] = process[0];
        process[0] = getpid();
        moves++;
        for (int i = 0; i < 2; i++) {
            snprintf(path[i], sizeof path[i], "../before.%d", process[i]);
            if (of_text(path[i], before[i]) != process[i])
                return 1;
        }
        good += has_own(before[0]) && is_as_before(process[1], before[1]) && lives(process[1]);
    }
    printf("moves %d good %d heard %d\n", moves, good, heard);
    MPI_Finalize();
    return 0;
}

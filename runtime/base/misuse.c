/* SPDX-License-Identifier: BSD-3-Clause
 * The one way in which the runtime ends the user's job: a proven misuse. */
#define _GNU_SOURCE
#include "base/misuse.h"

#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const int *rank_of_caller;
static bool (*is_joining)(void);
static void (*first)(void);

void xmpi_misuse_by(const int *rank, bool (*joins)(void))
{
    rank_of_caller = rank;
    is_joining = joins;
}

void xmpi_misuse_after(void (*done_first)(void))
{
    first = done_first;
}

void xmpi_let_it_be_read(void)
{
    const struct timespec half = {.tv_nsec = 500000000};
    nanosleep(&half, NULL);
}

void xmpi_end_job(int status)
{
    fflush(stderr);
    xmpi_let_it_be_read();
    PMPI_Abort(MPI_COMM_WORLD, status);
    exit(status);
}

static int last_status;

static void end_now(int number)
{
    (void)number;
    _exit(last_status);
}

/* MPI knows nothing of the thread that calls this, while another may be in MPI for ever, and the
 * process manager may be gone or have its own reasons not to end this process. */
void xmpi_end_job_now(int status)
{
    enum { ABORT_SECONDS = 3 };
    sigset_t alarms;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    last_status = status;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    signal(SIGALRM, end_now);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(ABORT_SECONDS);
    fflush(stderr); /* where another thread may have been writing for ever */
    xmpi_let_it_be_read();
    dup2(nowhere, STDOUT_FILENO); /* MPI would tell the user of an abort */
    dup2(nowhere, STDERR_FILENO);
    PMPI_Abort(MPI_COMM_SELF, status);
    _exit(status);
}

void xmpi_misuse(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (first != NULL)
        first();
    if (rank_of_caller == NULL)
        fprintf(stderr, "xmpi: %s\n", text);
    else
        fprintf(stderr, "xmpi: %s %d: %s\n", is_joining() ? "joining rank" : "rank",
                *rank_of_caller, text);
    xmpi_end_job(2);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The standard streams while an iteration is run a second time. */
#define _GNU_SOURCE
#include "act/check/streams.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/misuse.h"

/* The streams of a process are one of their kind, as what is kept of them here. */
static struct {
    bool dropped, heard;
    int kept[2];       /* of standard output and error; -1: it was closed */
    const char *where; /* the program is meanwhile */
    int errors;        /* what has been written to standard error meanwhile; -1: it is lost */
} streams;

static void flush(void)
{
    fflush(stdout);
    fflush(stderr);
}

/* What the program has said is why it ends. */
static void show_errors(int errors)
{
    char piece[4096];
    ssize_t n;
    for (off_t at = 0; errors >= 0 && (n = pread(errors, piece, sizeof piece, at)) > 0; at += n)
        fwrite(piece, 1, (size_t)n, stderr);
}

void xmpi_streams_end(void)
{
    int errors = streams.dropped ? fcntl(streams.errors, F_DUPFD_CLOEXEC, 0) : -1;
    if (!streams.dropped)
        return;
    xmpi_streams_restore();
    show_errors(errors);
    fprintf(stderr, "xmpi: the program ends in %s\n", streams.where);
    fflush(stderr);
    xmpi_let_it_be_read();
}

/* --- signals -------------------------------------------------------------------------------------
 */

static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
enum { FAULTS = sizeof faults / sizeof *faults };

static void write_all(int to, const char *text, size_t size)
{
    ssize_t n;
    for (size_t at = 0; at < size && (n = write(to, text + at, size - at)) > 0; at += (size_t)n)
        ;
}

/* Only what may be called in a handler. It is called once, and then the signal does what it did. */
static void die(int number)
{
    static const char before[] = "xmpi: the program ends in ";
    char piece[1024];
    ssize_t n;
    for (off_t at = 0; (n = pread(streams.errors, piece, sizeof piece, at)) > 0; at += n)
        write_all(streams.kept[1], piece, (size_t)n);
    write_all(streams.kept[1], before, sizeof before - 1);
    write_all(streams.kept[1], streams.where, strlen(streams.where));
    write_all(streams.kept[1], "\n", 1);
    xmpi_let_it_be_read();
    raise(number);
}

static bool has_handler(int number, void (*handler)(int))
{
    struct sigaction present;
    return sigaction(number, NULL, &present) == 0 && (present.sa_flags & SA_SIGINFO) == 0 &&
           present.sa_handler == handler;
}

static void watch_faults(void)
{
    struct sigaction action = {.sa_handler = die, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FAULTS; i++)
        if (has_handler(faults[i], SIG_DFL))
            sigaction(faults[i], &action, NULL);
}

static void forget_faults(void)
{
    for (int i = 0; i < FAULTS; i++)
        if (has_handler(faults[i], die))
            signal(faults[i], SIG_DFL);
}

/* --- dropping ------------------------------------------------------------------------------------
 */

void xmpi_streams_drop(const char *where)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (streams.dropped || nowhere < 0)
        return;
    if (!streams.heard)
        streams.heard = atexit(xmpi_streams_end) == 0;
    xmpi_misuse_after(xmpi_streams_restore);
    flush();
    streams.errors = memfd_create("xmpi", MFD_CLOEXEC);
    for (int i = 0; i < 2; i++) {
        streams.kept[i] = fcntl(STDOUT_FILENO + i, F_DUPFD_CLOEXEC, 0);
        if (streams.kept[i] >= 0)
            dup2(i == 1 && streams.errors >= 0 ? streams.errors : nowhere, STDOUT_FILENO + i);
    }
    close(nowhere);
    streams.where = where;
    streams.dropped = true;
    watch_faults();
}

void xmpi_streams_restore(void)
{
    if (!streams.dropped)
        return;
    forget_faults();
    flush();
    for (int i = 0; i < 2; i++)
        if (streams.kept[i] >= 0) {
            dup2(streams.kept[i], STDOUT_FILENO + i);
            close(streams.kept[i]);
        }
    if (streams.errors >= 0)
        close(streams.errors);
    streams.dropped = false;
}

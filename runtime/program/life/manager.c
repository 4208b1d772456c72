/* SPDX-License-Identifier: BSD-3-Clause
 * Manager: speaking to the process manager. */
#define _GNU_SOURCE
#include "program/life/manager.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int xmpi_manager(void)
{
    const char *fd = getenv("PMI_FD");
    return fd != NULL && getenv("MPI_LOCALNRANKS") != NULL && getenv("PMI_RANK") != NULL ? atoi(fd)
                                                                                         : -1;
}

static bool send_all(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t sent = send(fd, text, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        text += sent;
        left -= (size_t)sent;
    }
    return true;
}

/* One byte at a time: what follows the line is for MPICH. */
static bool read_line(int fd, char line[XMPI_MANAGER_LINE])
{
    for (int n = 0; n < XMPI_MANAGER_LINE - 1;) {
        ssize_t got = read(fd, &line[n], 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        line[n + 1] = '\0';
        if (line[n++] == '\n')
            return true;
    }
    return false;
}

bool xmpi_manager_ask(int fd, char answer[XMPI_MANAGER_LINE], const char *format, ...)
{
    char line[XMPI_MANAGER_LINE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return length < XMPI_MANAGER_LINE && send_all(fd, line) && read_line(fd, answer);
}

void xmpi_manager_leave(void)
{
    int fd = xmpi_manager();
    char answer[XMPI_MANAGER_LINE];
    if (fd >= 0)
        xmpi_manager_ask(fd, answer, "cmd=finalize\n");
}

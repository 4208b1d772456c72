/* SPDX-License-Identifier: BSD-3-Clause
 * The arguments of the program. */
#define _GNU_SOURCE
#include "program/checkpoint/arguments.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/data/digest.h"

void xmpi_arguments_text(const char *all, size_t bytes, char *text)
{
    enum { DIGEST = 32 };
    size_t length = bytes > 0 ? bytes - 1 : 0;
    size_t shown = length < XMPI_ARGUMENTS_MAX - 1 ? length : XMPI_ARGUMENTS_MAX - DIGEST;
    memset(text, 0, XMPI_ARGUMENTS_MAX);
    for (size_t i = 0; i < shown; i++)
        text[i] = all[i] != '\0' ? all[i] : ' ';
    if (shown < length)
        snprintf(text + shown, DIGEST, "... (%016llx)",
                 (unsigned long long)xmpi_digest_bytes(all, length, 0));
}

void xmpi_arguments_read(char *text)
{
    char all[1 << 14] = "";
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, all, sizeof all - 1) : 0;
    if (fd >= 0)
        close(fd);
    size_t name = length > 0 ? strlen(all) + 1 : 0;
    size_t rest = length > (ssize_t)name ? (size_t)length - name : 0;
    xmpi_arguments_text(all + name, rest, text);
}

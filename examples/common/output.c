/* SPDX-License-Identifier: BSD-3-Clause
 * Writing a file whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

void output_discard(const char *path)
{
    struct stat info;
    if (lstat(path, &info) == 0 && S_ISREG(info.st_mode))
        unlink(path);
}

/* Of several errors the first one tells why. */
static int close_file(FILE *file)
{
    int reason = ferror(file) ? errno : 0;
    if (fclose(file) != 0 && reason == 0)
        reason = errno;
    errno = reason;
    return reason == 0 ? 0 : -1;
}

int output_write(const char *path, void (*put)(const void *content, FILE *file),
                 const void *content)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return -1;
    put(content, file);
    if (close_file(file) == 0)
        return 0;
    int reason = errno;
    output_discard(path);
    errno = reason;
    return -1;
}

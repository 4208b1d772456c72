/* SPDX-License-Identifier: BSD-3-Clause
 * Reading small text files line by line. */
#define _POSIX_C_SOURCE 200809L
#include "files/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

xmpi_status_t xmpi_lines_each_of(FILE *file, const char *name, void *context,
                                 xmpi_status_t (*each)(void *context, char *text, int line,
                                                       xmpi_error_t *error),
                                 xmpi_error_t *error)
{
    char *text = NULL;
    size_t size = 0;
    xmpi_status_t status = XMPI_OK;
    if (file == NULL)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %s", name, strerror(errno));
    for (int line = 1; status == XMPI_OK && getline(&text, &size, file) >= 0; line++) {
        text[strcspn(text, "#\r\n")] = '\0';
        if (text[strspn(text, " \t")] != '\0')
            status = each(context, text, line, error);
    }
    if (status == XMPI_OK && ferror(file))
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %s", name, strerror(errno));
    free(text);
    fclose(file);
    return status;
}

xmpi_status_t xmpi_lines_each(const char *path, void *context,
                              xmpi_status_t (*each)(void *context, char *text, int line,
                                                    xmpi_error_t *error),
                              xmpi_error_t *error)
{
    return xmpi_lines_each_of(fopen(path, "r"), path, context, each, error);
}

int xmpi_parse_whole(const char *text, long long least, long long most, long long *number)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return *text != '\0' && *end == '\0' && errno == 0 && *number >= least && *number <= most;
}

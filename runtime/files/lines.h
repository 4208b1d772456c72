/* SPDX-License-Identifier: BSD-3-Clause
 * Reading small text files line by line, with # comments and line numbers. */
#ifndef XMPI_FILES_LINES_H
#define XMPI_FILES_LINES_H

#include <stdio.h>

#include "base/status.h"

/* Calls EACH for every line of the file PATH that is not blank, without its comment and its
 * newline; TEXT may be changed. Stops at the first status that is not XMPI_OK. */
xmpi_status_t xmpi_lines_each(const char *path, void *context,
                              xmpi_status_t (*each)(void *context, char *text, int line,
                                                    xmpi_error_t *error),
                              xmpi_error_t *error);

/* The same of FILE, called NAME, which is closed; NULL: it cannot be read, as errno says. */
xmpi_status_t xmpi_lines_each_of(FILE *file, const char *name, void *context,
                                 xmpi_status_t (*each)(void *context, char *text, int line,
                                                       xmpi_error_t *error),
                                 xmpi_error_t *error);

/* A whole number from LEAST to MOST, nothing behind it; whether it is one. */
int xmpi_parse_whole(const char *text, long long least, long long most, long long *number);

#endif

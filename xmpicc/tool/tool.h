/* SPDX-License-Identifier: BSD-3-Clause
 * What the commands beside xmpicc share: how they complain, and where their files are. */
#ifndef XMPI_TOOL_H
#define XMPI_TOOL_H

#include <stdbool.h>
#include <stddef.h>

enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_MISUSED = 2, TOOL_PATH_MAX = 4096 };

/* Writes "COMMAND: " and one line to stderr. Returns TOOL_MISUSED. */
int tool_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether FILE is in the folder FOLDER of that installation. Sets PATH in any case. */
bool tool_find(const char *folder, const char *file, char *path);

/* The absolute name of FILE in the folder FOLDER (share/xmpi, bin) of the installation that this
 * program belongs to; PATH is TOOL_PATH_MAX long. TOOL_MISUSED, and a line, where there is none. */
int tool_installed(const char *folder, const char *file, char *path);

/* How argp and the commands name the version: "COMMAND (XMPI) 0.1.0". */
void tool_version(void);

#endif

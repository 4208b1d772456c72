/* SPDX-License-Identifier: BSD-3-Clause
 * What the commands beside xmpicc share: how they complain, and where their files are. */
#ifndef XMPI_TOOL_H
#define XMPI_TOOL_H

#include <argp.h>
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

/* Reads the command line by ARGP into INPUT, with --version; ends the program with status 2 after
 * one line where it cannot be used. FLAGS as of argp_parse. */
void tool_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* For parsers of argp: one line, and the end of the program with status 2. */
_Noreturn void tool_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The number TEXT of the option NAME, from LEAST to a million; otherwise as tool_misuse. */
double tool_number(const char *name, const char *text, double least);

/* Runs SCRIPT of share/xmpi by node with ARGUMENT, and INPUT as its standard input: it draws
 * figures. Its status, or TOOL_MISUSED and a line. */
int tool_node(const char *script, const char *argument, const char *input);

#endif

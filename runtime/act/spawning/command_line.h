/* SPDX-License-Identifier: BSD-3-Clause
 * How this process was started, for starting another one like it: what runs before the loop runs
 * there again. */
#ifndef XMPI_ACT_SPAWNING_COMMAND_LINE_H
#define XMPI_ACT_SPAWNING_COMMAND_LINE_H

#include <stdbool.h>

#include "base/status.h"

typedef struct {
    char *program;      /* a path, or a name in PATH */
    char *name;         /* that it is started by; NULL: the same */
    char **argument;    /* without the name, NULL-terminated; NULL: none */
    char **variable;    /* "NAME=value" of the environment, NULL-terminated; NULL: none */
    const char *folder; /* where it runs; empty: anywhere */
    unsigned mask;      /* umask */
} xmpi_command_line_t;

/* Takes note of it, before main can change anything. */
void xmpi_command_line_note(int argc, char **argv);

/* This process. What it points to stays. */
xmpi_status_t xmpi_command_line_read(xmpi_command_line_t *command, xmpi_error_t *error);

/* PROGRAM with ARGUMENT, where this process is now. */
void xmpi_command_line_make(const char *program, char **argument, xmpi_command_line_t *command);

/* Whether PROGRAM, a path or a name in PATH, can be executed here. A process manager that cannot
 * execute it may never say so (Hydra does not), and the spawn would wait for ever. */
bool xmpi_command_line_exists(const char *program);

#endif

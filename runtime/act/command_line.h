/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of this process, for starting another one like it. Programs may call
 * MPI_Init(NULL, NULL), so it is read from the system. */
#ifndef XMPI_ACT_COMMAND_LINE_H
#define XMPI_ACT_COMMAND_LINE_H

#include <stdbool.h>

#include "status.h"

typedef struct {
    char *program;   /* absolute path; malloc, like the others */
    char **argument; /* without the program, NULL-terminated */
    char *text;      /* what the arguments point into */
} xmpi_command_line_t;

xmpi_status_t xmpi_command_line_read(xmpi_command_line_t *command, xmpi_error_t *error);
/* Whether PROGRAM, a path or a name in PATH, can be executed here. A process manager that cannot
 * execute it may never say so (Hydra does not), and the spawn would wait for ever. */
bool xmpi_command_line_exists(const char *program);

void xmpi_command_line_free(xmpi_command_line_t *command);

#endif

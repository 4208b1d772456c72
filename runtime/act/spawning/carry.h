/* SPDX-License-Identifier: BSD-3-Clause
 * Carry: what a new process starts with, as the program was started: arguments, the folder, the
 * umask. Process managers change it: Hydra ends an argument at a line break and dies of long ones.
 * So it travels in variables of the environment, in hexadecimal digits and in pieces; the process
 * takes it out before main, and starts itself again with it. */
#ifndef XMPI_ACT_SPAWNING_CARRY_H
#define XMPI_ACT_SPAWNING_CARRY_H

#include "act/spawning/command_line.h"

typedef struct {
    int n;
    char **variable; /* "NAME=digits"; malloc, like the others */
} xmpi_carry_t;

/* XMPI_ERR_PROCESS when it is more than a process manager takes. */
xmpi_status_t xmpi_carry_make(const xmpi_command_line_t *command, xmpi_carry_t *carry,
                              xmpi_error_t *error);
void xmpi_carry_free(xmpi_carry_t *carry);

/* The other side, before main. Returns where nothing was carried. */
void xmpi_carry_receive(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Processes that are bound to cores. */
#ifndef XMPI_PROGRAM_LIFE_BIND_H
#define XMPI_PROGRAM_LIFE_BIND_H

#include "act/members/shared.h"

/* Where the settings want it (XMPI_BIND), binds this process, which is PROCESS of the process
 * table, to the core of its node that its processing element stands for. Where that cannot be done
 * a line says so, and it stays as it is. */
void xmpi_bind(const xmpi_shared_t *shared, int process);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Processes that are bound to cores. */
#ifndef XMPI_PROGRAM_LIFE_BIND_H
#define XMPI_PROGRAM_LIFE_BIND_H

#include "act/members/shared.h"
#include "decide/layout/cores.h"

/* What has to be known before the first is bound, at this process of RANK; all of mpiexec's take
 * part. Where a launcher has given processes of a node different CPUs nobody is bound, as a line
 * says; else all know what the cores are behind of the nodes that there are processes on. */
void xmpi_bind_prepare(xmpi_shared_t *shared, int rank);

/* Where the settings want it (XMPI_BIND), binds this process, which is PROCESS of the process
 * table, to the core of its node that its processing element stands for. Where that cannot be done
 * a line says so, and it stays as it is. */
void xmpi_bind(const xmpi_shared_t *shared, int process);

/* What the cores of this node, that of PROCESS, are behind; none where nobody is bound, or where
 * that is known. */
void xmpi_bind_look(const xmpi_shared_t *shared, int process, xmpi_cores_t *cores);

#endif

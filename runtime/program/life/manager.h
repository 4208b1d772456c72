/* SPDX-License-Identifier: BSD-3-Clause
 * Manager: speaking to the process manager, Hydra, by its wire protocol (PMI-1: a line for a line).
 */
#ifndef XMPI_PROGRAM_LIFE_MANAGER_H
#define XMPI_PROGRAM_LIFE_MANAGER_H

#include <stdbool.h>

enum { XMPI_MANAGER_LINE = 1024 };

/* The connection that MPICH uses. Only Hydra sets what it is told by, on all of its processes;
 * other managers may not stand to be spoken to by two. -1: none. */
int xmpi_manager(void);

/* Sends a line to the manager at FD and waits for the ANSWER; false when there is none, or the line
 * is too long. Not while MPI may be speaking there: before PMPI_Init, or in the thread that calls
 * MPI. */
bool xmpi_manager_ask(int fd, char answer[XMPI_MANAGER_LINE], const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Takes leave of the manager, for a process that ends without PMPI_Finalize and is missed by
 * nobody. One that just ends Hydra takes for a failed one: it kills the others that it has started
 * with it, and if it hears that the connection is closed after it has heard that the process has
 * ended well, it ends the job. */
void xmpi_manager_leave(void);

#endif

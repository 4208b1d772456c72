/* SPDX-License-Identifier: BSD-3-Clause
 * Other processes of this node, as the kernel tells of them. */
#ifndef XMPI_ACT_MACHINE_PROCESS_H
#define XMPI_ACT_MACHINE_PROCESS_H

#include <stdbool.h>

/* NAME (its first 15 characters) and PARENT of the process PID; false where there is none.
 * Takes no memory and no lock: also between fork and exec. */
bool xmpi_process_stat(int pid, char name[64], int *parent);

#endif

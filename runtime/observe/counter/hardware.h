/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the hardware of this machine counts for us at all. */
#ifndef XMPI_OBSERVE_COUNTER_HARDWARE_H
#define XMPI_OBSERVE_COUNTER_HARDWARE_H

#include <stdbool.h>

/* By what any processor that counts does, the instructions of this process: false on most virtual
 * machines, and where the kernel does not let one; also where it takes so long to stop and start
 * counting, as the kernel does when a process waits, that programs would be slower for it. Ten
 * system calls. */
bool xmpi_hardware_counts(void);

#endif

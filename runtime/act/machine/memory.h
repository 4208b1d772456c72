/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that this process may still use. */
#ifndef XMPI_ACT_MACHINE_MEMORY_H
#define XMPI_ACT_MACHINE_MEMORY_H

#include <stdint.h>

/* Bytes that the cgroup and the machine have left, for whoever is first; some ten files are read. */
int64_t xmpi_memory_available(void);

/* Bytes of new storage that may be filled before old storage is given back, where BYTES are wanted:
 * SET where it is not 0; else half of what the cgroup or the machine has left, shared with PROCESSES
 * that may be on the same node, at least 64 MiB. Where these suffice nobody looks what is left, for
 * which some ten files are read: as long as a change of few data takes. */
int64_t xmpi_memory_limit(int64_t bytes, int64_t set, int processes);

/* Bytes left in the cgroup, of version 1 or 2, whose files are in FOLDER; INT64_MAX when it sets no
 * limit or there is none. Page cache that can go counts as left. */
int64_t xmpi_memory_left(const char *folder);

#endif

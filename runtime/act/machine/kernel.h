/* SPDX-License-Identifier: BSD-3-Clause
 * Which kernel this process runs on, and in which of its namespaces: what processes have in common
 * that reach one another without a network. */
#ifndef XMPI_ACT_MACHINE_KERNEL_H
#define XMPI_ACT_MACHINE_KERNEL_H

#include <stdint.h>

/* Equal for two processes that share the kernel, since it was booted, and its namespace SPACE
 * ("net", "pid"). 0: it cannot be known. */
uint64_t xmpi_kernel_space(const char *space);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The CPUs that this process may run on, and being bound to one core of them. */
#ifndef XMPI_ACT_MACHINE_CPUS_H
#define XMPI_ACT_MACHINE_CPUS_H

#include <sched.h>
#include <stdbool.h>

#include "base/status.h"

/* Those that the process was given, whether it has been bound since or not. False where that cannot
 * be told. Needs _GNU_SOURCE. */
bool xmpi_cpus_given(cpu_set_t *given);

/* Binds this thread, and those that it starts from now on, to core INDEX of those, in the order of
 * their CPUs, with all its CPUs that were given; where there are fewer it begins again with the
 * first. XMPI_ERR_INPUT where it cannot be done. */
xmpi_status_t xmpi_cpus_bind(int index, xmpi_error_t *error);

#endif

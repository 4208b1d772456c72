/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "base/process/nice.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NICENESS = 5 };

/* (On Linux priorities are those of threads.) */
void xmpi_be_nice(void)
{
    pid_t thread = (pid_t)syscall(SYS_gettid);
    if (thread != getpid())
        setpriority(PRIO_PROCESS, (id_t)thread, NICENESS);
}

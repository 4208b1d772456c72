/* SPDX-License-Identifier: BSD-3-Clause
 * The begin of the program. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/resource.h>

#include "image/memory/arena.h"
#include "image/process.h"
#include "image/restart.h"

/* image/stack.c */
int xmpi_image_start(int argc, char **argv, char **envp, char *top);
int __wrap_main(int argc, char **argv, char **envp);

static size_t stack_size(void)
{
    struct rlimit limit;
    size_t least = 64u << 20;
    bool limited = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return !limited ? 1u << 30 : limit.rlim_cur > least ? limit.rlim_cur : least;
}

int __wrap_main(int argc, char **argv, char **envp)
{
    xmpi_arena_open();
    char *top = xmpi_arena_stack(stack_size());
    xmpi_arena()->stack_top = (uint64_t)(uintptr_t)top;
    xmpi_process_begin(argc, &argv, &envp);
    xmpi_restart_begin(argc, argv, envp, top);
    int status = xmpi_image_start(argc, argv, envp, top);
    exit(status); /* (what the program has asked to be done at its end comes first) */
}

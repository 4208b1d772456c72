/* SPDX-License-Identifier: BSD-3-Clause
 * Building and running the programs of this folder. */
#ifndef XMPI_TESTS_MOVABLE_RUN_H
#define XMPI_TESTS_MOVABLE_RUN_H

#include "support/shell.h"

enum { SECONDS = 240, PROCESSES = 3 };

/* Of tests to which any machine is as good. */
static inline int setup_anywhere(void **state)
{
    machine_invent();
    return setup(state);
}

static void build(const char *name, const char *flags)
{
    const char *line = "own=$(sed -n 's,^// flags: ,,p' '%s/tests/movable/%s.c') && "
                       "'%s/bin/%s' -g -O2 %s '%s/tests/movable/%s.c' -o %s%s $own";
    free(sh(line, source_dir(), name, build_dir(), "xmpicc", flags, source_dir(), name, name, ""));
    free(sh(line, source_dir(), name, build_dir(), "mpicc", "-DPLAIN", source_dir(), name, name,
            ".plain"));
}

#endif

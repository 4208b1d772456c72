/* SPDX-License-Identifier: BSD-3-Clause
 * Building the MPI programs of tests. */
#include "support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

enum { SECONDS = 120 };

int program_build(const char *dir, const char *program, const char *flags)
{
    const char *sanitize = getenv("SANITIZE_FLAGS");
    command_t made = command_shell(
        dir, SECONDS,
        "'%s'/bin/mpicc -O1 -g -Wall -Wextra -Werror -Wno-stringop-overflow %s -I'%s'/include "
        "'%s'/tests/mpi/programs/%s.c -o %s -L'%s'/lib -lxmpi -Wl,-rpath,'%s'/lib %s",
        build_dir(), sanitize != NULL ? sanitize : "", build_dir(), source_dir(), program, program,
        build_dir(), build_dir(), flags);
    int status = made.status;
    if (status != 0)
        fprintf(stderr, "%s", made.err);
    command_free(&made);
    return status;
}

const char *mpicc_takes(const char *cc)
{
    static char own[64], line[128];
    if (own[0] == '\0') {
        command_t shown = command_shell(NULL, SECONDS, "'%s'/bin/mpicc -show", build_dir());
        snprintf(own, sizeof own, "%.*s", (int)strcspn(shown.out, " \n"), shown.out);
        command_free(&shown);
    }
    snprintf(line, sizeof line, "export MPICH_CC=%s;", cc);
    return strcmp(own, cc) == 0 ? "" : line;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Building and running the programs of this folder. */
#ifndef XMPI_TESTS_MOVABLE_RUN_H
#define XMPI_TESTS_MOVABLE_RUN_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

enum { SECONDS = 240, PROCESSES = 3 };

static char *dir;

static int setup(void **state)
{
    (void)state;
    dir = scratch_make();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* The output of a shell line that must succeed, malloc. */
static char *sh(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *sh(const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    assert_true(vasprintf(&line, format, arguments) >= 0);
    va_end(arguments);
    command_t command = command_shell(dir, SECONDS, "%s", line);
    if (command.status != 0)
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    free(line);
    free(command.err);
    return command.out;
}

static void build(const char *name, const char *flags)
{
    const char *line = "own=$(sed -n 's,^// flags: ,,p' '%s/tests/movable/%s.c') && "
                       "'%s/bin/%s' -g -O2 %s '%s/tests/movable/%s.c' -o %s%s $own";
    free(sh(line, source_dir(), name, build_dir(), "xmpicc", flags, source_dir(), name, name, ""));
    free(sh(line, source_dir(), name, build_dir(), "mpicc", "-DPLAIN", source_dir(), name, name,
            ".plain"));
}

static int moves_in_trace(void)
{
    char *text = sh("grep -c '\"outcome\":\"done\"' t || true");
    int moves = atoi(text);
    free(text);
    return moves;
}

static const char pool[] = "XMPI_BACKEND=pool XMPI_ACTIVE=3";
static const char spawn[] = "XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_STRATEGY=concurrent";

#endif

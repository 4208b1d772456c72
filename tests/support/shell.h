/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of the shell in a scratch folder, for tests that are mostly such lines. A header, as each
 * test is a program of one file. */
#ifndef XMPI_TESTS_SHELL_H
#define XMPI_TESTS_SHELL_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

enum { SHELL_SECONDS = 300 };

static char *dir;

static inline int setup(void **state)
{
    (void)state;
    dir = scratch_make();
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* A line as it is, with $B the build, $S the source, and the commands of the build in PATH. */
static inline command_t shell_run(const char *line)
{
    return command_shell(dir, SHELL_SECONDS, "B='%s' S='%s'; PATH=$B/bin:$PATH; %s", build_dir(),
                         source_dir(), line);
}

/* The output of a line that must succeed, malloc. */
static inline char *sh_line(const char *line)
{
    command_t command = shell_run(line);
    if (command.status != 0)
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    free(command.err);
    return command.out;
}

/* The same of a line made with printf arguments. */
static inline char *sh(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline char *sh(const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    assert_true(vasprintf(&line, format, arguments) >= 0);
    va_end(arguments);
    char *out = sh_line(line);
    free(line);
    return out;
}

/* The number that such a line prints. */
static inline int count_of(const char *line)
{
    char *text = sh_line(line);
    int n = atoi(text);
    free(text);
    return n;
}

/* How many changes of members or places the trace "t" tells of. */
static inline int changes_in_trace(void)
{
    return count_of("grep -c '\"outcome\":\"done\"' t || true");
}

static const char pool[] = "XMPI_BACKEND=pool XMPI_ACTIVE=3";
static const char spawn[] = "XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_STRATEGY=concurrent";

#endif

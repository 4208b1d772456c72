/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of the rewriter on files of tests/rewriter, in a scratch folder, for its tests.
 *
 * XMPI_UPDATE=1 writes the expected files anew; look at the difference before you keep it. */
#ifndef XMPI_TESTS_REWRITING_H
#define XMPI_TESTS_REWRITING_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/command.h"
#include "support/program.h"

#define STRICT                                                                                     \
    "-O2 -Wall -Wextra -Wconversion -Wshadow -pedantic-errors -Werror -Wno-unknown-pragmas "       \
    "-Wno-misleading-indentation"

enum { SECONDS = 120, CASES_MAX = 512 };

typedef struct {
    char *scratch;
    char includes[512]; /* -I options for mpi.h */
} fixture_t;

static fixture_t fixture;

static inline char *folder(const char *name)
{
    return formatted("%s/tests/rewriter/%s", source_dir(), name);
}

/* Runs the rewriter in FOLDER on NAME; the output goes to OUT in the scratch folder. */
static inline command_t rewrite(const char *where, const char *name, const char *out,
                                const char *options)
{
    return command_shell(
        where, SECONDS, "'%s/bin/xmpi-rewrite' --output='%s/%s' --name='%s' %s '%s' -- %s -std=c11",
        build_dir(), fixture.scratch, out, name, options, name, fixture.includes);
}

static inline void expect_success(command_t command)
{
    if (command.status != 0)
        print_error("status %d\n%s%s\n", command.status, command.out, command.err);
    assert_int_equal(command.status, 0);
    command_free(&command);
}

/* The lines of TEXT that begin with PREFIX, in their order. */
static inline char *lines_with(const char *lines, const char *prefix)
{
    char *found = calloc(strlen(lines) + 1, 1);
    for (const char *line = lines; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (strncmp(line, prefix, strlen(prefix)) == 0)
            strncat(found, line, length);
        line += length;
    }
    return found;
}

/* Compares with the file EXPECTED, or writes it when asked to. */
static inline void expect_file(const char *expected, const char *actual)
{
    if (getenv("XMPI_UPDATE") != NULL)
        write_file(expected, actual);
    char *wanted = read_file(expected, NULL);
    assert_non_null(wanted);
    if (strcmp(wanted, actual) != 0)
        print_error("%s differs; got:\n%s\n", expected, actual);
    assert_string_equal(wanted, actual);
    free(wanted);
}

/* Compiles SOURCE with the compiler CC and more ARGUMENTS. */
static inline void compile(const char *cc, const char *source, const char *arguments)
{
    expect_success(command_shell(fixture.scratch, SECONDS,
                                 "%s '%s/bin/mpicc' -I '%s/runtime/include' '%s' %s",
                                 mpicc_takes(cc), build_dir(), source_dir(), source, arguments));
}

/* The names of the cases in FOLDER: files *.c that are not expected outputs. */
static inline size_t for_each_case(const char *where, char **names)
{
    glob_t found;
    size_t count = 0;
    char *all = folder(where), *pattern = formatted("%s/*.c", all);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = strrchr(found.gl_pathv[i], '/') + 1;
        assert_true(count < CASES_MAX);
        if (strstr(name, ".expected.c") == NULL && strstr(name, ".readable.c") == NULL)
            names[count++] = strndup(name, strlen(name) - 2);
    }
    globfree(&found);
    free(pattern);
    free(all);
    return count;
}

/* The scratch folder, and where mpi.h is. */
static inline void set_up(void)
{
    fixture.scratch = scratch_make();
    command_t command = command_shell(NULL, SECONDS,
                                      "'%s/bin/mpicc' -show -c x.c | tr ' ' '\\n' | grep '^-I' | "
                                      "tr '\\n' ' '",
                                      build_dir());
    snprintf(fixture.includes, sizeof fixture.includes, "%s", command.out);
    command_free(&command);
    mpicc_takes(""); /* asks what there is, before there are several processes */
}

#endif

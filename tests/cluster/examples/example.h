/* SPDX-License-Identifier: BSD-3-Clause
 * What the tests of the examples share: building them, running them, looking at their files. A
 * header, as each test is a program of one file. */
#ifndef XMPI_TESTS_EXAMPLE_H
#define XMPI_TESTS_EXAMPLE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/command.h"

enum { LIMIT = 120 };

__attribute__((unused)) static char *path_of(const char *dir, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", dir, name) < 0)
        abort();
    return path;
}

__attribute__((unused)) static void put(const char *dir, const char *name, const char *text)
{
    char *path = path_of(dir, name);
    write_file(path, text);
    free(path);
}

__attribute__((unused)) static char *content(const char *dir, const char *name, size_t *length)
{
    char *path = path_of(dir, name), *text = read_file(path, length);
    if (text == NULL)
        fail_msg("%s: there is no such file", path);
    free(path);
    return text;
}

__attribute__((unused)) static int exists(const char *dir, const char *name)
{
    char *path = path_of(dir, name);
    int found = access(path, F_OK) == 0;
    free(path);
    return found;
}

__attribute__((unused)) static void must_succeed(command_t command)
{
    if (command.status != 0)
        fail_msg("exit status %d\n%s%s", command.status, command.out, command.err);
    command_free(&command);
}

__attribute__((unused)) static void assert_same_files(const char *dir, const char *one,
                                                      const char *other)
{
    char *first = content(dir, one, NULL), *second = content(dir, other, NULL);
    assert_true(strlen(first) > 0);
    if (strcmp(first, second) != 0)
        fail_msg("%s and %s differ", one, other);
    free(first);
    free(second);
}

/* Two files of one number in each line: as many, and nowhere further apart than TOLERANCE times the
 * greatest of them. */
__attribute__((unused)) static void assert_near(const char *dir, const char *one, const char *other,
                                                double tolerance)
{
    char *first = content(dir, one, NULL), *second = content(dir, other, NULL);
    char *x = first, *y = second, *x_end, *y_end;
    double greatest = 0, difference = 0;
    assert_true(*first != '\0');
    for (; *x != '\0' && *y != '\0'; x = x_end + 1, y = y_end + 1) {
        double a = strtod(x, &x_end), b = strtod(y, &y_end);
        assert_true(x_end != x && y_end != y && *x_end == '\n' && *y_end == '\n');
        greatest = fmax(greatest, fabs(a));
        difference = fmax(difference, fabs(a - b));
    }
    if (*x != *y || !(difference <= tolerance * greatest))
        fail_msg("%s and %s differ by %g of %g", one, other, difference, greatest);
    free(first);
    free(second);
}

/* Standard output of plain PROGRAM with ARGUMENTS on RANKS processes, malloc. */
__attribute__((unused)) static char *output_of(const char *dir, const char *program, int ranks,
                                               const char *arguments)
{
    command_t command =
        command_shell(dir, LIMIT, "exec $(readlink -f '%s/bin/mpiexec') -n %d ./%s %s", build_dir(),
                      ranks, program, arguments);
    if (command.status != 0)
        fail_msg("%s %s: exit status %d\n%s%s", program, arguments, command.status, command.out,
                 command.err);
    free(command.err);
    return command.out;
}

/* The number behind NAME in a line of OUTPUT. */
__attribute__((unused)) static double figure(const char *output, const char *name)
{
    double value = NAN;
    char *line = path_of("", name);
    *line = '\n';
    const char *at = strncmp(output, name, strlen(name)) == 0 ? output - 1 : strstr(output, line);
    if (at == NULL || sscanf(at + 1 + strlen(name), " %lf", &value) != 1)
        fail_msg("there is no \"%s\" in:\n%s", name, output);
    free(line);
    return value;
}

/* PROGRAM ends with STATUS, one line that contains EXPECTED, and has written no file "refused". */
__attribute__((unused)) static void assert_refused(const char *dir, const char *program, int ranks,
                                                   const char *arguments, int status,
                                                   const char *expected)
{
    command_t command =
        command_shell(dir, LIMIT, "exec $(readlink -f '%s/bin/mpiexec') -n %d ./%s %s", build_dir(),
                      ranks, program, arguments);
    char *newline = strchr(command.err, '\n');
    if (command.status != status || strstr(command.err, expected) == NULL || newline == NULL ||
        newline[1] != '\0' || *command.out != '\0')
        fail_msg("%s %s: expected \"%s\" and status %d, got %d:\n%s%s", program, arguments,
                 expected, status, command.status, command.out, command.err);
    assert_false(exists(dir, "refused"));
    command_free(&command);
}

/* Builds example NAME with COMPILER (mpicc, xmpicc) into folder TO of DIR, by its own makefile. */
__attribute__((unused)) static void build_example(const char *dir, const char *name,
                                                  const char *compiler, const char *to)
{
    must_succeed(command_shell(dir, 2 * LIMIT,
                               "make -s -C '%s/examples/%s' CC=\"'%s/bin/%s'\" BUILD=\"$PWD/%s\"",
                               source_dir(), name, build_dir(), compiler, to));
}

__attribute__((unused)) static void assert_builds_cleanly(const char *dir, const char *name)
{
    command_t command =
        command_shell(dir, 2 * LIMIT,
                      "rm -rf own && cp -r '%s/examples' own && cd own/%s && rm -f *.o && "
                      "PATH='%s/bin':$PATH make && test -x %s && make clean && "
                      "! ls *.o %s generate 2>/dev/null",
                      source_dir(), name, build_dir(), name, name);
    assert_string_equal(command.err, "");
    assert_int_equal(command.status, 0);
    command_free(&command);
}

#endif

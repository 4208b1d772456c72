/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of the folder ladder, in styles that are met in programs of others, each with one line:
 * all of them resize, and print what the plain programs print. One line more for each array, which
 * names it, is what some need. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

enum { SECONDS = 240, LEAST = 40, CHECKED = 20, PERCENT = 85 };

static char *dir;
static size_t told;    /* programs with a clause that a note has told */
static size_t checked; /* runs in which a change was found equal by an iteration in both worlds */

static int setup(void **state)
{
    (void)state;
    dir = scratch_make();
    machine_invent();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* The output, and what was said (SAID, malloc; or NULL), of a line that must succeed; malloc. */
static char *sh(char **said, const char *format, ...) __attribute__((format(printf, 2, 3)));

static char *sh(char **said, const char *format, ...)
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
    if (said == NULL)
        free(command.err);
    else
        *said = command.err;
    return command.out;
}

/* With rows in a random number, and members that change at random. */
static void resize(const char *name, const char *settings, int processes, int rows, int seed)
{
    char *plain = sh(NULL, "'%s/bin/mpiexec' -n 3 ./plain %d", build_dir(), rows);
    char *resized = sh(NULL,
                       "XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=%d XMPI_TRACE=t %s "
                       "'%s/bin/mpiexec' -n %d ./resized %d 2>&1",
                       seed, settings, build_dir(), processes, rows);
    if (strcmp(plain, resized) != 0)
        fail_msg("%s, %d rows, seed %d: %s instead of %s", name, rows, seed, resized, plain);
    free(sh(NULL, "grep -q '\"outcome\":\"done\"' t"));
    char *equal = sh(NULL, "grep -c '\"event\":\"check\".*\"outcome\":\"equal\"' t || true");
    checked += atoi(equal) > 0;
    free(equal);
    free(resized);
    free(plain);
}

static const char loop_line[] = "#pragma xmpi loop";

/* PROGRAM with LINE for the one with its pragma, in the file NAME. */
static void replace_line(const char *program, const char *line, int length, const char *name)
{
    const char *begin = strstr(program, loop_line), *end = begin ? strchr(begin, '\n') : NULL;
    char *text = NULL, *file = NULL;
    assert_non_null(end);
    assert_true(asprintf(&text, "%.*s%.*s%s", (int)(begin - program), program, length, line, end) >=
                0);
    assert_true(asprintf(&file, "%s/%s", dir, name) >= 0);
    write_file(file, text);
    free(file);
    free(text);
}

/* What SAID advises to write, before what it says of it, stands for the line of PROGRAM, and is
 * taken; false: it advises nothing. */
static bool take_advice(const char *program, const char *said, const char *before)
{
    static const char advice[] = "'#pragma xmpi loop state(";
    const char *begin = strstr(said, advice), *end = begin ? strstr(begin, before) : NULL;
    if (end == NULL)
        return false;
    replace_line(program, begin + 1, (int)(end - begin), "advised.c");
    free(sh(NULL, "'%s/bin/xmpicc' -w -O0 -I'%s/tests/startover/ladder' advised.c -o advised -lm",
            build_dir(), source_dir()));
    return true;
}

/* Without the clause of PROGRAM: whether a note has one that lets it resize, which then is what
 * runs. */
static bool is_advised(const char *program)
{
    char *said = NULL;
    replace_line(program, loop_line, (int)strlen(loop_line), "stripped.c");
    free(sh(&said, "'%s/bin/xmpicc' -w -O0 -I'%s/tests/startover/ladder' -c stripped.c",
            build_dir(), source_dir()));
    assert_non_null(strstr(said, "remark: movable"));
    const bool advised = take_advice(program, said, ")' lets it change");
    if (advised)
        free(sh(NULL, "mv advised resized"));
    free(said);
    return advised;
}

/* Compiles PATH, plain and to be resized; whether it needs no clause. */
static bool build(const char *path)
{
    char *said = NULL, *program = read_file(path, NULL);
    free(sh(&said,
            "'%s/bin/xmpicc' -w -O0 '%s' -o resized -lm && '%s/bin/mpicc' -w -O0 '%s' -o plain -lm",
            build_dir(), path, build_dir(), path));
    const bool bare = strstr(program, "#pragma xmpi loop\n") != NULL;
    if (strstr(said, "remark: movable") != NULL)
        fail_msg("%s: %s", path, said);
    if (strstr(said, "remark: resizable") != NULL &&
        !take_advice(program, said, ")' says the same"))
        fail_msg("%s: %s", path, said);
    told += !bare && is_advised(program);
    free(program);
    free(said);
    return bare;
}

/* Whether PATH is one of those that LADDER, a part of its name, asks for. */
static bool is_wanted(const char *path)
{
    const char *wanted = getenv("LADDER");
    return wanted == NULL || strstr(path, wanted) != NULL;
}

/* One size with one backend for each; with SOAK=N (200) N sizes with both, where each change is
 * checked by an iteration in both worlds. */
static void programs_of_others_resize(void **state)
{
    static const char *const settings[] = {
        "XMPI_BACKEND=pool XMPI_ACTIVE=3",
        "XMPI_BACKEND=spawn XMPI_MAX=5 XMPI_STRATEGY=concurrent"};
    const char *soak = getenv("SOAK");
    char *pattern = NULL, *environment = NULL;
    size_t bare = 0, runs = soak != NULL ? 2 * (size_t)atoi(soak) : 1;
    glob_t found;
    (void)state;
    srand(20);
    assert_true(asprintf(&pattern, "%s/tests/startover/ladder/*.c", source_dir()) >= 0);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        if (!is_wanted(path))
            continue;
        bare += build(path);
        for (size_t run = 0; run < runs; run++) {
            const size_t backend = (i + run) % 2;
            assert_true(asprintf(&environment, "%s %s", soak != NULL ? "XMPI_CHECK=all" : "",
                                 settings[backend]) >= 0);
            resize(path, environment, backend == 0 ? 5 : 3,
                   20 + rand() % (soak != NULL ? 400 : 100), 1 + rand() % 50);
            free(environment);
        }
    }
    printf("# ladder.one_line_percent %.3g: %zu of %zu programs need no clause\n",
           100.0 * (double)bare / (double)found.gl_pathc, bare, found.gl_pathc);
    printf("# of the others %zu have one that a note has told\n", told);
    printf("# %zu runs had changes that were checked without being asked for\n", checked);
    assert_true(getenv("LADDER") != NULL ||
                (told >= 2 && checked >= CHECKED && found.gl_pathc >= LEAST &&
                 100 * bare >= PERCENT * found.gl_pathc));
    globfree(&found);
    free(pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_of_others_resize)};
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup, teardown);
}

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

enum { SECONDS = 240, LEAST = 40, CHECKED = 20, PERCENT = 85, MEMBERS = 5 };
enum { POOL, SPAWN, BACKENDS };

static char *dir;
static size_t told;    /* programs with a clause that a note has told */
static size_t checked; /* runs in which a change was found equal by an iteration in both worlds */
static size_t equal;   /* such changes */
static size_t sizes;   /* changes to another number of members */
static size_t runs;

/* Files that some of the programs read. */
static void write_inputs(void)
{
    enum { VALUES = 400 };
    char *text = formatted("%s/parameters.txt", dir), *binary = formatted("%s/values.bin", dir);
    FILE *values = fopen(binary, "wb");
    assert_non_null(values);
    for (int i = 0; i <= VALUES; i++) {
        const double value = i == 0 ? VALUES : 1 + i * 37 % 101;
        assert_int_equal(fwrite(&value, sizeof value, 1, values), 1);
    }
    fclose(values);
    write_file(text, "factor 0.7\nshift 0.25\nwidth 3\n");
    free(binary);
    free(text);
}

static int setup(void **state)
{
    (void)state;
    dir = scratch_make();
    machine_invent();
    write_inputs();
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

/* What the event LINE says of NAME, a number of its object; -1: nothing. */
static long field_of(const char *line, const char *name)
{
    const char *found = strstr(line, name);
    return found != NULL ? strtol(found + strlen(name), NULL, 10) : -1;
}

/* Counts what the trace of a run tells, in which a change must have been made; returns how many of
 * the changes led to another number of members. */
static size_t judge_trace(const char *name)
{
    char *path = formatted("%s/t", dir), *trace = read_file(path, NULL), *rest = NULL;
    size_t changes = 0, same = 0, other = 0;
    assert_non_null(trace);
    for (char *line = strtok_r(trace, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const bool done = strstr(line, "\"event\":\"reconfiguration\"") != NULL &&
                          strstr(line, "\"outcome\":\"done\"") != NULL;
        changes += done;
        other += done && field_of(line, "\"from\":") != field_of(line, "\"to\":");
        same += strstr(line, "\"event\":\"check\"") != NULL &&
                strstr(line, "\"outcome\":\"equal\"") != NULL;
    }
    if (changes == 0)
        fail_msg("%s: no change", name);
    sizes += other;
    equal += same;
    checked += same > 0;
    free(trace);
    free(path);
    return other;
}

/* What stands behind "Arguments: " in the program PATH, which follow the number of rows, malloc. */
static char *arguments_of(const char *path)
{
    static const char mark[] = "Arguments: ";
    char *program = read_file(path, NULL), *at = program ? strstr(program, mark) : NULL;
    char *found =
        at != NULL ? strndup(at + strlen(mark), strcspn(at + strlen(mark), "*\n")) : strdup("");
    free(program);
    return found;
}

/* With a number of PROCESSES, of which some may be parked, and members that change at random;
 * returns how often their number did. The plain program runs with another number. */
static size_t resize(const char *name, const char *settings, int processes, int rows, int seed)
{
    char *arguments = arguments_of(name);
    char *plain = sh(NULL, "'%s/bin/mpiexec' -n %d ./plain %d %s", build_dir(), 1 + seed % MEMBERS,
                     rows, arguments);
    char *resized = sh(NULL,
                       "XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=%d XMPI_TRACE=t %s "
                       "'%s/bin/mpiexec' -n %d ./resized %d %s 2>&1",
                       seed, settings, build_dir(), processes, rows, arguments);
    if (strcmp(plain, resized) != 0)
        fail_msg("%s, %s, %d processes, %d rows, seed %d: %s instead of %s", name, settings,
                 processes, rows, seed, resized, plain);
    free(resized);
    free(plain);
    free(arguments);
    runs++;
    return judge_trace(name);
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

/* The sources that make a program with that at PATH, "" or all others of its folder, and where its
 * headers are, as words for the shell; malloc. */
static char *sources_beside(const char *path)
{
    const char *base = strrchr(path, '/') + 1;
    if (strcmp(base, "main.c") != 0)
        return formatted("-I'%s/tests/startover/ladder'", source_dir());
    const int length = (int)(base - path);
    return formatted("-I'%.*s' $(ls '%.*s'*.c | grep -v '/main.c$')", length, path, length, path);
}

/* What SAID advises to write, before what it says of it, stands for the line of PROGRAM, and is
 * taken; false: it advises nothing. */
static bool take_advice(const char *path, const char *program, const char *said, const char *before)
{
    static const char advice[] = "'#pragma xmpi loop state(";
    const char *begin = NULL, *end = strstr(said, before);
    for (const char *at = said; end != NULL && (at = strstr(at, advice)) != NULL && at < end; at++)
        begin = at; /* the reason may have advice of its own */
    if (begin == NULL)
        return false;
    replace_line(program, begin + 1, (int)(end - begin), "advised.c");
    char *beside = sources_beside(path);
    free(sh(NULL, "'%s/bin/xmpicc' -w -O0 %s advised.c -o advised -lm", build_dir(), beside));
    free(beside);
    return true;
}

/* Without the clause of PROGRAM: whether a note has one that lets it resize, which then is what
 * runs. */
static bool is_advised(const char *path, const char *program)
{
    char *said = NULL, *beside = sources_beside(path);
    replace_line(program, loop_line, (int)strlen(loop_line), "stripped.c");
    free(sh(&said, "'%s/bin/xmpicc' -w -O0 %s stripped.c -o stripped -lm", build_dir(), beside));
    free(beside);
    assert_non_null(strstr(said, "remark: movable"));
    const bool advised = take_advice(path, program, said, ")' lets it change") ||
                         take_advice(path, program, said, ")' (by sizes");
    if (advised)
        free(sh(NULL, "mv advised resized"));
    free(said);
    return advised;
}

/* Compiles PATH, plain and to be resized; whether it needs no clause. */
static bool build(const char *path)
{
    char *said = NULL, *program = read_file(path, NULL), *beside = sources_beside(path);
    free(sh(&said,
            "'%s/bin/xmpicc' -w -O0 %s '%s' -o resized -lm && "
            "'%s/bin/mpicc' -w -O0 %s '%s' -o plain -lm",
            build_dir(), beside, path, build_dir(), beside, path));
    free(beside);
    const bool bare = strstr(program, "#pragma xmpi loop\n") != NULL;
    if (strstr(said, "remark: movable") != NULL)
        fail_msg("%s: %s", path, said);
    if (strstr(said, "remark: resizable") != NULL &&
        !take_advice(path, program, said, ")' says the same"))
        fail_msg("%s: %s", path, said);
    told += !bare && is_advised(path, program);
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

/* A run of NAME with BACKEND, and processes, rows and changes at random. */
static size_t run_with(const char *name, size_t backend, int most)
{
    const char *check = getenv("SOAK") != NULL ? "XMPI_CHECK=all" : "";
    const int all = 2 + rand() % (MEMBERS - 1), first = 1 + rand() % all;
    const int rows = 20 + rand() % most, seed = 1 + rand() % 10000;
    char *environment =
        backend == POOL
            ? formatted("%s XMPI_BACKEND=pool XMPI_ACTIVE=%d", check, first)
            : formatted("%s XMPI_BACKEND=spawn XMPI_MAX=%d XMPI_STRATEGY=concurrent", check, all);
    const size_t changes = resize(name, environment, backend == POOL ? all : first, rows, seed);
    free(environment);
    return changes;
}

/* NAME goes to another number of members WANTED times with each backend, in as many runs as that
 * takes, each with other numbers of rows and processes. */
static void soak(const char *name, size_t wanted)
{
    for (size_t backend = 0; backend < BACKENDS; backend++)
        for (size_t changes = 0, tries = 0; changes < wanted; tries++) {
            if (tries > wanted)
                fail_msg("%s: no %zu changes in %zu runs", name, wanted, tries);
            changes += run_with(name, backend, 400);
        }
}

/* One run with one backend for each; with SOAK=N (200) N sizes with both, each of which is checked
 * by an iteration in both worlds. */
static void programs_of_others_resize(void **state)
{
    const char *wanted = getenv("SOAK");
    char *pattern = formatted("%s/tests/startover/ladder/*.c", source_dir());
    char *several = formatted("%s/tests/startover/ladder/*/main.c", source_dir());
    size_t bare = 0;
    glob_t found;
    (void)state;
    srand(20);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(glob(several, GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        if (!is_wanted(path))
            continue;
        bare += build(path);
        if (wanted != NULL)
            soak(path, (size_t)atoi(wanted));
        else
            run_with(path, i % BACKENDS, 100);
    }
    printf("# ladder.one_line_percent %.3g: %zu of %zu programs need no clause\n",
           100.0 * (double)bare / (double)found.gl_pathc, bare, found.gl_pathc);
    printf("# of the others %zu have one that a note has told\n", told);
    printf("# %zu runs, %zu changes to another number of members\n", runs, sizes);
    printf("# %zu runs had changes that were checked%s, %zu were the same in both worlds\n",
           checked, wanted != NULL ? "" : " without being asked for", equal);
    assert_true(getenv("LADDER") != NULL ||
                (told >= 5 && checked >= CHECKED && found.gl_pathc >= LEAST &&
                 100 * bare >= PERCENT * found.gl_pathc));
    globfree(&found);
    free(several);
    free(pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_of_others_resize)};
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup, teardown);
}

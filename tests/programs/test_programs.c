/* SPDX-License-Identifier: BSD-3-Clause
 * Programs as people write them, with one pragma: built by xmpicc they say no more than by mpicc,
 * and print the same, whatever happens to their processes.
 *
 * A program is a file of this folder, a folder of files, or a folder with a makefile of its own
 * that builds a program of the folder's name. A line "// flags: ..." in its (main) file holds flags
 * for the compiler. */
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
#include <sys/stat.h>
#include <unistd.h>
#include "rewriter/at_once.h"
#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 120, MAX_PROGRAMS = 128, PROCESSES = 3, SPARES = 2 };

static char *scratch;

/* A shell line in the scratch folder; its output when it succeeds. */
static char *sh(const char *line)
{
    command_t command = command_shell(scratch, SECONDS, "%s", line);
    if (command.status != 0)
        print_error("%s: status %d\n%s%s\n", line, command.status, command.out, command.err);
    assert_int_equal(command.status, 0);
    free(command.err);
    return command.out;
}

/* The flags of its own that the program has whose main file is PATH, malloc. */
static char *flags_of(const char *path)
{
    static const char mark[] = "// flags: ";
    char *text = read_file(path, NULL), *at = text != NULL ? strstr(text, mark) : NULL;
    char *flags = at == NULL || (at > text && at[-1] != '\n')
                      ? strdup("")
                      : strndup(at + strlen(mark), strcspn(at + strlen(mark), "\n"));
    free(text);
    return flags;
}

/* The sources of the program NAME as words for the shell, and its own flags. */
static char *sources_of(const char *name)
{
    char *folder = formatted("%s/tests/programs/%s", source_dir(), name);
    struct stat status;
    bool several = stat(folder, &status) == 0 && S_ISDIR(status.st_mode);
    char *path = formatted("%s%s.c", folder, several ? "/main" : ""), *flags = flags_of(path);
    char *all = several ? formatted("'%s'/*.c -I '%s' %s", folder, folder, flags)
                        : formatted("'%s' %s", path, flags);
    free(flags);
    free(path);
    free(folder);
    return all;
}

/* A makefile of its own builds the program NAME. */
static bool is_made(const char *name)
{
    char *makefile = formatted("%s/tests/programs/%s/Makefile", source_dir(), name);
    bool made = access(makefile, F_OK) == 0;
    free(makefile);
    return made;
}

#define WARNINGS "-Wall -Wextra -Wno-unknown-pragmas"

/* The shell line that builds PROGRAM with WRAPPER by FLAGS. */
static char *build_line(const char *wrapper, const char *flags, const char *name,
                        const char *program)
{
    if (is_made(name))
        return formatted(
            "rm -rf made && cp -r '%s/tests/programs/%s' made && "
            "env -u MAKEFLAGS -u MAKELEVEL make -s -C made CC='\"%s/bin/%s\"' CFLAGS='%s' "
            "&& mv made/%s %s",
            source_dir(), name, build_dir(), wrapper, flags, name, program);
    char *sources = sources_of(name);
    char *line =
        formatted("'%s/bin/%s' %s %s -o %s -lm", build_dir(), wrapper, flags, sources, program);
    free(sources);
    return line;
}

/* Builds PROGRAM by FLAGS with the compiler CC and the wrapper WRAPPER; what the compiler
 * warns of. */
static char *build(const char *cc, const char *wrapper, const char *flags, const char *name,
                   const char *program)
{
    char *builds = build_line(wrapper, flags, name, program);
    char *line = formatted("%s { %s; } 2>warnings; status=$?; "
                           "[ $status = 0 ] || cat warnings >&2; "
                           "grep -oE '^[^ ]+:[0-9]+:[0-9]+: warning: .*' warnings; exit $status",
                           mpicc_takes(cc), builds);
    char *warnings = sh(line);
    free(line);
    free(builds);
    return warnings;
}

static char *run(int processes, const char *program, const char *environment)
{
    char *line = formatted("OMP_NUM_THREADS=2 %s '%s/bin/mpiexec' -n %d ./%s", environment,
                           build_dir(), processes, program);
    char *out = sh(line);
    free(line);
    return out;
}

static void expect_output(int processes, const char *program, const char *environment,
                          const char *wanted)
{
    char *out = run(processes, program, environment);
    if (strcmp(out, wanted) != 0)
        print_error("%s %s\nprinted:\n%swanted:\n%s", environment, program, out, wanted);
    assert_string_equal(out, wanted);
    free(out);
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The words of TEXT, which is taken apart, in alphabetical order; malloc. */
static char **sorted_words(char *text, size_t *n)
{
    char *rest, **words = NULL;
    *n = 0;
    for (char *word = strtok_r(text, " \t\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\n", &rest)) {
        words = realloc(words, (*n + 1) * sizeof *words);
        assert_non_null(words);
        words[(*n)++] = word;
    }
    if (*n > 0)
        qsort(words, *n, sizeof *words, compare_words);
    return words;
}

static bool same_words(char *a, char *b)
{
    size_t n, m;
    char **of_a = sorted_words(a, &n), **of_b = sorted_words(b, &m);
    bool same = n == m;
    for (size_t i = 0; same && i < n; i++)
        same = strcmp(of_a[i], of_b[i]) == 0;
    free(of_a);
    free(of_b);
    return same;
}

/* Where members come and go, one process after another prints for all, and mpiexec passes on what
 * comes from different processes as it reads it: the words are the same, not always their order. */
static void expect_words(int processes, const char *environment, const char *wanted)
{
    char *out = run(processes, "adaptive", environment), *copy = strdup(wanted);
    char *shown = strdup(out);
    assert_true(copy != NULL && shown != NULL);
    if (!same_words(out, copy))
        fail_msg("%s\nprinted:\n%swanted:\n%s", environment, shown, wanted);
    free(shown);
    free(copy);
    free(out);
}

/* clang may be there without its OpenMP. gcc builds everything. */
static bool can_build(const char *cc, const char *name)
{
    char *sources = sources_of(name);
    bool openmp = strstr(sources, "-fopenmp") != NULL;
    free(sources);
    if (!openmp || strcmp(cc, "gcc") == 0)
        return true;
    char *line = build_line("mpicc", "-w", name, "probe");
    command_t command = command_shell(scratch, SECONDS, "%s %s", mpicc_takes(cc), line);
    bool good = command.status == 0;
    command_free(&command);
    free(line);
    return good;
}

/* Pragmas that compilers do not know are no warning of the program's. What is said of the plain
 * program, which gets MORE flags, malloc. */
static char *expect_no_new_warnings(const char *cc, const char *flags, const char *more,
                                    const char *name)
{
    char *all = formatted("%s %s", flags, more), *plain = build(cc, "mpicc", all, name, "plain");
    char *adaptive = build(cc, "xmpicc", flags, name, "adaptive");
    free(all);
    for (char *line = strtok(adaptive, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strstr(plain, line) == NULL)
            fail_msg("a new warning of %s: %s", cc, line);
    free(adaptive);
    return plain;
}

/* The source that is kept to be read does the same, and gives no warnings that PLAIN has not,
 * wherever they are. */
static void build_readable(const char *flags, const char *name, const char *plain)
{
    char *keeping = formatted("%s --xmpi-keep=.", flags);
    char *adaptive = build("gcc", "xmpicc", keeping, name, "adaptive");
    for (char *line = strtok(adaptive, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strstr(plain, strstr(line, ": warning: ")) == NULL)
            fail_msg("a new warning of the source that is kept: %s", line);
    free(adaptive);
    free(keeping);
}

/* Programs that are right pass the check of every change, and have changes in all of their loops.
 */
static void expect_no_alarm(void)
{
    char *alarms = sh("grep -e '\"event\":\"check\".*\"outcome\":\"different\"' "
                      "-e '\"event\":\"pinned\"' checks || true");
    assert_string_equal(alarms, "");
    free(alarms);
}

static void test_program(void **state)
{
    const char *name = *state;
    if (can_build("clang-19", name)) /* of which the plain program is not run */
        free(expect_no_new_warnings("clang-19", "-O0 " WARNINGS,
                                    is_made(name) ? "" : "-fsyntax-only", name));
    char *warnings = expect_no_new_warnings("gcc", "-O1 " WARNINGS, "", name);
    char *wanted = run(PROCESSES, "plain", "");
    assert_true(strlen(wanted) > 0);
    expect_output(PROCESSES, "adaptive", "XMPI_POLICY=off", wanted);
    expect_output(PROCESSES, "adaptive",
                  "XMPI_POLICY=balance XMPI_IMBALANCE=0 XMPI_INTERVAL=2 XMPI_BACKEND=pool", wanted);
    char *settings = formatted("XMPI_POLICY=random XMPI_SEED=1 XMPI_INTERVAL=2 XMPI_BACKEND=spawn "
                               "XMPI_MAX=%d XMPI_TRACE=checks",
                               PROCESSES + SPARES);
    expect_words(PROCESSES, settings, wanted);
    expect_no_alarm();
    free(settings);
    build_readable("-O1 " WARNINGS, name, warnings);
    free(warnings);
    settings = formatted("XMPI_POLICY=random XMPI_SEED=2 XMPI_INTERVAL=2 XMPI_BACKEND=pool "
                         "XMPI_ACTIVE=%d XMPI_CHECK=all XMPI_TRACE=checks",
                         PROCESSES);
    expect_words(PROCESSES + SPARES, settings, wanted);
    expect_no_alarm();
    free(settings);
    free(wanted);
}

static void test_result(void **state)
{
    at_once_expect(scratch, *state);
}

static size_t add_programs(struct CMUnitTest *tests, const char *pattern, const char *suffix)
{
    glob_t found;
    size_t count = 0;
    char *all = formatted("%s/tests/programs/%s", source_dir(), pattern);
    int status = glob(all, 0, NULL, &found);
    assert_true(status == 0 || status == GLOB_NOMATCH);
    for (size_t i = 0; i < found.gl_pathc && count < MAX_PROGRAMS / 2; i++) {
        char *path = strndup(found.gl_pathv[i], strlen(found.gl_pathv[i]) - strlen(suffix));
        char *name = strdup(strrchr(path, '/') + 1);
        free(path);
        bool wanted = strcmp(suffix, "/Makefile") == 0;
        if (strncmp(name, "test_", 5) != 0 && is_made(name) == wanted)
            tests[count++] = (struct CMUnitTest){name, test_result, NULL, NULL, name};
    }
    globfree(&found);
    free(all);
    return count;
}

/* -- several programs at a time: each is tested by a process of its own */

static int test_one(char *name)
{
    const struct CMUnitTest test[] = {{name, test_program, NULL, NULL, name}};
    scratch = scratch_make();
    int failed = cmocka_run_group_tests_name("program", test, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}

int main(void)
{
    static struct CMUnitTest tests[MAX_PROGRAMS];
    scratch = scratch_make();
    machine_invent();
    mpicc_takes(""); /* asks what there is, before there are several processes */
    size_t count = add_programs(tests, "*.c", ".c");
    count += add_programs(tests + count, "*/main.c", "/main.c");
    count += add_programs(tests + count, "*/Makefile", "/Makefile");
    char *names[MAX_PROGRAMS];
    for (size_t i = 0; i < count; i++)
        names[i] = tests[i].initial_state;
    at_once_run(scratch, names, count, test_one);
    int failed = _cmocka_run_group_tests("programs", tests, count, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}

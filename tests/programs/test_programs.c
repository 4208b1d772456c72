/* SPDX-License-Identifier: BSD-3-Clause
 * Programs as people write them, with one pragma: built by xmpicc they say no more than by mpicc,
 * and print the same, whatever happens to their processes.
 *
 * A program is a file of this folder, or a folder of files. A line "// flags: ..." in its (main)
 * file holds flags for the compiler. */
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
#include "support/command.h"

enum { SECONDS = 120, MAX_PROGRAMS = 128, PROCESSES = 3, SPARES = 2, SEEDS = 2 };

static char *scratch;

static char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *text(const char *format, ...)
{
    char *result = NULL;
    va_list arguments;
    va_start(arguments, format);
    assert_true(vasprintf(&result, format, arguments) >= 0);
    va_end(arguments);
    return result;
}

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

/* The sources of the program NAME as words for the shell, and its own flags. */
static char *sources_of(const char *name)
{
    char *folder = text("%s/tests/programs/%s", source_dir(), name);
    struct stat status;
    bool several = stat(folder, &status) == 0 && S_ISDIR(status.st_mode);
    char *words = several ? text("'%s'/*.c -I '%s'", folder, folder) : text("'%s.c'", folder);
    char *line = text("cat '%s%s.c' | sed -n 's,^// flags: ,,p' | head -1 | tr -d '\\n'", folder,
                      several ? "/main" : "");
    char *flags = sh(line);
    char *all = text("%s %s", words, flags);
    free(flags);
    free(line);
    free(words);
    free(folder);
    return all;
}

/* Builds PROGRAM with the compiler CC and the wrapper WRAPPER; what the compiler says, sorted. */
static char *build(const char *cc, const char *wrapper, const char *name, const char *program)
{
    char *sources = sources_of(name);
    char *line = text("MPICH_CC=%s '%s/bin/%s' -O1 -Wall -Wextra -Wno-unknown-pragmas %s -o %s -lm "
                      "2>warnings; status=$?; [ $status = 0 ] || cat warnings >&2; "
                      "grep -oE '^[^ ]+:[0-9]+:[0-9]+: warning: .*' warnings | sort; exit $status",
                      cc, build_dir(), wrapper, sources, program);
    char *warnings = sh(line);
    free(line);
    free(sources);
    return warnings;
}

static char *run(int processes, const char *program, const char *environment)
{
    char *line = text("OMP_NUM_THREADS=2 %s '%s/bin/mpiexec' -n %d ./%s", environment, build_dir(),
                      processes, program);
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

/* clang may be there without its OpenMP. gcc builds everything. */
static bool can_build(const char *cc, const char *name)
{
    if (strcmp(cc, "gcc") == 0)
        return true;
    char *sources = sources_of(name);
    command_t command =
        command_shell(scratch, SECONDS, "MPICH_CC=%s '%s/bin/mpicc' -w %s -o probe -lm", cc,
                      build_dir(), sources);
    bool good = command.status == 0;
    command_free(&command);
    free(sources);
    return good;
}

/* Pragmas that compilers do not know are no warning of the program's. */
static void expect_no_new_warnings(const char *name)
{
    static const char *const compilers[] = {"gcc", "clang-19"};
    for (size_t i = 0; i < 2; i++) {
        if (!can_build(compilers[i], name))
            continue;
        char *plain = build(compilers[i], "mpicc", name, "plain");
        char *adaptive = build(compilers[i], "xmpicc", name, "adaptive");
        for (char *line = strtok(adaptive, "\n"); line != NULL; line = strtok(NULL, "\n"))
            if (strstr(plain, line) == NULL)
                fail_msg("a new warning of %s: %s", compilers[i], line);
        free(plain);
        free(adaptive);
    }
}

static void test_program(void **state)
{
    const char *name = *state;
    expect_no_new_warnings(name);
    char *wanted = run(PROCESSES, "plain", "");
    assert_true(strlen(wanted) > 0);
    expect_output(PROCESSES, "adaptive", "XMPI_POLICY=off", wanted);
    expect_output(PROCESSES, "adaptive",
                  "XMPI_POLICY=balance XMPI_IMBALANCE=0 XMPI_INTERVAL=2 XMPI_BACKEND=pool", wanted);
    for (int seed = 1; seed <= SEEDS; seed++) {
        char *settings = text("XMPI_POLICY=random XMPI_SEED=%d XMPI_INTERVAL=2 "
                              "XMPI_BACKEND=spawn XMPI_MAX=%d",
                              seed, PROCESSES + SPARES);
        expect_output(PROCESSES, "adaptive", settings, wanted);
        free(settings);
        settings = text("XMPI_POLICY=random XMPI_SEED=%d XMPI_INTERVAL=2 XMPI_BACKEND=pool "
                        "XMPI_ACTIVE=%d",
                        seed, PROCESSES);
        expect_output(PROCESSES + SPARES, "adaptive", settings, wanted);
        free(settings);
    }
    free(wanted);
}

static size_t add_programs(struct CMUnitTest *tests, const char *pattern, const char *suffix)
{
    glob_t found;
    size_t count = 0;
    char *all = text("%s/tests/programs/%s", source_dir(), pattern);
    int status = glob(all, 0, NULL, &found);
    assert_true(status == 0 || status == GLOB_NOMATCH);
    for (size_t i = 0; i < found.gl_pathc && count < MAX_PROGRAMS / 2; i++) {
        char *path = strndup(found.gl_pathv[i], strlen(found.gl_pathv[i]) - strlen(suffix));
        char *name = strdup(strrchr(path, '/') + 1);
        free(path);
        if (strncmp(name, "test_", 5) != 0)
            tests[count++] = (struct CMUnitTest){name, test_program, NULL, NULL, name};
    }
    globfree(&found);
    free(all);
    return count;
}

int main(void)
{
    static struct CMUnitTest tests[MAX_PROGRAMS];
    scratch = scratch_make();
    size_t count = add_programs(tests, "*.c", ".c");
    count += add_programs(tests + count, "*/main.c", "/main.c");
    int failed = _cmocka_run_group_tests("programs", tests, count, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}

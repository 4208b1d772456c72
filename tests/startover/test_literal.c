/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of the folder told: what a note tells to write stands there as it is told, and the
 * program prints what the plain one prints, with members that change at random and no check of a
 * change. Of those with a line "None: ..." nothing is told that could stand there, but that. */
#define _GNU_SOURCE
#include <glob.h>
#include <stdbool.h>

#include "support/shell.h"

enum { RUNS = 3, PARKED = 5, SPAWNED = 2 };

/* PROGRAM with CLAUSE in its pragma, in the file told.c. */
static void put_in(const char *program, const char *clause, int length)
{
    static const char line[] = "#pragma xmpi loop";
    const char *at = strstr(program, line);
    char *text = NULL, *file = formatted("%s/told.c", dir);
    assert_non_null(at);
    at += strlen(line);
    assert_true(asprintf(&text, "%.*s %.*s%s", (int)(at - program), program, length, clause, at) >
                0);
    write_file(file, text);
    free(text);
    free(file);
}

/* The clause in SAID that is whole, as a note tells it; its LENGTH, or 0: there is none. */
static const char *clause_in(const char *said, int *length)
{
    static const char advice[] = "'#pragma xmpi loop state(";
    const char *sizes = strstr(said, ")' (by sizes"), *lets = strstr(said, ")' lets it change");
    const char *end = sizes != NULL ? sizes : lets, *begin = NULL;
    for (const char *at = said; end != NULL && (at = strstr(at, advice)) != NULL && at < end; at++)
        begin = at;
    *length = 0;
    if (begin == NULL)
        return NULL;
    begin += strlen("'#pragma xmpi loop ");
    *length = (int)(end - begin) + 1;
    return begin;
}

static void runs_alike(const char *path, const char *clause)
{
    char *plain = sh("'%s/bin/mpiexec' -n 2 ./plain", build_dir());
    for (int run = 0; run < RUNS; run++) {
        const bool parked = run + 1 < RUNS;
        char *out = sh(
            "XMPI_POLICY=random XMPI_CHECK=off XMPI_INTERVAL=3 XMPI_SEED=%d XMPI_TRACE=t "
            "%s '%s/bin/mpiexec' -n %d ./told 2>&1",
            run, parked ? "XMPI_ACTIVE=3" : "XMPI_MAX=4", build_dir(), parked ? PARKED : SPAWNED);
        if (strcmp(out, plain) != 0)
            fail_msg("%s, %s, run %d: %s instead of %s", path, clause, run, out, plain);
        free(out);
        free(sh("grep -q '\"outcome\":\"done\"' t"));
    }
    free(plain);
}

static void judge(const char *path)
{
    static const char mark[] = "None: ";
    char *program = read_file(path, NULL), *none = strstr(program, mark), *wanted = NULL;
    int length = 0;
    char *said =
        sh("'%s/bin/mpicc' -w -O1 '%s' -o plain -lm && '%s/bin/xmpicc' -w -O1 '%s' -o told "
           "-lm 2>&1",
           build_dir(), path, build_dir(), path);
    const char *clause = clause_in(said, &length);
    if (none != NULL)
        wanted = strndup(none + strlen(mark), strcspn(none + strlen(mark), "\n") - strlen(" */"));
    if ((clause == NULL) != (none != NULL) || (wanted != NULL && strstr(said, wanted) == NULL))
        fail_msg("%s: %s", path, said);
    if (clause != NULL) {
        put_in(program, clause, length);
        free(sh("'%s/bin/xmpicc' -w -O1 told.c -o told -lm", build_dir()));
        runs_alike(path, said);
    }
    free(wanted);
    free(said);
    free(program);
}

static void what_is_told_is_right_as_it_stands(void **state)
{
    (void)state;
    glob_t all;
    char *pattern = formatted("%s/tests/startover/told/%s.c", source_dir(),
                              getenv("PROGRAM") != NULL ? getenv("PROGRAM") : "*");
    assert_int_equal(glob(pattern, 0, NULL, &all), 0);
    for (size_t i = 0; i < all.gl_pathc; i++)
        judge(all.gl_pathv[i]);
    globfree(&all);
    free(pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_told_is_right_as_it_stands)};
    machine_invent();
    return cmocka_run_group_tests(tests, setup, teardown);
}

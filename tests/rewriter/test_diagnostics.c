/* SPDX-License-Identifier: BSD-3-Clause
 * What the rewriter says of loops that it refuses or only moves: the files of errors/, and the page
 * on diagnostics. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "rewriter/rewriting.h"

static void test_error(void **state)
{
    const char *name = *state;
    char *where = folder("errors"), *source = formatted("%s.c", name);
    char *expected = formatted("%s/%s.expected.txt", where, name);
    char *out = formatted("%s/none.c", fixture.scratch);
    command_t command = rewrite(where, source, "none.c", "--divisible");
    assert_int_equal(command.status, 1);
    assert_int_equal(access(out, F_OK), -1);
    assert_string_equal(command.out, "");
    expect_file(expected, command.err);
    command_free(&command);
    free(out);
    free(expected);
    free(source);
    free(where);
}

/* What the first line of TEXT says behind WHAT; NULL: it says something else. */
static char *first_of(const char *lines, const char *what)
{
    const char *at = strstr(lines, what), *end = strchr(lines, '\n');
    return at == NULL || (end != NULL && at > end)
               ? NULL
               : formatted("%.*s%.*s", (int)(at - lines), lines,
                           (int)strcspn(at + strlen(what), "\n"), at + strlen(what));
}

/* The line that is advised, in the place of the pragma, does what is done without it. (The text is
 * compiled with all others.) */
static void take_state(const char *where, const char *name, const char *said)
{
    char *out = formatted("moved.%s.taken.c", name);
    static const char advice[] = "'#pragma xmpi loop state(";
    const char *begin = NULL, *end = strstr(said, "' says the same");
    for (const char *at = said; (at = strstr(at, advice)) != NULL && at < end; at++)
        begin = at; /* the reason may have advice of its own */
    char *path = formatted("%s/%s.c", where, name), *program = read_file(path, NULL);
    char *pragma = strstr(program, "#pragma xmpi loop\n");
    assert_non_null(begin);
    assert_non_null(pragma);
    char *taken = formatted("%.*s%.*s\n%s", (int)(pragma - program), program,
                            (int)(end - begin) - 1, begin + 1, strchr(pragma, '\n') + 1);
    char *file = formatted("%s/taken.c", fixture.scratch);
    write_file(file, taken);
    command_t command = rewrite(fixture.scratch, "taken.c", out, "");
    assert_string_equal(command.err, "");
    assert_int_equal(command.status, 0);
    command_free(&command);
    free(out);
    free(file);
    free(taken);
    free(program);
    free(path);
}

/* Without being told to divide, the same loop moves or starts over, and the first error is the
 * reason; or somebody meant something else, which stays an error. COUNT[0] and [1] are how many
 * there are of both, COUNT[2] those that start over. */
static void move_instead(const char *name, int *count)
{
    char *where = folder("errors"), *source = formatted("%s.c", name);
    char *moved = formatted("moved.%s.c", name);
    char *expected = formatted("%s/%s.expected.txt", where, name);
    char *wanted = read_file(expected, NULL);
    command_t command = rewrite(where, source, moved, "");
    char *error = first_of(wanted, ": error: ");
    char *remark = first_of(command.err, ": remark: movable, not divisible: ");
    const bool resizable = strstr(command.err, ": remark: resizable, ") != NULL;
    if (resizable)
        remark = first_of(command.err, ": remark: resizable, not divisible: ");
    if (command.status == 0) {
        assert_non_null(remark);
        assert_string_equal(remark, error);
        assert_null(strstr(command.err, " error: "));
        assert_null(strstr(strstr(command.err, "remark: ") + 1, "remark: "));
        if (resizable)
            take_state(where, name, command.err);
    } else {
        assert_string_equal(command.err, wanted);
    }
    count[command.status]++;
    count[2] += resizable;
    command_free(&command);
    free(remark);
    free(error);
    free(wanted);
    free(expected);
    free(moved);
    free(source);
    free(where);
}

static void test_moves_instead(void **state)
{
    char *names[CASES_MAX];
    size_t cases = for_each_case("errors", names);
    int count[3] = {0, 0, 0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        move_instead(names[i], count);
        free(names[i]);
    }
    assert_true(count[0] > 100 && count[1] > 40 && count[2] >= 5);
    expect_success(
        command_shell(fixture.scratch, 10 * SECONDS,
                      "'%s/bin/mpicc' -I '%s/runtime/include' -fsyntax-only -w moved.*.c",
                      build_dir(), source_dir()));
}

/* PROGRAM without what it says of its files, and with LINE (or nothing) before its loop; malloc. */
static char *with_clause(const char *program, const char *line)
{
    const char *clause = strstr(program, "#pragma xmpi data file(");
    assert_non_null(clause);
    char *less = formatted("%.*s%s", (int)(clause - program), program, strchr(clause, '\n') + 1);
    const char *loop = strstr(less, "#pragma xmpi loop");
    assert_non_null(loop);
    char *all = formatted("%.*s%s\n%s", (int)(loop - less), less, line, loop);
    free(less);
    return all;
}

/* Of programs that do not say that their rows are in files the clause is told, and with what is
 * told the loop can be divided. */
static void test_files_told(void **state)
{
    static const char *const names[] = {"sheet", "folios"};
    static const char begin[] = "write '#pragma xmpi data file(";
    char *file = formatted("%s/filed.c", fixture.scratch);
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = formatted("%s/tests/programs/%s.c", source_dir(), names[i]);
        char *program = read_file(path, NULL), *less = with_clause(program, "");
        write_file(file, less);
        command_t command = rewrite(fixture.scratch, "filed.c", "moved.c", "");
        char *told = strstr(command.err, begin);
        if (told == NULL)
            fail_msg("%s: %s", names[i], command.err);
        told += strlen("write '");
        char *line = formatted("%.*s", (int)strcspn(told, "'"), told);
        char *more = with_clause(program, line);
        write_file(file, more);
        expect_success(rewrite(fixture.scratch, "filed.c", "moved.c", "--divisible"));
        command_free(&command);
        free(more);
        free(line);
        free(less);
        free(program);
        free(path);
    }
    free(file);
}

/* Of files without ghost rows that the program removes in the end it need not be said. */
static void test_files_found(void **state)
{
    static const char *const names[] = {"slabs", "ledger"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = formatted("%s/tests/programs/%s.c", source_dir(), names[i]);
        char *program = read_file(path, NULL), *less = with_clause(program, "");
        char *file = formatted("%s/found.c", fixture.scratch);
        write_file(file, less);
        expect_success(rewrite(fixture.scratch, "found.c", "moved.c", "--divisible"));
        compile("gcc", "moved.c", "-fsyntax-only -w");
        free(file);
        free(less);
        free(program);
        free(path);
    }
}

/* Elements of a row that do not lie together, ghost rows that are those of the start, and numbers
 * of places in a block that only what follows the loop looks at, are no state that starts could be
 * given: the number of processes stays. */
static void test_no_state(void **state)
{
    static const char *const names[] = {"column_fields.c", "column_order.c",
                                        "ghosts_before_never.c", "rank_dependent_list.c",
                                        "rank_dependent_order.c"};
    char *where = folder("errors");
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        command_t command = rewrite(where, names[i], "moved.c", "");
        assert_int_equal(command.status, 0);
        assert_non_null(strstr(command.err, ": remark: movable, not divisible: "));
        command_free(&command);
    }
    free(where);
}

/* What is said of a program that prints what a function of another file makes of its own sums, with
 * LINE before the loop; malloc. */
static char *said_of_printing(const char *line, const char *arguments)
{
    char *program = formatted("#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                              "double total(double own%s);\n"
                              "int main(int argc, char **argv)\n{\n"
                              "    int rank, size, n = 240;\n"
                              "    MPI_Init(&argc, &argv);\n"
                              "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                              "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
                              "    int first = rank * n / size;\n"
                              "    int count = (rank + 1) * n / size - first;\n"
                              "    double m, *x = calloc((size_t)count, sizeof *x);\n"
                              "%s\n#pragma xmpi loop\n"
                              "    for (int k = 0; k < 12; k++) {\n"
                              "        m = 0;\n"
                              "        for (int i = 0; i < count; i++)\n"
                              "            m += x[i] += first + i;\n"
                              "        m = total(m%s);\n"
                              "        if (rank == 0)\n"
                              "            printf(\"%%g\\n\", m);\n"
                              "    }\n    MPI_Finalize();\n    return 0;\n}\n",
                              arguments[0] != '\0' ? ", MPI_Comm world" : "", line, arguments);
    char *file = formatted("%s/printing.c", fixture.scratch);
    write_file(file, program);
    command_t command = rewrite(fixture.scratch, "printing.c", "printing.out.c", "--divisible");
    assert_int_equal(command.status, 0);
    free(command.out);
    free(file);
    free(program);
    return command.err;
}

/* A function of another file may have put together what all processes have: the line that is
 * advised says so, and one that is given a communicator is not suspected. */
static void test_printed_elsewhere(void **state)
{
    static const char advice[] = "'#pragma xmpi data replicated(m)'";
    (void)state;
    char *said = said_of_printing("", "");
    assert_non_null(strstr(said, "[xmpi-printed-value]"));
    const char *begin = strstr(said, advice);
    assert_non_null(begin);
    char *line = strndup(begin + 1, sizeof advice - 3), *told = said_of_printing(line, "");
    assert_string_equal(told, "");
    char *given = said_of_printing("", ", MPI_COMM_WORLD");
    assert_string_equal(given, "");
    free(given);
    free(told);
    free(line);
    free(said);
}

/* Whether errors/NAME.c with FROM replaced by TO is divisible; a line of what is said has SAYS. */
static void expect_taken(const char *name, const char *from, const char *to, const char *says)
{
    char *where = folder("errors"), *path = formatted("%s/%s.c", where, name);
    char *program = read_file(path, NULL), *at = strstr(program, from);
    char *file = formatted("%s/taken.c", fixture.scratch);
    assert_non_null(at);
    char *taken = formatted("%.*s%s%s", (int)(at - program), program, to, at + strlen(from));
    write_file(file, program);
    command_t command = rewrite(fixture.scratch, "taken.c", "taken.out.c", "--divisible");
    assert_int_equal(command.status, 1);
    if (strstr(command.err, says) == NULL)
        fail_msg("%s: %s", says, command.err);
    command_free(&command);
    write_file(file, taken);
    expect_success(rewrite(fixture.scratch, "taken.c", "taken.out.c", "--divisible"));
    free(taken);
    free(file);
    free(program);
    free(path);
    free(where);
}

/* What is advised names variables where they are declared, or says to declare them there. */
static void test_declared_first(void **state)
{
    (void)state;
    expect_taken(
        "local_state_counter", "#pragma xmpi loop\n    for (int s = 0, hits = 0;",
        "    int s, hits;\n"
        "#pragma xmpi data replicated(hits)\n#pragma xmpi loop\n    for (s = 0, hits = 0;",
        "'#pragma xmpi data replicated(hits)' before the loop, where 'hits' is to be declared "
        "first\n");
    expect_taken("data_range", "#pragma xmpi setup\n",
                 "#pragma xmpi domain(n) range(part.count, part.first)\n",
                 "computes count and first, variables that are declared before it, with ");
}

/* That malloc may fail is no choice among ranks, nor that rank 0 finds no place for its file, nor
 * is a jump that stays in the iteration; a pointer that follows the rank is one, also where the
 * loop is not divisible anyway. */
static void test_ranks_by_pointer(void **state)
{
    (void)state;
    static const char *const flags[] = {"", "-DRANK", "-DMARK"};
    char *where = folder("positions");
    for (int i = 0; i < 3; i++) {
        command_t command = command_shell(
            where, SECONDS, "'%s/bin/xmpi-rewrite' --output='%s/p.c' loop_ranks_pointer.c -- %s %s",
            build_dir(), fixture.scratch, fixture.includes, flags[i]);
        assert_int_equal(command.status != 0, i > 0);
        assert_int_equal(strstr(command.err, "[xmpi-loop-ranks]") != NULL, i > 0);
        assert_int_equal(strstr(command.err, ": remark: movable, ") != NULL, i == 0);
        command_free(&command);
    }
    free(where);
}

/* Who gets to the loop may follow what is in rows, which would keep it from there in any layout,
 * but not the layout itself. */
static void test_ways_of_ranks(void **state)
{
    (void)state;
    enum { WAYS = 11 };
    char *where = folder("positions");
    for (int i = 0; i < WAYS; i++) {
        command_t command = command_shell(
            where, SECONDS,
            "'%s/bin/xmpi-rewrite' --output='%s/p.c' loop_ranks_ways.c -- %s -DWAY=%d", build_dir(),
            fixture.scratch, fixture.includes, i);
        if ((command.status != 0) != (i > 0) ||
            (strstr(command.err, "[xmpi-loop-ranks]") != NULL) != (i > 0))
            fail_msg("way %d: status %d: %s", i, command.status, command.err);
        command_free(&command);
    }
    free(where);
}

/* A branch for rank 0 and one for the others may leave the loop, where both do so by the same. */
static void test_leaving_alike(void **state)
{
    (void)state;
    enum { WAYS = 5 };
    char *where = folder("positions");
    for (int i = 0; i < WAYS; i++) {
        command_t command = command_shell(
            where, SECONDS,
            "'%s/bin/xmpi-rewrite' --output='%s/p.c' loop_ranks_leaves.c -- %s -DWAY=%d",
            build_dir(), fixture.scratch, fixture.includes, i);
        if ((command.status != 0) != (i > 0) ||
            (strstr(command.err, "[xmpi-loop-ranks]") != NULL) != (i > 0))
            fail_msg("way %d: status %d: %s", i, command.status, command.err);
        command_free(&command);
    }
    free(where);
}

/* Every name in the table is explained and has a case that shows it. */
static void test_documented(void **state)
{
    (void)state;
    char *path = formatted("%s/rewriter/report/diagnostics.cpp", source_dir());
    char *table = read_file(path, NULL);
    char *page_path = formatted("%s/docs/diagnostics.md", source_dir());
    char *page = read_file(page_path, NULL);
    assert_non_null(table);
    assert_non_null(page);
    int names = 0;
    for (char *at = table; (at = strstr(at, "\"xmpi-")) != NULL; names++) {
        char *name = strndup(at + 1, strcspn(at + 1, "\""));
        char *heading = formatted("\n## %s\n", name);
        if (strstr(page, heading) == NULL)
            fail_msg("docs/diagnostics.md does not explain %s", name);
        command_t shown =
            command_shell(NULL, SECONDS,
                          "cd '%s'/tests/rewriter && grep -lF '[%s]' errors/*.expected.txt "
                          "cases/*.warnings.txt",
                          source_dir(), name);
        if (shown.status != 0)
            fail_msg("no case in tests/rewriter/errors shows %s", name);
        command_free(&shown);
        at += strlen(name);
        free(heading);
        free(name);
    }
    assert_true(names > 40);
    free(page);
    free(page_path);
    free(table);
    free(path);
}

int main(void)
{
    static struct CMUnitTest tests[CASES_MAX + 10];
    char *names[CASES_MAX];
    set_up();
    size_t count = for_each_case("errors", names);
    for (size_t i = 0; i < count; i++)
        tests[i] =
            (struct CMUnitTest){formatted("error %s", names[i]), test_error, NULL, NULL, names[i]};
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_documented);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_moves_instead);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_ways_of_ranks);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_ranks_by_pointer);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_leaving_alike);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_files_told);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_files_found);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_no_state);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_printed_elsewhere);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_declared_first);
    int failed = _cmocka_run_group_tests("diagnostics", tests, count, NULL, NULL);
    scratch_remove(fixture.scratch);
    return failed;
}

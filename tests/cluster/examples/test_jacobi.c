/* SPDX-License-Identifier: BSD-3-Clause
 * The example jacobi as a plain MPI program: its results, its input formats, its refusals. */
#define _GNU_SOURCE
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

enum { LIMIT = 60 };

/* Runs jacobi with ARGUMENTS on RANKS processes in the scratch folder. */
static command_t jacobi(const char *dir, int ranks, const char *arguments)
{
    return command_shell(dir, LIMIT, "exec $(readlink -f '%s/bin/mpiexec') -n %d ./jacobi %s",
                         build_dir(), ranks, arguments);
}

static void must_succeed(command_t command)
{
    if (command.status != 0)
        print_error("%s%s", command.out, command.err);
    assert_int_equal(command.status, 0);
    command_free(&command);
}

static void generate(const char *dir, const char *arguments)
{
    must_succeed(command_shell(dir, LIMIT, "./generate %s", arguments));
}

static char *path_of(const char *dir, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", dir, name) < 0)
        abort();
    return path;
}

static void put(const char *dir, const char *name, const char *text)
{
    char *path = path_of(dir, name);
    write_file(path, text);
    free(path);
}

static int exists(const char *dir, const char *name)
{
    char *path = path_of(dir, name);
    int found = access(path, F_OK) == 0;
    free(path);
    return found;
}

static char *content(const char *dir, const char *name)
{
    char *path = path_of(dir, name), *text = read_file(path, NULL);
    assert_non_null(text);
    free(path);
    return text;
}

static void assert_same_files(const char *dir, const char *one, const char *other)
{
    char *first = content(dir, one), *second = content(dir, other);
    assert_true(strlen(first) > 0);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static double figure(const command_t *command, const char *name)
{
    double value = NAN;
    const char *at = strstr(command->out, name);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(name), " %lf", &value), 1);
    return value;
}

/* The run ends with STATUS, one line that contains EXPECTED, and no solution file. */
static void assert_refused(const char *dir, int ranks, const char *arguments, int status,
                           const char *expected)
{
    command_t command = jacobi(dir, ranks, arguments);
    char *newline = strchr(command.err, '\n');
    if (command.status != status || strstr(command.err, expected) == NULL || newline == NULL ||
        newline[1] != '\0' || *command.out != '\0')
        fail_msg("jacobi %s: expected \"%s\" and status %d, got %d:\n%s%s", arguments, expected,
                 status, command.status, command.out, command.err);
    assert_false(exists(dir, "refused.solution"));
    command_free(&command);
}

/* -- results */

static void any_number_of_ranks_gives_the_same_solution(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 23 system");
    must_succeed(jacobi(dir, 1, "-o one system"));
    for (int ranks = 2; ranks <= 5; ranks++) {
        char arguments[] = "-o on_N system";
        arguments[6] = (char)('0' + ranks);
        must_succeed(jacobi(dir, ranks, arguments));
        assert_same_files(dir, "one", (char[]){'o', 'n', '_', arguments[6], '\0'});
    }
}

static void more_ranks_than_rows(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 3 three");
    must_succeed(jacobi(dir, 1, "-o one three"));
    must_succeed(jacobi(dir, 5, "-o five three"));
    assert_same_files(dir, "one", "five");
    generate(dir, "-n 1 single");
    must_succeed(jacobi(dir, 2, "-o two single"));
}

static void residual_is_small_when_converged(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 40 -s 7 -d 2 system");
    command_t command = jacobi(dir, 3, "-t 1e-12 system");
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.out, "converged yes\n"));
    assert_true(figure(&command, "residual") < 1e-9);
    assert_true(figure(&command, "iterations") > 10);
    command_free(&command);
}

static void solution_is_that_of_the_system(void **state)
{
    const char *dir = *state;
    double x, y;
    put(dir, "known.mtx", "%%MatrixMarket matrix array real general\n2 2\n2\n1\n1\n3\n");
    put(dir, "known_b.mtx", "%%MatrixMarket matrix array real general\n2 1\n5\n10\n");
    must_succeed(jacobi(dir, 2, "-t 1e-13 -o known known.mtx"));
    char *solution = content(dir, "known");
    assert_int_equal(sscanf(solution, "%lf %lf", &x, &y), 2);
    assert_true(fabs(x - 1) < 1e-12 && fabs(y - 3) < 1e-12);
    free(solution);
}

static void stops_after_the_iterations_asked_for(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 10 system");
    command_t command = jacobi(dir, 2, "-i 3 -o three system");
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.out, "iterations 3\nconverged no\n"));
    assert_true(exists(dir, "three"));
    command_free(&command);
}

static void divergence_is_told(void **state)
{
    const char *dir = *state;
    put(dir, "diverges.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n1\n");
    assert_refused(dir, 2, "-o refused.solution diverges.mtx", 1, "diverges: after");
}

/* -- formats */

static void matrix_market_gives_what_binary_gives(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 17 -s 3 same");
    generate(dir, "-n 17 -s 3 same.mtx");
    must_succeed(jacobi(dir, 2, "-o binary same"));
    must_succeed(jacobi(dir, 3, "-o market same.mtx"));
    assert_same_files(dir, "binary", "market");
}

#define BANNER "%%MatrixMarket matrix "

/* All of them are 2 1; 1 3. */
static const char *const variants[] = {
    BANNER "array real general\n2 2\n2\n1\n1\n3\n",
    BANNER "array integer symmetric\n% comment\n\n2 2\n2\n1\n3\n",
    BANNER "coordinate real general\n2 2 4\n2 2 3.0\n1 1 2e0\n2 1 1\n1 2 1\n",
    BANNER "coordinate integer symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 3",
    BANNER "coordinate pattern general\n2 2 7\n1 1\n1 1\n2 2\n2 2\n2 2\n1 2\n2 1\n",
    "%%MatrixMarket MATRIX Coordinate Real Symmetric\r\n2 2 3\r\n  1\t1 2\r\n2 1 1 \r\n2 2 "
    "3\r\n\r\n",
};

static void all_kinds_of_matrix_market_are_read(void **state)
{
    const char *dir = *state;
    put(dir, "first.mtx", variants[0]);
    must_succeed(jacobi(dir, 1, "-o first first.mtx"));
    for (size_t i = 1; i < sizeof variants / sizeof *variants; i++) {
        put(dir, "other.mtx", variants[i]);
        must_succeed(jacobi(dir, 2, "-o other other.mtx"));
        assert_same_files(dir, "first", "other");
    }
}

static void without_right_hand_side_the_solution_is_ones(void **state)
{
    const char *dir = *state;
    double x, y;
    put(dir, "ones.mtx", variants[0]);
    must_succeed(jacobi(dir, 2, "-t 1e-13 -o ones ones.mtx"));
    char *solution = content(dir, "ones");
    assert_int_equal(sscanf(solution, "%lf %lf", &x, &y), 2);
    assert_true(fabs(x - 1) < 1e-12 && fabs(y - 1) < 1e-12);
    free(solution);
}

/* -- refusals */

static void truncated_binary_files_are_refused(void **state)
{
    static const struct {
        int bytes;
        const char *expected;
    } cases[] = {
        {0, "is neither a binary system nor a Matrix Market file"},
        {7, "is neither a binary system nor a Matrix Market file"},
        {8, "is truncated: it ends inside its header"},
        {15, "is truncated: it ends inside its header"},
        {16, "is truncated: it has 16 bytes, a system of order 9 has 736"},
        {400, "is truncated: it has 400 bytes"},
        {735, "is truncated: it has 735 bytes"},
    };
    const char *dir = *state;
    generate(dir, "-n 9 nine");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must_succeed(command_shell(dir, LIMIT, "head -c %d nine >short", cases[i].bytes));
        assert_refused(dir, 3, "-o refused.solution short", 2, cases[i].expected);
    }
    must_succeed(command_shell(dir, LIMIT, "cp nine long && echo >>long"));
    assert_refused(dir, 3, "-o refused.solution long", 2, "is too long: it has 737 bytes");
}

static void malformed_binary_files_are_refused(void **state)
{
    const char *dir = *state;
    must_succeed(command_shell(dir, LIMIT, "{ printf LINSYS01; head -c 8 /dev/zero; } >zero"));
    assert_refused(dir, 2, "zero", 2, "zero: its order 0 is not in 1..");
    must_succeed(command_shell(dir, LIMIT,
                               "{ printf LINSYS01; head -c 8 /dev/zero | tr '\\0' '\\377'; } >ff"));
    assert_refused(dir, 2, "ff", 2, "ff: its order -1 is not in 1..");
    generate(dir, "-n 2 two");
    must_succeed(command_shell(dir, LIMIT,
                               "head -c 40 two >hole && head -c 8 /dev/zero >>hole && "
                               "tail -c 16 two >>hole"));
    assert_refused(dir, 2, "hole", 2, "hole: row 2 has a zero on the diagonal");
    must_succeed(command_shell(dir, LIMIT,
                               "head -c 56 two >nan && head -c 8 /dev/zero | tr '\\0' '\\377' "
                               ">>nan"));
    assert_refused(dir, 2, "nan", 2, "nan: row 2 has a value that is not finite");
}

static const struct {
    const char *text, *expected;
} bad_market[] = {
    {BANNER "\n", "bad.mtx:1: expected"},
    {BANNER "array real general more\n", "bad.mtx:1: expected"},
    {BANNER "graph real general\n", "bad.mtx:1: expected"},
    {BANNER "array complex general\n", "bad.mtx:1: the values must be real, integer or"},
    {BANNER "array pattern general\n", "bad.mtx:1: the values must be real, integer or"},
    {BANNER "array real hermitian\n", "bad.mtx:1: the matrix must be general or symmetric"},
    {BANNER "array real general\n% only this\n", "bad.mtx: ends before the line with its size"},
    {BANNER "array real general\n2\n", "bad.mtx:2: expected the number of rows and columns"},
    {BANNER "array real general\n2 2 4\n", "bad.mtx:2: expected the number of rows and columns"},
    {BANNER "coordinate real general\n%\n2 2\n",
     "bad.mtx:3: expected the number of rows, columns and entries"},
    {BANNER "array real general\n0 0\n", "bad.mtx:2: the size is out of range"},
    {BANNER "array real general\n99999999999 2\n", "bad.mtx:2: the size is out of range"},
    {BANNER "array real symmetric\n2 3\n", "bad.mtx:2: a symmetric matrix must be square"},
    {BANNER "array real general\n2 3\n", "not square: it has 2 rows and 3 columns"},
    {BANNER "array real general\n2 2\n2\n1\n1\n", "is truncated: it has 3 of its 4 values"},
    {BANNER "array real general\n2 2\n2\n1\n1\n3\n4\n", "bad.mtx:7: there are more values"},
    {BANNER "array real general\n2 2\n2\n1 1\n3\n", "bad.mtx:4: expected one finite value"},
    {BANNER "array real general\n2 2\n2\n1,5\n1\n3\n", "bad.mtx:4: expected one finite value"},
    {BANNER "array real general\n2 2\n2\nnan\n1\n3\n", "bad.mtx:4: expected one finite value"},
    {BANNER "coordinate real general\n2 2 1\n1 1\n", "bad.mtx:3: expected a row, a column and"},
    {BANNER "coordinate pattern general\n2 2 1\n1 1 5\n", "bad.mtx:3: expected a row and a column"},
    {BANNER "coordinate real general\n2 2 1\n3 1 1\n", "bad.mtx:3: the entry is outside"},
    {BANNER "coordinate real general\n2 2 1\n1 0 1\n", "bad.mtx:3: the entry is outside"},
    {BANNER "coordinate real symmetric\n2 2 1\n1 2 1\n", "bad.mtx:3: a symmetric matrix is given"},
    {BANNER "coordinate real general\n2 2 1\n1 1 1\n", "row 2 has a zero on the diagonal"},
};

static void malformed_matrix_market_files_are_refused(void **state)
{
    const char *dir = *state;
    for (size_t i = 0; i < sizeof bad_market / sizeof *bad_market; i++) {
        put(dir, "bad.mtx", bad_market[i].text);
        assert_refused(dir, 2, "-o refused.solution bad.mtx", 2, bad_market[i].expected);
    }
}

static void malformed_right_hand_sides_are_refused(void **state)
{
    const char *dir = *state;
    put(dir, "side.mtx", variants[0]);
    put(dir, "side_b.mtx", BANNER "array real general\n3 1\n1\n1\n1\n");
    assert_refused(dir, 2, "side.mtx", 2, "side_b.mtx: must have 2 rows and 1 column, has 3 and 1");
    put(dir, "side_b.mtx", BANNER "array real general\n2 1\n1\n");
    assert_refused(dir, 2, "side.mtx", 2, "side_b.mtx: is truncated: it has 1 of its 2 values");
    put(dir, "side_b.mtx", "5\n10\n");
    assert_refused(dir, 2, "side.mtx", 2, "side_b.mtx:1: expected %%MatrixMarket");
}

static void other_things_than_files_are_refused(void **state)
{
    const char *dir = *state;
    assert_refused(dir, 3, "missing", 2, "missing: No such file or directory");
    assert_refused(dir, 3, ".", 2, ".: is not an ordinary file");
    assert_refused(dir, 3, "./jacobi", 2, "./jacobi: is neither a binary system nor");
}

static void bad_usage_is_refused(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 4 system");
    assert_refused(dir, 3, "", 2, "usage: jacobi");
    assert_refused(dir, 3, "system system", 2, "usage: jacobi");
    assert_refused(dir, 3, "-z system", 2, "usage: jacobi");
    assert_refused(dir, 3, "-i", 2, "usage: jacobi");
    assert_refused(dir, 3, "-i 0 system", 2, "-i 0: expected a number of iterations");
    assert_refused(dir, 3, "-i 5x system", 2, "-i 5x: expected a number of iterations");
    assert_refused(dir, 3, "-i 99999999999 system", 2, "expected a number of iterations");
    assert_refused(dir, 3, "-t -1 system", 2, "-t -1: expected a number that is not negative");
    assert_refused(dir, 3, "-t nan system", 2, "-t nan: expected a number");
}

static void a_solution_that_cannot_be_written_is_told(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 4 system");
    assert_refused(dir, 3, "-o missing/refused system", 1, "missing/refused: No such file");
}

/* -- the generator */

static void generator_depends_on_nothing_but_its_options(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 12 -s 5 one");
    generate(dir, "-n 12 -s 5 again");
    generate(dir, "-n 12 -s 6 other");
    must_succeed(command_shell(dir, LIMIT, "cmp one again && ! cmp -s one other"));
}

static void generator_leaves_nothing_half_done(void **state)
{
    const char *dir = *state;
    const char *line = "trap '' XFSZ; ulimit -f 8; ./generate -n 60 %s";
    command_t command = command_shell(dir, LIMIT, line, "large");
    assert_int_equal(command.status, 2);
    assert_string_equal(command.err, "generate: large: File too large\n");
    assert_false(exists(dir, "large"));
    command_free(&command);
    command = command_shell(dir, LIMIT, line, "large.mtx");
    assert_int_equal(command.status, 2);
    assert_false(exists(dir, "large.mtx"));
    assert_false(exists(dir, "large_b.mtx"));
    command_free(&command);
}

static void what_is_no_file_stays_when_writing_fails(void **state)
{
    const char *dir = *state;
    command_t command = command_shell(dir, LIMIT,
                                      "trap '' PIPE; mkfifo pipe && { head -c 1 pipe >/dev/null & "
                                      "./generate -n 200 pipe; }");
    assert_int_equal(command.status, 2);
    assert_string_equal(command.err, "generate: pipe: Broken pipe\n");
    assert_true(exists(dir, "pipe"));
    command_free(&command);
}

static void generator_refuses_bad_usage(void **state)
{
    static const char *const cases[] = {
        "",          "x",        "-n 0 x",        "-n 5", "-n 5k x", "-n 5 -s -1 x", "-n 5 -d 1 x",
        "-n 5 -q x", "-n 5 x y", "-n 5 missing/x"};
    const char *dir = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_t command = command_shell(dir, LIMIT, "./generate %s", cases[i]);
        assert_int_equal(command.status, 2);
        assert_true(strlen(command.err) > 0);
        assert_false(exists(dir, "x"));
        command_free(&command);
    }
}

/* -- the makefile */

static void builds_without_a_warning_in_its_own_folder(void **state)
{
    const char *dir = *state;
    command_t command = command_shell(dir, LIMIT,
                                      "cp -r '%s/examples' own && cd own/jacobi && rm -f *.o && "
                                      "PATH='%s/bin':$PATH make && test -x jacobi && make clean && "
                                      "! ls *.o jacobi generate 2>/dev/null",
                                      source_dir(), build_dir());
    assert_string_equal(command.err, "");
    assert_int_equal(command.status, 0);
    command_free(&command);
}

static int build_example(void **state)
{
    char *dir = scratch_make();
    *state = dir;
    must_succeed(command_shell(dir, 2 * LIMIT,
                               "make -s -C '%s/examples/jacobi' CC=\"'%s/bin/mpicc'\" BUILD='%s'",
                               source_dir(), build_dir(), dir));
    return 0;
}

static int remove_example(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_gives_the_same_solution),
        cmocka_unit_test(more_ranks_than_rows),
        cmocka_unit_test(residual_is_small_when_converged),
        cmocka_unit_test(solution_is_that_of_the_system),
        cmocka_unit_test(stops_after_the_iterations_asked_for),
        cmocka_unit_test(divergence_is_told),
        cmocka_unit_test(matrix_market_gives_what_binary_gives),
        cmocka_unit_test(all_kinds_of_matrix_market_are_read),
        cmocka_unit_test(without_right_hand_side_the_solution_is_ones),
        cmocka_unit_test(truncated_binary_files_are_refused),
        cmocka_unit_test(malformed_binary_files_are_refused),
        cmocka_unit_test(malformed_matrix_market_files_are_refused),
        cmocka_unit_test(malformed_right_hand_sides_are_refused),
        cmocka_unit_test(other_things_than_files_are_refused),
        cmocka_unit_test(bad_usage_is_refused),
        cmocka_unit_test(a_solution_that_cannot_be_written_is_told),
        cmocka_unit_test(generator_depends_on_nothing_but_its_options),
        cmocka_unit_test(generator_leaves_nothing_half_done),
        cmocka_unit_test(what_is_no_file_stays_when_writing_fails),
        cmocka_unit_test(generator_refuses_bad_usage),
        cmocka_unit_test(builds_without_a_warning_in_its_own_folder),
    };
    return cmocka_run_group_tests(tests, build_example, remove_example);
}

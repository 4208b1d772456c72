/* SPDX-License-Identifier: BSD-3-Clause
 * The example cg as a plain MPI program: its solutions, its matrices, its refusals. */
#define _GNU_SOURCE
#include "cluster/examples/example.h"

#define PROGRAM "cg"

static char *cg(const char *dir, int ranks, const char *arguments)
{
    return output_of(dir, PROGRAM, ranks, arguments);
}

static void generate(const char *dir, const char *arguments)
{
    must_succeed(command_shell(dir, LIMIT, "./generate %s", arguments));
}

static void refused(const char *dir, int ranks, const char *arguments, int status,
                    const char *expected)
{
    assert_refused(dir, PROGRAM, ranks, arguments, status, expected);
}

/* -- solutions */

static void any_number_of_ranks_gives_the_same_solution(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 300 system.mtx");
    free(cg(dir, 1, "-t 1e-14 -o on_1 system.mtx"));
    for (int ranks = 2; ranks <= 5; ranks++) {
        char arguments[] = "-t 1e-14 -o on_N system.mtx";
        arguments[strlen("-t 1e-14 -o on_")] = (char)('0' + ranks);
        free(cg(dir, ranks, arguments));
        assert_near(dir, "on_1", (char[]){'o', 'n', '_', (char)('0' + ranks), '\0'}, 1e-12);
    }
}

static void solutions_are_right(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 200 -d 2 ones.mtx");
    char *output = cg(dir, 3, "-t 1e-14 -o solution ones.mtx");
    assert_non_null(strstr(output, "converged yes\n"));
    assert_true(figure(output, "residual") < 1e-10);
    assert_true(figure(output, "iterations") > 5);
    free(output);
    must_succeed(command_shell(dir, LIMIT, "for i in $(seq 200); do echo 1; done >ones"));
    assert_near(dir, "ones", "solution", 1e-12);
}

static void a_right_hand_side_is_read(void **state)
{
    const char *dir = *state;
    put(dir, "known.mtx", "%%MatrixMarket matrix array real general\n2 2\n2\n1\n1\n3\n");
    put(dir, "known_b.mtx", "%%MatrixMarket matrix array real general\n2 1\n5\n10\n");
    put(dir, "expected", "1\n3\n");
    free(cg(dir, 2, "-t 1e-14 -o known known.mtx"));
    assert_near(dir, "expected", "known", 1e-13);
}

static void more_ranks_than_rows(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 3 three.mtx");
    free(cg(dir, 1, "-t 1e-14 -o one three.mtx"));
    free(cg(dir, 5, "-t 1e-14 -o five three.mtx"));
    assert_near(dir, "one", "five", 1e-12);
}

static void stops_after_the_iterations_asked_for(void **state)
{
    char *output;
    generate(*state, "-n 300 -d 1.01 long.mtx");
    output = cg(*state, 2, "-i 3 long.mtx");
    assert_non_null(strstr(output, "iterations 3\nconverged no\n"));
    free(output);
}

static void nothing_to_do_is_done(void **state)
{
    const char *dir = *state;
    put(dir, "zero.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
    put(dir, "zero_b.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n0\n");
    char *output = cg(dir, 2, "zero.mtx");
    assert_non_null(strstr(output, "iterations 0\nconverged yes\nresidual 0"));
    free(output);
}

/* -- matrices */

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
    free(cg(dir, 1, "-t 1e-14 -o first first.mtx"));
    for (size_t i = 1; i < sizeof variants / sizeof *variants; i++) {
        put(dir, "other.mtx", variants[i]);
        free(cg(dir, 2, "-t 1e-14 -o other other.mtx"));
        assert_near(dir, "first", "other", 1e-13);
    }
}

static void matrices_that_cg_cannot_solve_are_told(void **state)
{
    const char *dir = *state;
    put(dir, "skew.mtx", BANNER "coordinate real general\n2 2 3\n1 1 2\n2 2 2\n1 2 1\n");
    refused(dir, 2, "-o refused skew.mtx", 2, "the matrix is not symmetric");
    put(dir, "indefinite.mtx", BANNER "coordinate real general\n2 2 2\n1 1 1\n2 2 -3\n");
    refused(dir, 2, "-o refused indefinite.mtx", 1, "the matrix is not positive definite");
}

static const struct {
    const char *text, *expected;
} bad_market[] = {
    {"", "bad.mtx:1: expected %%MatrixMarket"},
    {"LINSYS01", "bad.mtx:1: expected %%MatrixMarket"},
    {BANNER "\n", "bad.mtx:1: expected"},
    {BANNER "array real general more\n", "bad.mtx:1: expected"},
    {BANNER "array complex general\n", "bad.mtx:1: the values must be real, integer or"},
    {BANNER "array pattern general\n", "bad.mtx:1: the values must be real, integer or"},
    {BANNER "array real hermitian\n", "bad.mtx:1: the matrix must be general or symmetric"},
    {BANNER "array real general\n% only this\n", "bad.mtx: ends before the line with its size"},
    {BANNER "array real general\n2\n", "bad.mtx:2: expected the number of rows and columns"},
    {BANNER "coordinate real general\n%\n2 2\n",
     "bad.mtx:3: expected the number of rows, columns and entries"},
    {BANNER "array real general\n0 0\n", "bad.mtx:2: the size is out of range"},
    {BANNER "array real general\n99999999999 2\n", "bad.mtx:2: the size is out of range"},
    {BANNER "coordinate real general\n2 2 -1\n", "bad.mtx:2: the size is out of range"},
    {BANNER "array real symmetric\n2 3\n", "bad.mtx:2: a symmetric matrix must be square"},
    {BANNER "array real general\n2 3\n", "not square: it has 2 rows and 3 columns"},
    {BANNER "array real general\n2 2\n2\n1\n1\n", "is truncated: it has 3 of its 4 values"},
    {BANNER "array real general\n2 2\n2\n1\n1\n3\n4\n", "bad.mtx:7: there are more values"},
    {BANNER "array real general\n2 2\n2\n1,5\n1\n3\n", "bad.mtx:4: expected one finite value"},
    {BANNER "coordinate real general\n2 2 1\n1 1\n", "bad.mtx:3: expected a row, a column and"},
    {BANNER "coordinate real general\n2 2 1\n1 1 inf\n", "bad.mtx:3: expected a row, a column"},
    {BANNER "coordinate pattern general\n2 2 1\n1 1 5\n", "bad.mtx:3: expected a row and a column"},
    {BANNER "coordinate real general\n2 2 1\n3 1 1\n", "bad.mtx:3: the entry is outside"},
    {BANNER "coordinate real general\n2 2 1\n1 0 1\n", "bad.mtx:3: the entry is outside"},
    {BANNER "coordinate real symmetric\n2 2 1\n1 2 1\n", "bad.mtx:3: a symmetric matrix is given"},
};

static void malformed_matrix_market_files_are_refused(void **state)
{
    const char *dir = *state;
    for (size_t i = 0; i < sizeof bad_market / sizeof *bad_market; i++) {
        put(dir, "bad.mtx", bad_market[i].text);
        refused(dir, 2, "-o refused bad.mtx", 2, bad_market[i].expected);
    }
}

/* Whatever is in a file: one line and a status, or a solution. */
static void garbage_never_crashes(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 30 good.mtx");
    for (int i = 0; i < 20; i++) {
        must_succeed(
            command_shell(dir, LIMIT,
                          "awk -v seed=%d 'BEGIN { srand(seed); line = 2 + int(80 * "
                          "rand()); c = substr(\"x-.9 %%e\", 1 + int(7 * rand()), 1) } "
                          "NR == line { p = 1 + int(length() * rand()); $0 = substr($0, 1, "
                          "p - 1) c substr($0, p + 1) } { print }' good.mtx >bad.mtx",
                          i));
        command_t command = command_shell(dir, LIMIT,
                                          "exec $(readlink -f '%s/bin/mpiexec') -n 2 ./cg -i 50 "
                                          "bad.mtx",
                                          build_dir());
        if (command.status < 0 || command.status > 2)
            fail_msg("status %d: %s", command.status, command.err);
        command_free(&command);
    }
    must_succeed(command_shell(dir, LIMIT, "head -c 100000 /dev/urandom >noise.mtx"));
    refused(dir, 2, "noise.mtx", 2, "noise.mtx:1: expected");
}

static void malformed_right_hand_sides_are_refused(void **state)
{
    const char *dir = *state;
    put(dir, "side.mtx", variants[0]);
    put(dir, "side_b.mtx", BANNER "array real general\n3 1\n1\n1\n1\n");
    refused(dir, 2, "side.mtx", 2, "side_b.mtx: must have 2 rows and 1 columns, has 3 and 1");
    put(dir, "side_b.mtx", BANNER "array real general\n2 1\n1\n");
    refused(dir, 2, "side.mtx", 2, "side_b.mtx: is truncated: it has 1 of its 2 values");
}

static void other_things_than_files_are_refused(void **state)
{
    refused(*state, 3, "missing", 2, "missing: No such file or directory");
    refused(*state, 3, ".", 2, ".: is not an ordinary file");
}

static void bad_usage_is_refused(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 4 four.mtx");
    refused(dir, 3, "", 2, "usage: cg");
    refused(dir, 3, "four.mtx four.mtx", 2, "usage: cg");
    refused(dir, 3, "-z four.mtx", 2, "usage: cg");
    refused(dir, 3, "-i 0 four.mtx", 2, "-i 0: expected a number of iterations");
    refused(dir, 3, "-t nan four.mtx", 2, "-t nan: expected a number");
    refused(dir, 3, "-o missing/refused four.mtx", 1, "missing/refused: No such file");
}

/* -- the generator */

static void rows_are_uneven_as_asked_for(void **state)
{
    static const char count[] =
        "awk '/^[0-9]/ && NF == 3 { n[$1]++; if ($1 != $2) n[$2]++ } END { for (i = 1; i <= 100; "
        "i++) { first += n[i]; last += n[1900 + i] } print first / last }' uneven.mtx";
    const char *dir = *state;
    generate(dir, "-n 2000 -u 8 uneven.mtx");
    command_t command = command_shell(dir, LIMIT, count);
    assert_true(strtod(command.out, NULL) > 4 && strtod(command.out, NULL) < 9);
    command_free(&command);
    generate(dir, "-n 2000 -u 1 uneven.mtx");
    command = command_shell(dir, LIMIT, count);
    assert_true(strtod(command.out, NULL) > 0.8 && strtod(command.out, NULL) < 1.25);
    command_free(&command);
}

static void generator_depends_on_nothing_but_its_options(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 50 -s 5 one");
    generate(dir, "-n 50 -s 5 again");
    generate(dir, "-n 50 -s 6 other");
    must_succeed(command_shell(dir, LIMIT, "cmp one again && ! cmp -s one other"));
    generate(dir, "-n 1 single.mtx");
    free(cg(dir, 2, "single.mtx"));
}

static void generator_refuses_bad_usage(void **state)
{
    static const char *const cases[] = {"",
                                        "x",
                                        "-n 0 x",
                                        "-n 5",
                                        "-n 5k x",
                                        "-n 5 -s -1 x",
                                        "-n 5 -d 1 x",
                                        "-n 5 -u 0 x",
                                        "-n 5 -q x",
                                        "-n 5 x y",
                                        "-n 5 missing/x"};
    const char *dir = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_t command = command_shell(dir, LIMIT, "./generate %s", cases[i]);
        assert_int_equal(command.status, 2);
        assert_true(strlen(command.err) > 0);
        assert_false(exists(dir, "x"));
        command_free(&command);
    }
}

static void generator_leaves_nothing_half_done(void **state)
{
    command_t command = command_shell(
        *state, LIMIT, "trap '' XFSZ; ulimit -f 8; ./generate -n 2000 large 2>&1; echo $?");
    assert_string_equal(command.out, "generate: large: File too large\n2\n");
    assert_false(exists(*state, "large"));
    command_free(&command);
}

static void builds_without_a_warning_in_its_own_folder(void **state)
{
    assert_builds_cleanly(*state, "cg");
}

static int set_up(void **state)
{
    *state = scratch_make();
    build_example(*state, "cg", "mpicc", ".");
    return 0;
}

static int tear_down(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_gives_the_same_solution),
        cmocka_unit_test(solutions_are_right),
        cmocka_unit_test(a_right_hand_side_is_read),
        cmocka_unit_test(more_ranks_than_rows),
        cmocka_unit_test(stops_after_the_iterations_asked_for),
        cmocka_unit_test(nothing_to_do_is_done),
        cmocka_unit_test(all_kinds_of_matrix_market_are_read),
        cmocka_unit_test(matrices_that_cg_cannot_solve_are_told),
        cmocka_unit_test(malformed_matrix_market_files_are_refused),
        cmocka_unit_test(garbage_never_crashes),
        cmocka_unit_test(malformed_right_hand_sides_are_refused),
        cmocka_unit_test(other_things_than_files_are_refused),
        cmocka_unit_test(bad_usage_is_refused),
        cmocka_unit_test(rows_are_uneven_as_asked_for),
        cmocka_unit_test(generator_depends_on_nothing_but_its_options),
        cmocka_unit_test(generator_refuses_bad_usage),
        cmocka_unit_test(generator_leaves_nothing_half_done),
        cmocka_unit_test(builds_without_a_warning_in_its_own_folder),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

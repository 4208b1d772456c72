/* SPDX-License-Identifier: BSD-3-Clause
 * What functions of another file make of the own rows, and a loop puts together over the processes:
 * their source has to show that it is the same in each layout. */
#define _GNU_SOURCE
#include "programs/elsewhere.h"

#define LOOP_OVER(first, last, does)                                                               \
    "    double s = 0;\n    for (int i = " first "; i < " last "; i++)\n        " does "\n"
#define FUNCTION(name, rest)                                                                       \
    {                                                                                              \
        name, "double " name "(int n, const double *u)\n{\n" rest "}\n"                            \
    }

/* Functions of the other file, the operation by which the loop puts together what they hand back,
 * what they are given, and whether that is shown to be right. */
static const struct {
    struct {
        const char *name, *text;
    } function;
    const char *operation, *given;
    bool shown;
} all[] = {
    {FUNCTION("sum", LOOP_OVER("0", "n", "s += u[i];") "    return s;\n"), "SUM", "count, u + 1",
     true},
    {FUNCTION("ghosts", LOOP_OVER("1", "n + 1", "s += u[i + 1] - u[i - 1];") "    return s;\n"),
     "SUM", "count, u", true},
    {FUNCTION("twice", LOOP_OVER("0", "n", "s -= square(u[i]);") "    return 2 * s;\n"), "SUM",
     "count, u + 1", true},
    {FUNCTION("of_sums", "    return 2 * sum(n, u);\n"), "SUM", "count, u + 1", true},
    {FUNCTION("largest", LOOP_OVER("0", "n", "if (u[i] > s) s = u[i];") "    return s;\n"), "MAX",
     "count, u + 1", true},
    {FUNCTION("places", LOOP_OVER("0", "n", "s += i * u[i];") "    return s;\n"), "SUM",
     "count, u + 1", false},
    {FUNCTION("mean", LOOP_OVER("0", "n", "s += u[i];") "    return s / n;\n"), "SUM",
     "count, u + 1", false},
    {FUNCTION("within", LOOP_OVER("0", "n - 1", "s += u[i];") "    return s;\n"), "SUM",
     "count, u + 1", false},
    {FUNCTION("begun", LOOP_OVER("0", "n", "s += u[i];") "    return s + 1;\n"), "SUM",
     "count, u + 1", false},
    {FUNCTION("most", LOOP_OVER("0", "n", "if (u[i] > s) s = u[i];") "    return s;\n"), "SUM",
     "count, u + 1", false},
    {FUNCTION("least", LOOP_OVER("0", "n", "if (u[i] > s) s = u[i];") "    return -2 * s;\n"),
     "MAX", "count, u + 1", false},
};
enum { ALL = sizeof all / sizeof *all };

static const char begin[] =
    "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include \"other.h\"\n"
    "int main(int argc, char **argv)\n{\n    int rank, size, n = 40;\n"
    "    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    int first = rank * n / size, count = (rank + 1) * n / size - first;\n"
    "    int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;\n"
    "    int down = rank > 0 ? rank - 1 : MPI_PROC_NULL;\n"
    "    double total = 0, part, whole, *u = malloc((count + 2) * sizeof *u);\n"
    "    for (int i = 0; i < count + 2; i++)\n        u[i] = (first + i) % 7;\n"
    "#pragma xmpi loop\n    for (int step = 0; step < 30; step++) {\n"
    "        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, down, 0, &u[count + 1], 1, MPI_DOUBLE, up, 0,\n"
    "                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
    "        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, up, 0, &u[0], 1, MPI_DOUBLE, down, 0,\n"
    "                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n";
static const char end[] =
    "        for (int i = 1; i <= count; i++)\n            u[i] = 0.5 * u[i] + step;\n"
    "    }\n    if (rank == 0)\n        printf(\"total %.6f\\n\", total);\n    free(u);\n"
    "    MPI_Finalize();\n    return 0;\n}\n";

/* Those of which it is SHOWN, or all. */
static void write_program(bool shown)
{
    char *main = strdup(begin), *header = strdup(""),
         *other = strdup("#include \"other.h\"\n"
                         "static double square(double x) { return x * x; }\n");
    for (size_t i = 0; i < ALL; i++) {
        char *text = NULL, *calls = NULL, *declared = NULL;
        assert_true(asprintf(&text, "%s%s", other, all[i].function.text) >= 0);
        assert_true(asprintf(&declared, "%sdouble %s(int n, const double *u);\n", header,
                             all[i].function.name) >= 0);
        const bool wanted = all[i].shown || !shown;
        assert_true(asprintf(&calls,
                             wanted ? "%s        part = %s(%s);\n"
                                      "        MPI_Allreduce(&part, &whole, 1, MPI_DOUBLE, "
                                      "MPI_%s, MPI_COMM_WORLD);\n        total += whole;\n"
                                    : "%s",
                             main, all[i].function.name, all[i].given, all[i].operation) >= 0);
        free(other), free(header), free(main);
        other = text, header = declared, main = calls;
    }
    char *whole = NULL;
    assert_true(asprintf(&whole, "%s%s", main, end) >= 0);
    write_scratch("main.c", whole);
    write_scratch("other.c", other);
    write_scratch("other.h", header);
    free(whole), free(main), free(header), free(other);
}

/* One line for each that is not shown, and none for the others. */
static void test_told(void **state)
{
    (void)state;
    write_program(false);
    command_t command = command_shell(
        scratch, SECONDS, "'%s/bin/xmpicc' --xmpi-apart main.c other.c -o program", build_dir());
    assert_int_equal(command.status, 0);
    for (size_t i = 0; i < ALL; i++) {
        char *line = NULL;
        assert_true(asprintf(&line,
                             "the loop keeps its processes: %s, of another file, is put "
                             "together by MPI_%s over the processes, and other.c does not "
                             "show that this is the same in each layout",
                             all[i].function.name, all[i].operation) >= 0);
        if ((strstr(command.err, line) == NULL) != all[i].shown)
            fail_msg("%s: %s", all[i].function.name, command.err);
        free(line);
    }
    command_free(&command);
}

/* Where all are shown nothing is told, and members come and go. */
static void test_shown(void **state)
{
    (void)state;
    write_program(true);
    command_t command = command_shell(
        scratch, SECONDS,
        "'%s/bin/mpicc' main.c other.c -o program && '%s/bin/mpiexec' -n 3 ./program >wanted && "
        "'%s/bin/xmpicc' -c main.c && '%s/bin/xmpicc' -O2 -c other.c && "
        "'%s/bin/xmpicc' main.o other.o -o program",
        build_dir(), build_dir(), build_dir(), build_dir(), build_dir());
    if (command.status != 0 || *command.err != '\0')
        fail_msg("%s", command.err);
    command_free(&command);
    command = sh("cat wanted");
    expect_result(command.out, true, "the loop keeps its processes");
    command_free(&command);
}

/* Of a source that is not known nobody says that it is right. */
static void test_unknown(void **state)
{
    (void)state;
    write_program(true);
    command_t command = command_shell(
        scratch, SECONDS, "'%s/bin/mpicc' -c other.c && '%s/bin/xmpicc' main.c other.o -o program",
        build_dir(), build_dir());
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.err, "sum, of another file, is put together by MPI_SUM over the "
                                        "processes, and its source is not known"));
    command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_told), cmocka_unit_test(test_shown),
                                       cmocka_unit_test(test_unknown)};
    scratch = scratch_make();
    machine_invent();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}

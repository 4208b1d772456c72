/* SPDX-License-Identifier: BSD-3-Clause
 * What loops rely on besides their own file: functions of libraries, in place of which the program
 * may have others, and what other loops rely on that run in the layout that they leave. */
#define _GNU_SOURCE
#include "programs/elsewhere.h"

#define CLAUSE "state(rows(x[n] from first, count), same(step))"
#define WRAP                                                                                       \
    "double __real_cbrt(double x);\ndouble __wrap_cbrt(double x);\n"                               \
    "double __wrap_cbrt(double x) { return __real_cbrt(x); }\n"
#define WRAPPED "-Wl,--wrap=cbrt wrap.o"

/* Links of a program with a CLAUSE, and what is called in place of cbrt; empty: all is well. */
static const struct {
    const char *clause, *linker, *more, *called;
} cubics[] = {{"", "xmpicc", "", ""},
              {"", "xmpicc", WRAPPED, "__wrap_cbrt"},
              {"", "mpicc", WRAPPED, "__wrap_cbrt"},
              {"", "xmpicc", "-Wl,--wrap=cbrt", "__wrap_cbrt"}, /* in the loop's own file */
              {"", "xmpicc", "own.o", "cbrt"},
              {"", "xmpicc -no-pie", "own.o", "cbrt"},
              {"", "xmpicc", "-Wl,--defsym=cbrt=halve halve.o", "cbrt"},
              {"", "xmpicc --xmpi-replaced=cbrt", WRAPPED, ""},
              {"", "xmpicc --xmpi-replaced=cbrt", "own.o", ""},
              {"", "xmpicc -no-pie", "", ""},
              {CLAUSE, "xmpicc", "", ""},
              {CLAUSE, "xmpicc", WRAPPED, "__wrap_cbrt"},
              {CLAUSE, "xmpicc --xmpi-replaced=cbrt", WRAPPED, ""}};

/* What program I of these prints as it is; then it is there as xmpicc makes it. */
static command_t build_cubic(size_t i)
{
    const char *b = build_dir();
    command_t command = command_shell(
        scratch, SECONDS,
        "sed -e 's/weigh(x.i., &x.i.)/cbrt(x[i])/' -e 's/^double weigh.*/#include \"in.h\"/' "
        "-e 's/xmpi loop/xmpi loop %s/' main.c >cubic.c && '%s/bin/mpicc' -c wrap.c own.c "
        "halve.c && '%s/bin/mpicc' cubic.c %s -o program -lm && "
        "'%s/bin/mpiexec' -n 3 ./program && '%s/bin/xmpicc' -c cubic.c && "
        "'%s/bin'/%s cubic.o %s -o program -lm '-L%s/lib' '-Wl,-rpath,%s/lib' -lxmpi",
        cubics[i].clause, b, b, cubics[i].more, b, b, b, cubics[i].linker, cubics[i].more, b, b);
    assert_int_equal(command.status, 0);
    return command;
}

/* What the linker calls in place of a function of a library, or the program has of this name, may
 * keep something: the loop, also one that starts over, keeps its processes, whoever links it, but
 * where the user says that it does not. */
static void test_wrapped_library(void **state)
{
    char words[128];
    (void)state;
    write_scratch("main.c", weighing_text);
    write_scratch("wrap.c", WRAP);
    write_scratch("own.c", "double cbrt(double x) { return x / 2; }\n");
    write_scratch("halve.c", "double halve(double x) { return x / 2; }\n");
    for (size_t i = 0; i < sizeof cubics / sizeof *cubics; i++) {
        const bool within = strcmp(cubics[i].more, "-Wl,--wrap=cbrt") == 0;
        write_scratch("in.h", within ? "#include <math.h>\n" WRAP : "#include <math.h>\n");
        command_t command = build_cubic(i);
        snprintf(words, sizeof words,
                 ": %s, of another file, is called in place of that of a library "
                 "(--xmpi-replaced=cbrt, if it keeps nothing)",
                 cubics[i].called);
        const bool changes = cubics[i].called[0] == '\0';
        expect_result(command.out, changes, changes ? "the loop keeps its processes" : words);
        command_free(&command);
    }
}

/* Loops in turns: one whose rows get what a function of another file makes, and one that needs
 * nothing. */
#define BEGIN                                                                                      \
    "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\ndouble weigh(int row);\n"          \
    "int main(int argc, char **argv)\n{\n    int rank, size, n = 40;\n"                            \
    "    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"                     \
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"                                                  \
    "    int first = n * rank / size, count = n * (rank + 1) / size - first;\n"                    \
    "    double *x = malloc(count * sizeof *x);\n    for (int i = 0; i < count; i++)\n"            \
    "        x[i] = (first + i) % 5;\n"
#define LOOP(added)                                                                                \
    "#pragma xmpi loop\n    for (int step = 0; step < 12; step++)\n"                               \
    "        for (int i = 0; i < count; i++)\n            x[i] = 0.5 * x[i] + " added ";\n"
#define END                                                                                        \
    "    long own = 0, all;\n    for (int i = 0; i < count; i++)\n"                                \
    "        own += (long)(x[i] * 1e6) * (first + i);\n"                                           \
    "    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);\n"                       \
    "    if (rank == 0)\n        printf(\"result %ld\\n\", all);\n"                                \
    "    free(x);\n    MPI_Finalize();\n    return 0;\n}\n"
#define CYCLES "    for (int cycle = 0; cycle < 3; cycle++) {\n"

static const char asks[] = "#include <mpi.h>\ndouble weigh(int row)\n{\n    int rank;\n"
                           "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                           "    return rank + row % 3;\n}\n",
                  computes[] = "double weigh(int row) { return row % 3; }\n";

static void build_both(const char *text, const char *weigh)
{
    write_scratch("main.c", text);
    write_scratch("weigh.c", weigh);
    command_t command = command_shell(
        scratch, SECONDS,
        "'%s/bin/mpicc' main.c weigh.c -o program && '%s/bin/mpiexec' -n 3 ./program >wanted && "
        "'%s/bin/xmpicc' main.c weigh.c -o program",
        build_dir(), build_dir(), build_dir());
    assert_int_equal(command.status, 0);
    command_free(&command);
}

/* A loop keeps its blocks where one that runs later, or again, goes by them. */
static void test_of_other_loops(void **state)
{
    static const char why[] = "weigh, of another file, calls MPI_Comm_rank, which tells the rank";
    static const struct {
        const char *text, *weigh;
        bool changes;
    } cases[] = {{BEGIN CYCLES LOOP("weigh(first + i)") LOOP("1") "    }\n" END, asks, false},
                 {BEGIN CYCLES LOOP("weigh(first + i)") LOOP("1") "    }\n" END, computes, true},
                 {BEGIN LOOP("1") LOOP("weigh(first + i)") END, asks, false},
                 {BEGIN LOOP("1") LOOP("weigh(first + i)") END, computes, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        build_both(cases[i].text, cases[i].weigh);
        command_t wanted = sh("cat wanted");
        expect_result(wanted.out, cases[i].changes, why);
        command_free(&wanted);
    }
}

/* Not where only one before does: that one has run with the blocks of the program. */
static void test_of_loops_before(void **state)
{
    (void)state;
    build_both(BEGIN LOOP("weigh(first + i)") LOOP("1") END, asks);
    command_t command = sh("cat wanted"), changed = run(3, environments[0]);
    assert_string_equal(changed.out, command.out);
    command_free(&changed);
    command_free(&command);
    command = sh("grep -q '\"event\":\"reconfiguration\"' trace");
    command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrapped_library),
                                       cmocka_unit_test(test_of_other_loops),
                                       cmocka_unit_test(test_of_loops_before)};
    /* Other files are here what cannot be joined with that of the loop. */
    setenv("XMPICC_FLAGS", "--xmpi-apart", 1);
    scratch = scratch_make();
    machine_invent();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}

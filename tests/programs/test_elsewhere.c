/* SPDX-License-Identifier: BSD-3-Clause
 * A file that nobody looks into keeps what it has computed from the rank: the loop keeps its
 * processes and says so, until a pragma has the statement run again after every change. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/command.h"

enum { SECONDS = 120 };

static char *scratch;

static const char main_text[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "void halo_init(void);\n"
    "double halo_fetch(double first);\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int rank, size, n = 40;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "%s"
    "    halo_init();\n"
    "    int first = n * rank / size, count = n * (rank + 1) / size - first;\n"
    "    double *x = malloc(count * sizeof *x);\n"
    "    for (int i = 0; i < count; i++)\n"
    "        x[i] = (first + i) %% 5;\n"
    "#pragma xmpi loop\n"
    "    for (int step = 0; step < 30; step++) {\n"
    "        double after = halo_fetch(x[0]);\n"
    "        for (int i = 0; i < count; i++)\n"
    "            x[i] = (x[i] + (i + 1 < count ? x[i + 1] : after)) / 2;\n"
    "    }\n"
    "    long own = 0, all;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        own += (long)(x[i] * 1e6) * (first + i);\n"
    "    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);\n"
    "    if (rank == 0)\n"
    "        printf(\"result %%ld\\n\", all);\n"
    "    free(x);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

static const char halo_text[] =
    "#include <mpi.h>\n"
    "static int left, right;\n"
    "void halo_init(void)\n"
    "{\n"
    "    int rank, size;\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    left = (rank + size - 1) % size;\n"
    "    right = (rank + 1) % size;\n"
    "}\n"
    "double halo_fetch(double first)\n"
    "{\n"
    "    double after;\n"
    "    MPI_Sendrecv(&first, 1, MPI_DOUBLE, left, 0, &after, 1, MPI_DOUBLE, right, 0,\n"
    "                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
    "    return after;\n"
    "}\n";

static command_t sh(const char *line)
{
    command_t command = command_shell(scratch, SECONDS, "%s", line);
    if (command.status != 0)
        print_error("%s: status %d\n%s%s\n", line, command.status, command.out, command.err);
    assert_int_equal(command.status, 0);
    return command;
}

static void write_scratch(const char *name, const char *text)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", scratch, name) >= 0);
    write_file(path, text);
    free(path);
}

/* Builds the program with WRAPPER and MARK before the statement that calls the other file. */
static void build(const char *wrapper, const char *mark)
{
    char *text = NULL, *line = NULL;
    assert_true(asprintf(&text, main_text, mark) >= 0);
    write_scratch("main.c", text);
    write_scratch("halo.c", halo_text);
    assert_true(asprintf(&line, "'%s/bin/%s' main.c halo.c -o program", build_dir(), wrapper) >= 0);
    command_t command = sh(line);
    command_free(&command);
    free(line);
    free(text);
}

static command_t run(int processes, const char *environment)
{
    char *line = NULL;
    assert_true(asprintf(&line, "%s '%s/bin/mpiexec' -n %d ./program", environment, build_dir(),
                         processes) >= 0);
    command_t command = sh(line);
    free(line);
    return command;
}

static const char *const environments[] = {
    "XMPI_POLICY=random XMPI_SEED=1 XMPI_INTERVAL=2 XMPI_BACKEND=spawn XMPI_MAX=5 "
    "XMPI_TRACE=trace",
    "XMPI_POLICY=random XMPI_SEED=2 XMPI_INTERVAL=2 XMPI_BACKEND=pool XMPI_ACTIVE=3 "
    "XMPI_TRACE=trace"};

/* CHANGES: whether members are to come and go; else a line is to say why not. */
static void expect_result(const char *wanted, bool changes)
{
    for (int i = 0; i < 2; i++) {
        command_t command = run(i == 0 ? 3 : 5, environments[i]);
        assert_string_equal(command.out, wanted);
        bool said =
            strstr(command.err, "the loop keeps its processes: main.c:12: halo_init") != NULL;
        command_free(&command);
        assert_true(said != changes);
        command = sh("grep -c '\"event\":\"reconfiguration\"' trace || true");
        assert_true((atoi(command.out) > 0) == changes);
        command_free(&command);
    }
}

static void test_elsewhere(void **state)
{
    (void)state;
    build("mpicc", "");
    command_t plain = run(3, "");
    build("xmpicc", "");
    expect_result(plain.out, false);
    build("xmpicc", "#pragma xmpi setup\n");
    expect_result(plain.out, true);
    command_free(&plain);
}

/* A program that is not divided by rows runs as it is, and both compiler and runtime say so. */
static void test_no_range(void **state)
{
    (void)state;
    write_scratch("main.c", "#include <mpi.h>\n"
                            "#include <stdio.h>\n"
                            "int main(int argc, char **argv)\n"
                            "{\n"
                            "    int rank, size;\n"
                            "    double total = 0;\n"
                            "    MPI_Init(&argc, &argv);\n"
                            "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                            "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
                            "#pragma xmpi loop\n"
                            "    for (int round = 0; round < 20; round++) {\n"
                            "        double own = 0, all;\n"
                            "        for (int i = rank; i < 100; i += size)\n"
                            "            own += i * round;\n"
                            "        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, "
                            "MPI_COMM_WORLD);\n"
                            "        total += all;\n"
                            "    }\n"
                            "    if (rank == 0)\n"
                            "        printf(\"%g\\n\", total);\n"
                            "    MPI_Finalize();\n"
                            "    return 0;\n"
                            "}\n");
    char *line = NULL;
    assert_true(asprintf(&line, "'%s/bin/xmpicc' main.c -o program", build_dir()) >= 0);
    command_t command = sh(line);
    free(line);
    assert_non_null(strstr(command.err, "[xmpi-no-range]"));
    command_free(&command);
    for (int i = 0; i < 2; i++) {
        command = run(i == 0 ? 3 : 5, environments[i]);
        assert_string_equal(command.out, "940500\n");
        assert_non_null(strstr(command.err, "the loop keeps its processes, as it has no range"));
        command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elsewhere),
        cmocka_unit_test(test_no_range),
    };
    scratch = scratch_make();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}
